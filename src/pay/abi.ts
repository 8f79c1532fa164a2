import { keccak256 } from './keccak.ts';

/** The few words of the contract interface that payments need: event topics, selectors, 32-byte words in hex. */

const hash = (signature: string): string => keccak256(Buffer.from(signature, 'ascii')).toString('hex');
/** The first topic of an event's logs. */
export const topicOf = (event: string): string => `0x${hash(event)}`;

export const AUTHORIZATION_USED = topicOf('AuthorizationUsed(address,bytes32)');
export const AUTHORIZATION_CANCELED = topicOf('AuthorizationCanceled(address,bytes32)');
export const TRANSFER = topicOf('Transfer(address,address,uint256)');

/** First four bytes of a call, with 0x. */
export function selectorOf(method: string): string {
  return `0x${hash(method).slice(0, 8)}`;
}

/** An address as a word, without 0x. */
export function addressWord(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0');
}

/** An unsigned number as a word, without 0x. */
export function uintWord(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

/** An argument of a call in hex: words in their place, or words that stand behind those of all arguments. */
export type AbiPart = string | { readonly behind: string };

/** An argument of no fixed size, encoded. */
export const behindHeads = (encoded: string): AbiPart => ({ behind: encoded });

/** An argument of bytes in hex, without 0x. */
export function bytesArgument(hex: string): AbiPart {
  const padded = hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
  return behindHeads(uintWord(BigInt(hex.length / 2)) + padded);
}

/** Arguments of a call, or members of a tuple, without 0x: the offset of each that stands behind is in its place. */
export function encodeArguments(parts: readonly AbiPart[]): string {
  const headBytes = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length / 2 : 32), 0);
  let heads = '';
  let tails = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      heads += part;
      continue;
    }
    heads += uintWord(BigInt(headBytes + tails.length / 2));
    tails += part.behind;
  }
  return heads + tails;
}
