const LANES = 25;
const ROUNDS = 24;
/** Bytes that each permutation takes in, for 256 bits of hash. */
const RATE = 136;
const MASK = (1n << 64n) - 1n;

const rotated = (lane: bigint, by: bigint): bigint => ((lane << by) | (lane >> (64n - by))) & MASK;
const at = (lanes: readonly bigint[], index: number): bigint => lanes[index] ?? 0n;

/** Constants of the rounds, from the shift register of FIPS 202, algorithm 5. */
function roundConstants(): readonly bigint[] {
  let register = 1;
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let i = 0; i < 7; i++) {
      if ((register & 1) === 1) constant |= 1n << ((1n << BigInt(i)) - 1n);
      register = register & 0x80 ? (register << 1) ^ 0x171 : register << 1;
    }
    return constant;
  });
}

const CONSTANTS = roundConstants();

/** One round of Keccak-f[1600] without its constant (FIPS 202, section 3.2). */
function round(lanes: readonly bigint[]): bigint[] {
  const parity = [0, 1, 2, 3, 4].map((x) =>
    [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ at(lanes, x + y), 0n),
  );
  const mixed = lanes.map((lane, i) => lane ^ at(parity, (i + 4) % 5) ^ rotated(at(parity, (i + 1) % 5), 1n));
  const moved = [...mixed];
  let x = 1;
  let y = 0;
  for (let step = 1; step <= 24; step++) {
    const lane = at(mixed, x + 5 * y);
    const nextY = (2 * x + 3 * y) % 5;
    x = y;
    y = nextY;
    moved[x + 5 * y] = rotated(lane, BigInt((step * (step + 1)) / 2) % 64n);
  }
  return moved.map((lane, i) => {
    const row = i - (i % 5);
    return lane ^ (~at(moved, row + ((i + 1) % 5)) & MASK & at(moved, row + ((i + 2) % 5)));
  });
}

function permuted(lanes: readonly bigint[]): bigint[] {
  let state = [...lanes];
  for (const constant of CONSTANTS) {
    state = round(state);
    state[0] = at(state, 0) ^ constant;
  }
  return state;
}

/** Keccak-256 with the original padding, as Ethereum uses it: 32 bytes in hex, with 0x. */
export function keccak256(message: Uint8Array): string {
  const padded = new Uint8Array((Math.floor(message.length / RATE) + 1) * RATE);
  padded.set(message);
  padded[message.length] = 0x01;
  const last = padded.length - 1;
  padded[last] = (padded[last] ?? 0) | 0x80;
  const words = new DataView(padded.buffer);
  let lanes: bigint[] = Array.from({ length: LANES }, () => 0n);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let i = 0; i < RATE / 8; i++) lanes[i] = at(lanes, i) ^ words.getBigUint64(block + 8 * i, true);
    lanes = permuted(lanes);
  }
  const hash = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i++) hash.setBigUint64(8 * i, at(lanes, i), true);
  return toHex(new Uint8Array(hash.buffer));
}

/** Bytes in hex, with 0x. */
export const toHex = (bytes: Uint8Array): string =>
  `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** The bytes of a text in hex, with 0x. */
export const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Hash of a text. */
export const textHash = (text: string): string => keccak256(new TextEncoder().encode(text));
