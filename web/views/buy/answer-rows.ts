import { decimal } from '../../text/number.ts';

/** An entry of an answer's list. */
export type Entry = Readonly<Record<string, unknown>>;

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The list of an answer: itself, or the longest that it has. */
export function rowsOf(body: unknown): readonly Entry[] {
  if (Array.isArray(body)) return body.filter(isEntry);
  if (!isEntry(body)) return [];
  const lists = Object.values(body).filter((value) => Array.isArray(value));
  return lists.sort((a, b) => b.length - a.length)[0]?.filter(isEntry) ?? [];
}

/** The fields around the list. */
export function fieldsOf(body: unknown): readonly (readonly [string, string])[] {
  if (!isEntry(body)) return [];
  return Object.entries(body)
    .filter(([, value]) => !Array.isArray(value))
    .map(([name, value]) => [name, plain(value)]);
}

/** A value of an answer as it came, to the last digit. */
export function plain(value: unknown): string {
  if (value === null || value === undefined) return 'unknown';
  if (typeof value === 'number') return decimal(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
