import type { SimResponse } from '../venue.ts';

type Wire = Readonly<Record<string, unknown>>;

/** An answer of perpetuals with rows of spot before those in the list at a place: venues that answer for both in one call. */
export function withRows(
  answer: SimResponse | undefined,
  place: readonly string[],
  rows: readonly object[],
): SimResponse | undefined {
  if (answer === undefined || answer.status !== 200) return answer;
  return { ...answer, body: JSON.stringify(before(JSON.parse(answer.body), place, rows)) };
}

function before(found: unknown, place: readonly string[], rows: readonly object[]): unknown {
  const [name, ...rest] = place;
  if (name !== undefined) return { ...(found as Wire), [name]: before((found as Wire)[name], rest, rows) };
  return [...rows, ...((found as readonly object[] | undefined) ?? [])];
}
