import type { HistoricalValue, KnownRange, Listing } from '../domain/series.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import { type Era, partOf } from '../market/registry/renames.ts';
import { type StoreResult, stored } from './store.ts';

export interface Window {
  readonly from: UnixMs;
  readonly to: UnixMs;
}

/** Something that is stored under the name of an era, in the present unit. */
export interface OfEra<Item> {
  readonly value: Item;
  readonly era: Era;
}

/** The bounds of an era, as far as it has any. */
export const boundsOf = ({ from, to }: Era): Partial<Window> => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

/** Asks for the part of a window that lies in each era, under the id of then; values in the present unit. */
export async function everyEra<Asked extends Window & { readonly canonicalId: string }, Item>(
  eras: readonly Era[],
  scope: Asked,
  read: (part: Asked) => Promise<StoreResult<readonly Item[]>>,
  present: (factor: number, item: Item) => Item,
): Promise<StoreResult<readonly OfEra<Item>[]>> {
  const found = await Promise.all(
    eras.flatMap((era) => {
      const part = partOf(era, scope);
      if (part === undefined) return [];
      const asked = { ...scope, ...part, canonicalId: era.canonicalId };
      return [read(asked).then((result) => ({ era, result }))];
    }),
  );
  const list: OfEra<Item>[] = [];
  for (const { era, result } of found) {
    if (!result.ok) return result;
    for (const item of result.value) list.push({ era, value: present(era.factor, item) });
  }
  return stored(list);
}

/**
 * Where a venue lists contracts of both units side by side, the present one stands. In one unit both contracts are the asset:
 * `formerId` marks what was stored under a former id for the one place that chooses between them.
 */
export function withoutOlderUnits<Bucket extends Listing & { readonly start: number }>(
  canonicalId: string,
  list: readonly OfEra<Bucket>[],
): readonly Bucket[] {
  const keyOf = ({ venue, start }: Bucket): string => `${venue}\t${start}`;
  const listingOf = (value: Bucket): string => `${keyOf(value)}\t${value.symbol}\t${value.listedAt}`;
  const present = list.filter(({ era }) => era.factor === 1).map(({ value }) => value);
  const buckets = new Set(present.map(keyOf));
  const listings = new Set(present.map(listingOf));
  const isBesides = (value: Bucket): boolean => buckets.has(keyOf(value)) && !listings.has(listingOf(value));
  return list
    .filter(({ era, value }) => era.factor === 1 || !isBesides(value))
    .map(({ era, value }) =>
      era.canonicalId === canonicalId ? value : { ...value, formerId: era.canonicalId },
    );
}

/**
 * The values of all eras by their distance from a time. Of a listing that went on under a new name both parts have a nearest
 * value of each origin; the nearer one stands.
 */
export function nearestOf(
  canonicalId: string,
  found: readonly OfEra<HistoricalValue>[],
  at: UnixMs,
): readonly HistoricalValue[] {
  const values = found.map(({ era, value }) =>
    era.canonicalId === canonicalId ? value : { ...value, formerId: era.canonicalId },
  );
  const nearest = new Map<string, HistoricalValue>();
  for (const value of values.sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))) {
    const key = `${value.venue}\t${value.symbol}\t${value.listedAt}\t${value.origin}`;
    if (!nearest.has(key)) nearest.set(key, value);
  }
  return [...nearest.values()];
}

/** Something under the present id, which says where it was stored under another. */
export const markedFormer = <Item extends Listing>(
  item: Item,
  canonicalId: string,
  storedId: string,
): Item => (storedId === canonicalId ? item : { ...item, canonicalId, formerId: storedId });

/** The same of what names no asset. */
export const markedListing = <Item extends Listing>(item: Item, era: Era, canonicalId: string): Item =>
  era.canonicalId === canonicalId ? item : { ...item, formerId: era.canonicalId };

/** The minutes that lie in an era. */
export const minutesIn = (era: Era, minutes: readonly UnixMs[]): readonly UnixMs[] =>
  minutes.filter((at) => partOf(era, { from: at, to: asMs(at + 1) }) !== undefined);

/** The span over two that may be unknown. */
export const widest = (a: KnownRange | undefined, b: KnownRange | undefined): KnownRange | undefined =>
  a === undefined || b === undefined
    ? (a ?? b)
    : { from: asMs(Math.min(a.from, b.from)), to: asMs(Math.max(a.to, b.to)) };
