import { asMs, type UnixMs } from '../domain/units.ts';
import { DAY_MS } from '../runtime/duration.ts';
import { atomicAmount } from './amount.ts';
import {
  type PriceChangeEntry,
  type PriceList,
  readPriceList,
  withFurtherPrices,
  withPriceChanges,
} from './price-list.ts';
import shipped from './prices.json' with { type: 'json' };

/** A rise is measured against the lowest price of this long before it. */
const RISE_WINDOW_MS = 30 * DAY_MS;

/** The price of a route at a time. */
interface Price {
  readonly usd: string;
  readonly atomic: bigint;
  /** When this price came into force. */
  readonly since: UnixMs;
}

/** The prices of all routes over time. */
export interface PriceSchedule {
  readonly changelog: readonly PriceChangeEntry[];
  /** Price in force; undefined for an unknown route. The first price also holds before its date. */
  priceAt(routeId: string, now: UnixMs): Price | undefined;
  /** The price in force and, for `graceMs` after a change, the one before it. */
  acceptedAt(routeId: string, now: UnixMs, graceMs: number): readonly bigint[];
}

export type PriceBookResult =
  | { readonly ok: true; readonly value: PriceSchedule }
  | { readonly ok: false; readonly errors: readonly string[] };

/**
 * The shipped price list with the operator's own changes. The rise rule holds over both, so a rise is measured
 * against what was shipped, too.
 *
 * @param further shipped prices that stand elsewhere, in the form of the list
 */
export function loadPriceSchedule(
  changes: readonly PriceChangeEntry[] = [],
  further: readonly unknown[] = [],
): PriceBookResult {
  const read = withFurtherPrices(readPriceList(shipped), further);
  const list = read.ok ? withPriceChanges(read.value, changes) : read;
  return list.ok ? createPriceSchedule(list.value) : list;
}

/**
 * Checks a price list and makes it askable. All changes that break the rise rule are returned at once.
 */
export function createPriceSchedule(list: PriceList): PriceBookResult {
  const timelines = timelinesOf(list.changelog);
  const errors = riseFaults(timelines);
  if (errors.length > 0) return { ok: false, errors };

  const priceAt = (routeId: string, now: UnixMs): Price | undefined =>
    timelines.get(routeId)?.findLast((price, i) => price.since <= now || i === 0);
  const acceptedAt = (routeId: string, now: UnixMs, graceMs: number): readonly bigint[] => {
    const current = priceAt(routeId, now);
    if (current === undefined) return [];
    const timeline = timelines.get(routeId) ?? [];
    const before = timeline[timeline.indexOf(current) - 1];
    if (before === undefined || now - current.since >= graceMs) return [current.atomic];
    return [current.atomic, before.atomic];
  };
  return { ok: true, value: { changelog: list.changelog, priceAt, acceptedAt } };
}

type Timelines = ReadonlyMap<string, readonly Price[]>;

function timelinesOf(changelog: readonly PriceChangeEntry[]): Timelines {
  const timelines = new Map<string, Price[]>();
  const ordered = [...changelog].sort((a, b) => Date.parse(a.effective) - Date.parse(b.effective));
  for (const entry of ordered) {
    const since = asMs(Date.parse(entry.effective));
    for (const { id, usd } of entry.changes) {
      const timeline = timelines.get(id) ?? [];
      timeline.push({ usd, atomic: atomicAmount(usd) ?? 0n, since });
      timelines.set(id, timeline);
    }
  }
  return timelines;
}

/** No price above 1.25 x the lowest one in force during the 30 days before it. */
function riseFaults(timelines: Timelines): readonly string[] {
  const errors: string[] = [];
  for (const [id, timeline] of timelines) {
    timeline.forEach((price, i) => {
      const inForce = timeline.filter((earlier, j) => {
        if (j >= i) return false;
        const until = timeline[j + 1]?.since ?? price.since;
        return until > price.since - RISE_WINDOW_MS && earlier.since <= price.since;
      });
      const lowest = inForce.reduce<bigint | undefined>(
        (low, { atomic }) => (low === undefined || atomic < low ? atomic : low),
        undefined,
      );
      if (lowest !== undefined && price.atomic * 4n > lowest * 5n) {
        errors.push(
          `prices: ${id} rises to ${price.usd} USD, more than 25 % above its lowest price of the 30 days before`,
        );
      }
    });
  }
  return errors;
}
