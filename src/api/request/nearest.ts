/** Levenshtein distance of two short words. */
function distance(a: string, b: string): number {
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

/** The known word closest to what was typed, or undefined where there is none. Case does not count. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const word = typed.slice(0, 64).toLowerCase();
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const d = distance(word, candidate.toLowerCase());
    if (d < least) [best, least] = [candidate, d];
  }
  return best;
}
