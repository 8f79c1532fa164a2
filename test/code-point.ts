import fc from 'fast-check';

/** Halves of pairs are no characters. */
const HALVES = { from: 0xd800, count: 0x800 };
/** Small numbers are drawn more often: the 95 characters of ASCII that can be seen come first. */
const SEEN = { from: 0x20, count: 95 };

function toCharacter(n: number): string {
  if (n < SEEN.count) return String.fromCodePoint(n + SEEN.from);
  if (n < SEEN.count + SEEN.from) return String.fromCodePoint(n - SEEN.count);
  return String.fromCodePoint(n < HALVES.from ? n : n + HALVES.count);
}

/** Throws for what `codePoint` cannot have drawn, as fast-check expects it. */
function toNumber(character: unknown): number {
  const point = typeof character === 'string' ? (character.codePointAt(0) ?? -1) : -1;
  const n = numberOf(point);
  if (point < 0 || toCharacter(n) !== character) throw new Error('not one code point');
  return n;
}

function numberOf(point: number): number {
  if (point < SEEN.from) return point + SEEN.count;
  if (point < SEEN.from + SEEN.count) return point - SEEN.from;
  return point < HALVES.from ? point : point - HALVES.count;
}

/**
 * Any character, as a unit of `fc.string`. The unit `binary` of fast-check draws the same, and keeps a table of all million
 * characters, 145 MB of a process that the next tests share.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - HALVES.count })
  .map(toCharacter, toNumber);
