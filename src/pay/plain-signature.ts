import type { PlainSignature } from './recover.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** A larger s is the malleable twin, which the token refuses. */
const HALF_ORDER = ORDER / 2n;
const EMPTY = Buffer.alloc(32);

/** A plain key's signature with s in the lower half, and whether it came with the upper one. */
interface ReadSignature extends PlainSignature {
  readonly isHigh: boolean;
}

/** 65 bytes, v 27 or 28, r and s not zero: what may be of a plain key. */
export function plainSignature(signature: string): ReadSignature | undefined {
  const bytes = Buffer.from(signature.slice(2), 'hex');
  const v = bytes[64];
  if (bytes.length !== 65 || (v !== 27 && v !== 28)) return undefined;
  const s = BigInt(`0x${bytes.toString('hex', 32, 64)}`);
  if (s === 0n || s >= ORDER || bytes.subarray(0, 32).equals(EMPTY)) return undefined;
  const recovery = v === 27 ? 0 : 1;
  if (s <= HALF_ORDER) return { bytes: bytes.subarray(0, 64), recovery, isHigh: false };
  const low = Buffer.concat([bytes.subarray(0, 32), wordOf(ORDER - s)]);
  return { bytes: low, recovery: recovery === 0 ? 1 : 0, isHigh: true };
}

const wordOf = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
