import { keccak256 } from './keccak.ts';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** True for 0x and 40 hex digits in any case. */
export function isAddress(text: unknown): text is string {
  return typeof text === 'string' && ADDRESS.test(text);
}

/** Checksum forms by lower-case address: the same payers come again and again, and a hash takes 15 us. */
const checksummed = new Map<string, string>();
const MAX_CHECKSUMMED = 10_000;

/** The address in mixed-case checksum form (EIP-55). The input must be an address. */
export function checksumAddress(address: string): string {
  const lower = address.toLowerCase();
  const made = checksummed.get(lower) ?? checksumOf(lower.slice(2));
  if (checksummed.size >= MAX_CHECKSUMMED) checksummed.clear();
  checksummed.set(lower, made);
  return made;
}

function checksumOf(plain: string): string {
  const hash = keccak256(Buffer.from(plain, 'ascii')).toString('hex');
  let out = '0x';
  for (let i = 0; i < plain.length; i++) {
    const digit = plain.charAt(i);
    out += Number.parseInt(hash.charAt(i), 16) >= 8 ? digit.toUpperCase() : digit;
  }
  return out;
}

/** True where the text is an address written in its EIP-55 checksum form. */
export function isChecksumAddress(text: unknown): text is string {
  return isAddress(text) && checksumAddress(text) === text;
}

/** Equality of two addresses whatever their case. */
export function sameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
