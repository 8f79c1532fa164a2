import wasm from 'hash-wasm/dist/keccak.umd.min.js';

const hasher = await wasm.createKeccak(256);

/** Keccak-256 with the original padding, as Ethereum uses it. */
export function keccak256(message: Uint8Array): Buffer {
  const { buffer, byteOffset, length } = hasher.init().update(message).digest('binary');
  return Buffer.from(buffer, byteOffset, length);
}
