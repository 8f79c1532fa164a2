import { createHash } from 'node:crypto';
import { isWire } from './read.ts';

/**
 * A JSON value as RFC 8785 (JCS) has it: no space, members sorted by UTF-16 code units, numbers as ECMAScript
 * writes them.
 *
 * @throws RangeError for what has no such form: a number that is not finite, half a surrogate pair, no JSON
 *   value; and for a member `__proto__`
 */
export function canonicalJson(value: unknown): string {
  const names = new Set<string>();
  collectNames(value, names);
  // A list of names makes ECMAScript write the members of every object in its order, twice as fast as by hand.
  // Members that an object lacks are left out, but for this name, which each of them inherits.
  if (names.has('__proto__')) throw new RangeError('a member __proto__');
  const text = names.size <= MANY_NAMES ? JSON.stringify(value, [...names].sort()) : written(value);
  if (text.includes('\\ud') && HALF_A_PAIR.test(text))
    throw new RangeError('text with half a surrogate pair');
  return text;
}

/** Each object is asked for all names of the value: with more of them, as schemas have, that is slower than by hand. */
const MANY_NAMES = 100;

function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (!isWire(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${written(value[name])}`).join(',')}}`;
}

/** ECMAScript writes half a surrogate pair as an escape, which begins with an odd backslash. */
const HALF_A_PAIR = /(?:^|[^\\])(?:\\\\)*\\ud[89a-f]/;

function collectNames(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) {
    for (const one of value) collectNames(one, names);
  } else if (isWire(value)) {
    for (const name of Object.keys(value)) {
      names.add(name);
      collectNames(value[name], names);
    }
  } else if (!isScalar(value)) throw new RangeError(`${String(value)} is not a JSON value`);
}

const isScalar = (value: unknown): boolean =>
  value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);

/** SHA-256 as base64url. */
export const sha256 = (bytes: string | Buffer): string =>
  createHash('sha256').update(bytes).digest('base64url');

/**
 * Digest of the canonical form of a JSON text; undefined where it is not JSON or has no such form. A name that
 * comes twice in one object is refused: readers differ in which one they take, so that the digest would not say
 * what is meant.
 */
export function canonicalDigest(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return membersSpelled(text) === membersIn(value) ? sha256(canonicalJson(value)) : undefined;
  } catch {
    return undefined;
  }
}

const STRINGS = /"(?:[^"\\]|\\.)*"/g;

/** Each member has one colon outside of texts. */
const membersSpelled = (text: string): number => text.replace(STRINGS, '').split(':').length - 1;

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, member) => sum + membersIn(member), own);
}
