import { keccak256 } from './keccak.ts';

/** The few words of the contract interface that payments need: event topics, selectors, 32-byte words in hex. */

const hash = (signature: string): string => keccak256(Buffer.from(signature, 'ascii')).toString('hex');
const topicOf = (event: string): string => `0x${hash(event)}`;

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
