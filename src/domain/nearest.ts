import { lowerAscii } from './ascii-case.ts';

/** Levenshtein distance of two short words. */
export function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substituted, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** Longer words are compared by their beginning. */
const MAX_LENGTH = 64;
/** Shorter words begin too many others to mean them. */
const MIN_PREFIX_LENGTH = 3;
/** A known word that what was typed begins with is nearer than any misspelling. */
const BEGINS = 0.5;

function remoteness(word: string, known: string): number {
  const begins = known.length >= MIN_PREFIX_LENGTH && word.startsWith(known) && word !== known;
  return begins ? BEGINS : distance(word, known);
}

/**
 * Known words by their distance in letters from what was typed, the nearest first, of equal ones the first known.
 * Case of ASCII letters does not count.
 *
 * @param most how many at most
 * @param within largest distance, in letters
 */
export function nearestWords(
  typed: string,
  known: readonly string[],
  most: number,
  within = Number.POSITIVE_INFINITY,
): readonly string[] {
  const word = lowerAscii(typed.slice(0, MAX_LENGTH));
  return known
    .map((candidate) => ({ candidate, far: remoteness(word, lowerAscii(candidate)) }))
    .filter(({ far }) => far <= within)
    .sort(
      (a, b) =>
        a.far - b.far || b.candidate.length * Number(a.far < 1) - a.candidate.length * Number(b.far < 1),
    )
    .slice(0, most)
    .map(({ candidate }) => candidate);
}
