import type { SeriesBucket } from '../../domain/series.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { type HoursRead, stillHolds } from '../../history/hours-read.ts';
import { sinceListing } from '../../history/since-listing.ts';
import type { MarketRow } from '../../market/view.ts';
import type { Ports } from '../../products/define-product.ts';
import { DAY_MS, HOUR_MS, HOURS_A_DAY } from '../../runtime/duration.ts';
import type { SpotMarket } from '../spot/spot-rows.ts';
import { SPOT_PAST } from '../spot-history/port.ts';
import { PERP_PARTS, type PerpHour, perpHour } from '../spot-history/prices/aligned-prices.ts';
import { GAP_DAYS, hourGaps, usualGaps } from '../spot-history/prices/usual-gap.ts';
import type { SpotHour } from '../spot-history/store/spot-hour.ts';
import type { PastGap, UsualOfWay } from './shown-gap.ts';

export type PastGapOf = (spot: SpotMarket, perp: MarketRow) => PastGap;

const BPS = 10_000;
/** Assets whose gaps are kept. */
const MAX_ASSETS = 200;

type Reader = NonNullable<Ports['history']>['reader'];

/** Gaps of one pair until the end of a whole hour. */
interface Kept extends HoursRead {
  readonly usual: UsualOfWay;
}

/** Gaps of pairs by asset; what is kept goes with the store's reader. */
const kept = new WeakMap<Reader, Map<string, Map<string, Kept>>>();

const keyOf = (spot: SpotMarket, perp: MarketRow): string =>
  [spot.venue, spot.symbol, perp.venue, perp.symbol].join('\t');

/**
 * Reads the usual gaps of all pairs of an asset's spot markets and perpetuals out of stored hours, each hour
 * once where it has no holes. Where nothing is stored, or the store does not answer, the reason is found in their place.
 */
export async function readPastGaps(
  canonicalId: string,
  spots: readonly SpotMarket[],
  perps: readonly MarketRow[],
  now: UnixMs,
  { readPort, history }: Pick<Ports, 'readPort' | 'history'>,
): Promise<PastGapOf> {
  const past = readPort(SPOT_PAST);
  if (past === undefined || history === undefined) return () => ({ why: 'not_stored_then' });
  const { reader } = history;
  const to = asMs(Math.floor(now / HOUR_MS) * HOUR_MS);
  const from = asMs(to - Math.max(...GAP_DAYS) * DAY_MS);
  const known = keptOf(reader, canonicalId);
  const isKnown = spots.every((spot) =>
    perps.every((perp) => stillHolds(known.get(keyOf(spot, perp)), to, now)),
  );
  if (!isKnown) {
    const venues = [...new Set(perps.map(({ venue }) => venue))];
    const scope = { canonicalId, from, to, venues };
    const read = await reader.buckets(scope, PERP_PARTS, HOUR_MS);
    if (!read.ok) return () => ({ why: 'unknown' });
    const ofPerps = perps.map((perp) => ({ perp, hours: hoursOf(sinceListing(read.value, perp)) }));
    for (const spot of spots) {
      const { venue, symbol } = spot;
      const markets = past.pastOf(venue, canonicalId, from, to);
      const own = markets.find((market) => market.symbol === symbol)?.hours ?? new Map<number, SpotHour>();
      for (const { perp, hours } of ofPerps)
        known.set(keyOf(spot, perp), keptGaps(usualOf(own, hours, to), to, now));
    }
  }
  return (spot, perp) => {
    const held = known.get(keyOf(spot, perp));
    return held === undefined ? { why: 'not_stored_then' } : { usual: held.usual };
  };
}

function keptGaps(usual: UsualOfWay, to: UnixMs, at: UnixMs): Kept {
  const isWhole = usual.long_spot.every(({ days, hours, apart }) => hours + apart === days * HOURS_A_DAY);
  return { to, at, isWhole, usual };
}

/** The gaps that are kept of an asset; at first none. */
function keptOf(reader: Reader, canonicalId: string): Map<string, Kept> {
  const assets = kept.get(reader) ?? new Map<string, Map<string, Kept>>();
  kept.set(reader, assets);
  const ofPair = assets.get(canonicalId) ?? new Map<string, Kept>();
  assets.delete(canonicalId);
  assets.set(canonicalId, ofPair);
  for (const id of assets.keys()) {
    if (assets.size <= MAX_ASSETS) break;
    assets.delete(id);
  }
  return ofPair;
}

const hoursOf = (buckets: readonly SeriesBucket[]): ReadonlyMap<number, PerpHour> =>
  new Map(buckets.map((bucket) => [bucket.start, perpHour(bucket)]));

/** Usual gaps of both directions until a moment. */
export function usualOf(
  spot: ReadonlyMap<number, SpotHour>,
  perp: ReadonlyMap<number, PerpHour>,
  until: UnixMs,
): UsualOfWay {
  const { known, apart } = hourGaps(spot, perp);
  const turned = new Map([...known].map(([start, bps]) => [start, (1 / (1 + bps / BPS) - 1) * BPS]));
  return {
    long_spot: usualGaps({ known, apart }, until),
    short_spot: usualGaps({ known: turned, apart }, until),
  };
}
