import { fromHex, keccak256 } from './keccak.ts';

/** The curve of Ethereum's signatures (SEC 2, section 2.4.1), for checking alone: nothing here has to be secret. */
const P = 2n ** 256n - 2n ** 32n - 977n;
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const G: Point = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
};

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

const mod = (value: bigint, by = P): bigint => ((value % by) + by) % by;

function inverse(value: bigint, by: bigint): bigint {
  let a = mod(value, by);
  let b = by;
  let u = 1n;
  let v = 0n;
  while (a > 1n) {
    const quotient = b / a;
    const restOfB = b - quotient * a;
    const nextV = v - quotient * u;
    b = a;
    a = restOfB;
    v = u;
    u = nextV;
  }
  return mod(u, by);
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let bit = exponent, square = base; bit > 0n; bit >>= 1n, square = mod(square * square)) {
    if (bit & 1n) result = mod(result * square);
  }
  return result;
}

/** Sum of two points; undefined is the point at infinity. */
function sum(a: Point | undefined, b: Point | undefined): Point | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.x === b.x && mod(a.y + b.y) === 0n) return undefined;
  const isSame = a.x === b.x;
  const slope = isSame
    ? mod(3n * a.x * a.x * inverse(2n * a.y, P))
    : mod((b.y - a.y) * inverse(b.x - a.x, P));
  const x = mod(slope * slope - a.x - b.x);
  return { x, y: mod(slope * (a.x - x) - a.y) };
}

function times(point: Point, factor: bigint): Point | undefined {
  let result: Point | undefined;
  let doubled: Point | undefined = point;
  for (let bit = factor; bit > 0n; bit >>= 1n, doubled = sum(doubled, doubled)) {
    if (bit & 1n) result = sum(result, doubled);
  }
  return result;
}

/**
 * Address in lower case of the plain key that signed a digest (SEC 1, section 4.1.6); undefined where the signature has
 * another form, or is of none.
 *
 * @param digest 32 bytes in hex
 * @param signature 65 bytes in hex: r, s, and 27 or 28, or 0 or 1
 */
export function signerOf(digest: string, signature: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined;
  const r = BigInt(signature.slice(0, 66));
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  const parity = BigInt(`0x${signature.slice(130)}`) % 27n;
  if (r === 0n || r >= N || s === 0n || s >= N || parity > 1n) return undefined;
  const square = mod(r ** 3n + 7n);
  const root = power(square, (P + 1n) / 4n);
  if (mod(root * root) !== square) return undefined;
  const point = { x: r, y: root % 2n === parity ? root : P - root };
  const byR = inverse(r, N);
  const key = sum(times(point, mod(s * byR, N)), times(G, mod(-BigInt(digest) * byR, N)));
  if (key === undefined) return undefined;
  const bytes = `0x${[key.x, key.y].map((value) => value.toString(16).padStart(64, '0')).join('')}`;
  return `0x${keccak256(fromHex(bytes)).slice(-40)}`;
}
