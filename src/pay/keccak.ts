import { permutation } from './keccak-permutation.ts';

const RATE_BYTES = 136;
const RATE_WORDS = RATE_BYTES / 4;

const permute = permutation();
const state = new Int32Array(50);

/** Keccak-256 with the original padding (0x01), as Ethereum uses it: sponge over keccak-f[1600], rate 1088. */
export function keccak256(message: Uint8Array): Buffer {
  const padded = Buffer.alloc((Math.floor(message.length / RATE_BYTES) + 1) * RATE_BYTES);
  padded.set(message);
  padded[message.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  state.fill(0);
  for (let at = 0; at < padded.length; at += RATE_BYTES) {
    for (let i = 0; i < RATE_WORDS; i++) state[i] = (state[i] ?? 0) ^ padded.readInt32LE(at + 4 * i);
    permute(state);
  }
  const digest = Buffer.allocUnsafe(32);
  for (let i = 0; i < 8; i++) digest.writeInt32LE(state[i] ?? 0, 4 * i);
  return digest;
}
