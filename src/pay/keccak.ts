/**
 * Keccak-256 with the original padding (0x01), as Ethereum uses it: sponge over keccak-f[1600], rate 1088.
 * Lanes are pairs of 32-bit words, because BigInt lanes are some twenty times slower.
 */
const ROUNDS = 24;
const RATE_BYTES = 136;

const at = (words: Int32Array, i: number): number => words[i] as number;

/** Round constants from the LFSR x^8 + x^6 + x^5 + x^4 + 1 (FIPS 202, section 3.2.5): low word, high word. */
const IOTA = roundConstants();
/** Lane order of the pi step and the rotation of rho along it (FIPS 202, sections 3.2.2 and 3.2.3). */
const { lanes: PI_LANES, turns: RHO_TURNS } = rhoPi();

function roundConstants(): Int32Array {
  const words = new Int32Array(2 * ROUNDS);
  let lfsr = 1;
  for (let round = 0; round < ROUNDS; round++) {
    for (let j = 0; j <= 6; j++) {
      if ((lfsr & 1) === 1) {
        const bit = (1 << j) - 1;
        const word = 2 * round + (bit >>> 5);
        words[word] = at(words, word) ^ (1 << (bit & 31));
      }
      lfsr = (lfsr << 1) ^ ((lfsr & 0x80) === 0 ? 0 : 0x171);
    }
  }
  return words;
}

function rhoPi(): { lanes: Int32Array; turns: Int32Array } {
  const lanes = new Int32Array(ROUNDS);
  const turns = new Int32Array(ROUNDS);
  let [x, y] = [1, 0];
  for (let t = 0; t < ROUNDS; t++) {
    [x, y] = [y, (2 * x + 3 * y) % 5];
    lanes[t] = x + 5 * y;
    turns[t] = (((t + 1) * (t + 2)) / 2) % 64;
  }
  return { lanes, turns };
}

const columns = new Int32Array(10);

function theta(state: Int32Array): void {
  for (let x = 0; x < 10; x++) {
    columns[x] = at(state, x) ^ at(state, x + 10) ^ at(state, x + 20) ^ at(state, x + 30) ^ at(state, x + 40);
  }
  for (let x = 0; x < 5; x++) {
    const left = 2 * ((x + 4) % 5);
    const right = 2 * ((x + 1) % 5);
    const [lo, hi] = [at(columns, right), at(columns, right + 1)];
    const dLo = at(columns, left) ^ ((lo << 1) | (hi >>> 31));
    const dHi = at(columns, left + 1) ^ ((hi << 1) | (lo >>> 31));
    for (let i = 2 * x; i < 50; i += 10) {
      state[i] = at(state, i) ^ dLo;
      state[i + 1] = at(state, i + 1) ^ dHi;
    }
  }
}

function rhoAndPi(state: Int32Array): void {
  let lo = at(state, 2);
  let hi = at(state, 3);
  for (let t = 0; t < ROUNDS; t++) {
    const lane = 2 * at(PI_LANES, t);
    const turn = at(RHO_TURNS, t);
    const nextLo = at(state, lane);
    const nextHi = at(state, lane + 1);
    const [a, b] = turn < 32 ? [lo, hi] : [hi, lo];
    const n = turn & 31;
    state[lane] = n === 0 ? a : (a << n) | (b >>> (32 - n));
    state[lane + 1] = n === 0 ? b : (b << n) | (a >>> (32 - n));
    lo = nextLo;
    hi = nextHi;
  }
}

function chi(state: Int32Array): void {
  for (let row = 0; row < 50; row += 10) {
    for (let i = 0; i < 10; i++) columns[i] = at(state, row + i);
    for (let i = 0; i < 10; i++) {
      state[row + i] = at(columns, i) ^ (~at(columns, (i + 2) % 10) & at(columns, (i + 4) % 10));
    }
  }
}

function permute(state: Int32Array): void {
  for (let round = 0; round < ROUNDS; round++) {
    theta(state);
    rhoAndPi(state);
    chi(state);
    state[0] = at(state, 0) ^ at(IOTA, 2 * round);
    state[1] = at(state, 1) ^ at(IOTA, 2 * round + 1);
  }
}

/** Keccak-256 of the bytes. */
export function keccak256(message: Uint8Array): Buffer {
  const padded = Buffer.alloc((Math.floor(message.length / RATE_BYTES) + 1) * RATE_BYTES);
  padded.set(message);
  padded[message.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const state = new Int32Array(50);
  for (let block = 0; block < padded.length; block += RATE_BYTES) {
    for (let i = 0; i < RATE_BYTES / 4; i++) state[i] = at(state, i) ^ padded.readInt32LE(block + 4 * i);
    permute(state);
  }
  const digest = Buffer.alloc(32);
  for (let i = 0; i < 8; i++) digest.writeInt32LE(at(state, i), 4 * i);
  return digest;
}
