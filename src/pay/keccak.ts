import { permutation } from './keccak-permutation.ts';

const RATE_BYTES = 136;
const RATE_WORDS = RATE_BYTES / 4;
const DIGEST_BYTES = 32;

const { state, permute } = permutation();
const words = new Int32Array(state.buffer, state.byteOffset, RATE_WORDS);
/** One block of a message. Both are compared word by word: the order of bytes within them is the machine's. */
const block = Buffer.from(new ArrayBuffer(RATE_BYTES));
const blockWords = new Int32Array(block.buffer);

/** Keccak-256 with the original padding (0x01), as Ethereum uses it: sponge over keccak-f[1600], rate 1088. */
export function keccak256(message: Uint8Array): Buffer {
  state.fill(0);
  const whole = message.length - (message.length % RATE_BYTES);
  for (let at = 0; at < whole; at += RATE_BYTES) {
    block.set(message.subarray(at, at + RATE_BYTES));
    absorb();
  }
  block.fill(0);
  block.set(whole === 0 ? message : message.subarray(whole));
  block[message.length - whole] = 0x01;
  block[RATE_BYTES - 1] = (block[RATE_BYTES - 1] ?? 0) | 0x80;
  absorb();
  const digest = Buffer.allocUnsafe(DIGEST_BYTES);
  state.copy(digest, 0, 0, DIGEST_BYTES);
  return digest;
}

function absorb(): void {
  for (let i = 0; i < RATE_WORDS; i++) words[i] = (words[i] ?? 0) ^ (blockWords[i] ?? 0);
  permute();
}
