import type { SettledSpans } from '../domain/series.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import { partOf, type Renames } from '../market/registry/renames.ts';
import type { MarketRow } from '../market/view.ts';
import type { Window } from './era-values.ts';

/** True where an id only changed its unit, and was the same asset before. */
const isUnitAlone = ({ list }: Renames, canonicalId: string): boolean =>
  list.some(({ from, to }) => from === canonicalId && to === canonicalId);

/**
 * Rows of a moment under present names, one of an asset on a venue. Rows that have another asset's id now are left out.
 */
export function presentRows(renames: Renames, rows: readonly MarketRow[], at: UnixMs): readonly MarketRow[] {
  const moment = { from: at, to: asMs(at + 1) };
  const chosen = new Map<string, MarketRow>();
  for (const row of rows) {
    const present = renames.presentOf(row.canonicalId, at);
    const own = renames.erasOf(row.canonicalId).at(-1);
    if (present === undefined && own?.canonicalId === row.canonicalId) {
      const isAnother = partOf({ from: own.from, to: undefined }, moment) === undefined;
      if (isAnother && !isUnitAlone(renames, row.canonicalId)) continue;
    }
    const named = present === undefined ? row : { ...row, ...present };
    const key = `${named.canonicalId}\t${named.venue}`;
    const held = chosen.get(key);
    if (held === undefined || (named.volume24hUsd ?? 0) > (held.volume24hUsd ?? 0)) chosen.set(key, named);
  }
  return [...chosen.values()];
}

type Contract = Pick<SettledSpans, 'canonicalId' | 'formerId' | 'venue' | 'symbol'>;

/** A contract of an asset in one text. */
export const contractIn = ({ canonicalId, venue, symbol }: Contract): string =>
  `${canonicalId}\t${venue}\t${symbol}`;

/** Items of contracts under the present names of their assets; of a contract that has both, the one of the present name. */
export function presentList<Item extends Contract>(renames: Renames, list: readonly Item[]): readonly Item[] {
  const isOld = ({ canonicalId }: Item): boolean => renames.presentOf(canonicalId) !== undefined;
  if (!list.some(isOld)) return list;
  const names = new Map(
    list.filter((item) => !isOld(item)).map((item) => [contractIn(item), item.canonicalId]),
  );
  return list.flatMap((item) => {
    const present = renames.presentOf(item.canonicalId);
    if (present === undefined) return [item];
    const named = { ...item, canonicalId: present.canonicalId, formerId: item.canonicalId };
    const key = contractIn(named);
    const name = names.get(key) ?? item.canonicalId;
    names.set(key, name);
    return name === item.canonicalId ? [named] : [];
  });
}

/** Assets that had other names in a window, by their present ids, with these names. */
export function formerNamesWithin(
  renames: Renames,
  window: Window,
): readonly { readonly canonicalId: string; readonly ids: readonly string[] }[] {
  const present = [...new Set(renames.list.map(({ to }) => to))].filter(
    (id) => renames.presentOf(id) === undefined,
  );
  return present.flatMap((canonicalId) => {
    const former = renames.erasOf(canonicalId).slice(0, -1);
    const ids = former.filter((era) => partOf(era, window) !== undefined).map((era) => era.canonicalId);
    return ids.length === 0 ? [] : [{ canonicalId, ids }];
  });
}
