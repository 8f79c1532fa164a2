import { isWire } from '../../domain/read.ts';

/** A list of which the end is left out. */
export interface CutList {
  /** Path of the list in the data: `buckets`, `legs[0].levels`. */
  readonly list: string;
  readonly shown: number;
  readonly of: number;
}

interface Fitted {
  readonly data: unknown;
  /** The data as JSON. */
  readonly text: string;
  readonly cut: readonly CutList[];
}

interface FoundList {
  readonly path: string;
  readonly items: unknown[];
  readonly length: number;
}

/** Lists that may be shortened: those within a list only where it has no more than one item left. */
function* listsIn(value: unknown, path: string): Generator<FoundList> {
  if (Array.isArray(value)) {
    if (value.length > 1) yield { path, items: value, length: JSON.stringify(value).length };
    else if (value.length === 1) yield* listsIn(value[0], `${path}[0]`);
  } else if (isWire(value)) {
    for (const [name, inner] of Object.entries(value))
      yield* listsIn(inner, path === '' ? name : `${path}.${name}`);
  }
}

/** Shortens a list in its place, to no fewer than one item, by at least so many characters where it has them. */
function shorten({ items, length }: FoundList, excess: number): void {
  let kept = 0;
  let size = 2;
  const room = length - excess;
  for (const item of items) {
    size += JSON.stringify(item).length + 1;
    if (size > room && kept > 0) break;
    kept += 1;
  }
  items.length = kept === items.length ? kept - 1 : kept;
}

/**
 * Data within a number of characters: the longest lists lose their ends, and all else stays. An answer without lists may
 * stay longer.
 *
 * @param text JSON
 */
export function fitData(text: string, most: number): Fitted {
  const data: unknown = JSON.parse(text);
  if (text.length <= most) return { data, text, cut: [] };
  const whole = new Map<string, number>();
  const shown = new Map<string, number>();
  let shortened = text;
  while (shortened.length > most) {
    const lists = [...listsIn(data, '')].sort((a, b) => b.length - a.length);
    const [longest] = lists;
    if (longest === undefined) break;
    const { path, items } = longest;
    if (!whole.has(path)) whole.set(path, items.length);
    shorten(longest, shortened.length - most);
    shown.set(path, items.length);
    shortened = JSON.stringify(data);
  }
  const cut = [...whole].map(([list, of]) => ({ list: list || 'data', shown: shown.get(list) ?? of, of }));
  return { data, text: shortened, cut };
}
