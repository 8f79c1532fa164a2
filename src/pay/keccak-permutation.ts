/** The permutation, and the memory it works on. */
export interface Permutation {
  /** 25 lanes of 64 bits, little-endian, as the standard numbers them. */
  readonly state: Buffer;
  /** keccak-f[1600] over the state. */
  readonly permute: () => void;
}

/** What is used of the engine's WebAssembly, which the types of Node leave out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
};

const LANES = 25;
const ROUNDS = 24;
const CONSTANTS_AT = 8 * LANES;

/**
 * keccak-f[1600] (FIPS 202, section 3) as WebAssembly, written out when it is loaded: JavaScript has no 64-bit words but
 * BigInt, and pairs of 32-bit words take four times as long; a payment is hashed several times before it is believed.
 */
export function permutation(): Permutation {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()));
  const { memory, permute } = exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof permute !== 'function')
    throw new Error('no permutation');
  const bytes = Buffer.from(memory.buffer);
  roundConstants().forEach((constant, round) => {
    bytes.writeBigUInt64LE(constant, CONSTANTS_AT + 8 * round);
  });
  return { state: bytes.subarray(0, 8 * LANES), permute: permute as () => void };
}

/** Local variables: the lanes, the lanes after pi, the column parities, one more word, and the round's place. */
const A = 0;
const B = A + LANES;
const C = B + LANES;
const T = C + 5;
const AT = T + 1;

const get = (local: number): readonly number[] => [0x20, local];
const set = (local: number): readonly number[] => [0x21, local];
const XOR = 0x85;
const AND = 0x83;
const NOT = [0x42, 0x7f, XOR];
const rotate = (bits: number): readonly number[] => [0x42, ...signed(bits), 0x89];
const load = (offset: number): readonly number[] => [0x29, 3, ...unsigned(offset)];
const store = (offset: number): readonly number[] => [0x37, 3, ...unsigned(offset)];
const number32 = (value: number): readonly number[] => [0x41, ...signed(value)];
const lanes = Array.from({ length: LANES }, (_, lane) => lane);
const columns = [0, 1, 2, 3, 4];

function body(): readonly number[] {
  const round = [...theta(), ...rhoAndPi(), ...chi(), ...iota()];
  const next = [...get(AT), ...number32(8), 0x6a, 0x22, AT, ...number32(8 * ROUNDS), 0x49, 0x0d, 0];
  return [
    ...lanes.flatMap((lane) => [...number32(0), ...load(8 * lane), ...set(A + lane)]),
    ...[0x03, 0x40, ...round, ...next, 0x0b],
    ...lanes.flatMap((lane) => [...number32(0), ...get(A + lane), ...store(8 * lane)]),
  ];
}

/** Each lane with the parities of the two neighbouring columns. */
function theta(): readonly number[] {
  const parity = (x: number): readonly number[] => [
    ...get(A + x),
    ...[5, 10, 15, 20].flatMap((row) => [...get(A + x + row), XOR]),
    ...set(C + x),
  ];
  const mixed = (x: number): readonly number[] => [
    ...[...get(C + ((x + 4) % 5)), ...get(C + ((x + 1) % 5)), ...rotate(1), XOR, ...set(T)],
    ...[0, 5, 10, 15, 20].flatMap((row) => [...get(A + x + row), ...get(T), XOR, ...set(A + x + row)]),
  ];
  return [...columns.flatMap(parity), ...columns.flatMap(mixed)];
}

/** Every lane turned by its own offset and moved from (x, y) to (y, 2x + 3y). */
function rhoAndPi(): readonly number[] {
  const turns = rotations();
  return lanes.flatMap((lane) => {
    const [x, y] = [lane % 5, Math.floor(lane / 5)];
    return [...get(A + lane), ...rotate(turns[lane] ?? 0), ...set(B + y + 5 * ((2 * x + 3 * y) % 5))];
  });
}

function chi(): readonly number[] {
  return lanes.flatMap((lane) => {
    const [row, x] = [lane - (lane % 5), lane % 5];
    const [next, afterNext] = [B + row + ((x + 1) % 5), B + row + ((x + 2) % 5)];
    return [...get(B + lane), ...get(next), ...NOT, ...get(afterNext), AND, XOR, ...set(A + lane)];
  });
}

const iota = (): readonly number[] => [...get(A), ...get(AT), ...load(CONSTANTS_AT), XOR, ...set(A)];

/** Offsets of rho by lane (section 3.2.2): the triangular numbers along the walk of pi. */
function rotations(): readonly number[] {
  const turns = new Array<number>(LANES).fill(0);
  let [x, y] = [1, 0];
  for (let t = 0; t < 24; t++) {
    turns[x + 5 * y] = (((t + 1) * (t + 2)) / 2) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return turns;
}

/** Constants of iota from the LFSR x^8 + x^6 + x^5 + x^4 + 1 (section 3.2.5). */
function roundConstants(): readonly bigint[] {
  let lfsr = 1;
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let j = 0; j <= 6; j++) {
      if ((lfsr & 1) === 1) constant ^= 1n << BigInt(2 ** j - 1);
      lfsr = (lfsr << 1) ^ ((lfsr & 0x80) === 0 ? 0 : 0x171);
    }
    return constant;
  });
}

/** A module of one function without parameters and one page of memory, both exported. */
function moduleBytes(): Uint8Array<ArrayBuffer> {
  const locals = [2, ...[AT, 0x7e], ...[1, 0x7f]];
  const code = [...locals, ...body(), 0x0b];
  const name = (text: string): readonly number[] => [text.length, ...Buffer.from(text, 'ascii')];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 0, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('permute'), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ]);
}

const section = (id: number, content: readonly number[]): readonly number[] => [
  id,
  ...unsigned(content.length),
  ...content,
];

/** LEB128. */
function unsigned(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** Signed LEB128 of a number that is not negative. */
function signed(value: number): readonly number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
