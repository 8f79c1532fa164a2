/** A text may end early with a sentence or a clause before a colon, else with a phrase. */
const ENDS = [/[:;.]\s/g, /,\s|\s\(/g] as const;

/**
 * A description in at most so many characters: its beginning up to the end of a sentence or phrase, or of a word where there
 * is none beyond its first third, which an ellipsis marks.
 */
export function shortText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = ENDS.map((pattern) => lastEnd(text, pattern, length)).find((end) => end >= length / 3);
  if (last !== undefined) return text.slice(0, last);
  const word = text.slice(0, length).lastIndexOf(' ');
  return `${text.slice(0, word > 0 ? word : length - 1)}…`;
}

/** The last place, up to the given one, at which the pattern begins; -1 if there is none. */
function lastEnd(text: string, pattern: RegExp, place: number): number {
  const ends = [...text.slice(0, place + 2).matchAll(pattern)].map(({ index }) => index);
  return ends.findLast((end) => end <= place) ?? -1;
}
