import { keccak_256 } from '@noble/hashes/sha3';

/** Keccak-256 with the original padding, as Ethereum uses it. */
export function keccak256(message: Uint8Array): Buffer {
  const { buffer, byteOffset, length } = keccak_256(message);
  return Buffer.from(buffer, byteOffset, length);
}
