import { asMs, type UnixMs } from '../../domain/units.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import { registryData } from './registry-data.ts';
import type { Rename } from './rename.ts';

/** A span in which an id stood for an asset. */
export interface Era {
  readonly canonicalId: string;
  /** Included; undefined = no bound. Bounds are midnights, UTC. */
  readonly from: UnixMs | undefined;
  /** Not included. */
  readonly to: UnixMs | undefined;
  /** Present units in one unit of then: a price of then is divided by it, an amount multiplied. */
  readonly factor: number;
}

/** The present name of an asset. */
export interface PresentName {
  readonly canonicalId: string;
  readonly ticker: string;
}

/** The read side of the renames. */
export interface Renames {
  readonly list: readonly Rename[];
  /** The asset that an id of a given moment is under its present name and in the same unit; undefined = the id itself. */
  presentOf(canonicalId: string, at?: UnixMs): PresentName | undefined;
  /** The name or id in upper case that an old one, or one that is announced, leads to. */
  leadOf(name: string): string | undefined;
  /** The renames that led from a name in upper case to an asset's present name, oldest first. */
  wayOf(name: string, canonicalId: string): readonly Rename[];
  /** All spans that are an asset's past, its own last. */
  erasOf(canonicalId: string): readonly Era[];
}

export const tickerOf = (canonicalId: string): string => canonicalId.slice(canonicalId.indexOf(':') + 1);
const midnight = (day: string): UnixMs => asMs(Date.parse(`${day}T00:00:00Z`));

/** True if both names are one asset in one unit, at any time. */
export const isSameAsset = ({ factor, history, state, from, to }: Rename): boolean =>
  factor === 1 && history === 'joined' && state === 'done' && from !== to;

/** True if the past of the old name is a part of the past of the new one. */
const isJoined = ({ history, state }: Rename): boolean => history === 'joined' && state === 'done';

/** Builds the lookups over a list of renames, which must have no circle. */
export function createRenames(list: readonly Rename[] = registryData().renames): Renames {
  const byOld = new Map(list.filter(({ from, to }) => from !== to).map((rename) => [rename.from, rename]));
  const leads = leadsOf(list);
  return {
    list,
    presentOf: (canonicalId, at) => presentOf(byOld, canonicalId, at),
    leadOf: (name) => leads.get(name),
    wayOf: (name, canonicalId) => wayOf(list, name, canonicalId),
    erasOf: erasBy(list),
  };
}

/** The spans of each id, found when they are first asked for. */
function erasBy(list: readonly Rename[]): Renames['erasOf'] {
  const renamed = new Set(list.flatMap(({ from, to }) => [from, to]));
  const eras = new Map<string, readonly Era[]>();
  return (canonicalId) => {
    if (!renamed.has(canonicalId)) return [always(canonicalId)];
    const found = eras.get(canonicalId) ?? erasOf(list, canonicalId);
    eras.set(canonicalId, found);
    return found;
  };
}

function presentOf(
  byOld: ReadonlyMap<string, Rename>,
  canonicalId: string,
  at: UnixMs | undefined,
): PresentName | undefined {
  let present = canonicalId;
  for (let rename = byOld.get(present); rename !== undefined; rename = byOld.get(present)) {
    const { reusedFrom } = rename;
    const isReused = reusedFrom !== undefined && (at === undefined || at >= midnight(reusedFrom));
    if (!isSameAsset(rename) || isReused) break;
    present = rename.to;
  }
  return present === canonicalId ? undefined : { canonicalId: present, ticker: tickerOf(present) };
}

/** Names and ids in upper case by what they lead to. A name that another asset uses now leads nowhere. */
function leadsOf(list: readonly Rename[]): ReadonlyMap<string, string> {
  const leads = new Map<string, string>();
  for (const { from, to, state, factor, reusedFrom } of list) {
    if (from === to || reusedFrom !== undefined || (state === 'announced' && factor !== 1)) continue;
    const [old, current] = state === 'announced' ? [to, from] : [from, to];
    leads.set(old.toUpperCase(), current.toUpperCase());
    leads.set(tickerOf(old), tickerOf(current));
  }
  return leads;
}

function wayOf(list: readonly Rename[], name: string, canonicalId: string): readonly Rename[] {
  const isNamed = (id: string): boolean => tickerOf(id) === name || id.toUpperCase() === name;
  for (const rename of list) {
    const { from, to, state } = rename;
    if (from === to) continue;
    if (state === 'announced') {
      if (isNamed(to) && from === canonicalId) return [rename];
      continue;
    }
    if (!isNamed(from)) continue;
    if (to === canonicalId) return [rename];
    const rest = wayOf(list, to.toUpperCase(), canonicalId);
    if (rest.length > 0) return [rename, ...rest];
  }
  return [];
}

const always = (canonicalId: string): Era => ({ canonicalId, from: undefined, to: undefined, factor: 1 });

const later = (a: UnixMs | undefined, b: UnixMs | undefined): UnixMs | undefined =>
  a === undefined || b === undefined ? (a ?? b) : asMs(Math.max(a, b));
const earlier = (a: UnixMs | undefined, b: UnixMs | undefined): UnixMs | undefined =>
  a === undefined || b === undefined ? (a ?? b) : asMs(Math.min(a, b));

function erasOf(list: readonly Rename[], canonicalId: string): readonly Era[] {
  const before = list.filter((rename) => rename.to === canonicalId && isJoined(rename));
  const former = before.flatMap((rename) => formerEras(list, rename));
  return [...former, ownEra(list, canonicalId)];
}

/** The span in which an id stands for the asset that goes by it now, in its unit of now. */
function ownEra(list: readonly Rename[], canonicalId: string): Era {
  const begins = list.flatMap(({ from, to, day, takenFrom, reusedFrom }) => {
    if (from === canonicalId && to === canonicalId) return [midnight(day)];
    const bound = to === canonicalId ? takenFrom : from === canonicalId ? reusedFrom : undefined;
    return bound === undefined ? [] : [midnight(bound)];
  });
  const from = begins.length === 0 ? undefined : asMs(Math.max(...begins));
  return { canonicalId, from, to: undefined, factor: 1 };
}

/**
 * The eras that an old name brings into the past of the new one. In one unit both are the asset at any time,
 * since venues change a name on different days; another unit counts up to the end of its last day.
 */
function formerEras(list: readonly Rename[], { from, to, day, factor, reusedFrom }: Rename): readonly Era[] {
  const reused = reusedFrom === undefined ? undefined : midnight(reusedFrom);
  if (from === to) return [{ canonicalId: from, from: undefined, to: midnight(day), factor }];
  const ended = factor === 1 ? undefined : asMs(midnight(day) + DAY_MS);
  const end = earlier(reused, ended);
  const own = reusedFrom === undefined ? ownEra(list, from) : undefined;
  const past = erasOf(list, from).slice(0, -1);
  const last = own ?? always(from);
  return [...past, last].map((era) => ({
    ...era,
    to: earlier(era.to, end),
    factor: era.factor * factor,
  }));
}

/** The part of a span that lies in an era; undefined where none does. */
export function partOf(
  { from, to }: Pick<Era, 'from' | 'to'>,
  span: { readonly from: UnixMs; readonly to: UnixMs },
): { readonly from: UnixMs; readonly to: UnixMs } | undefined {
  const begin = later(from, span.from) ?? span.from;
  const end = earlier(to, span.to) ?? span.to;
  return begin < end ? { from: begin, to: end } : undefined;
}
