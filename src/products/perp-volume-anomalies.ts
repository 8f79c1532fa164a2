import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { type Failure, fail, ok, type Result } from '../domain/errors.ts';
import type { Baseline } from '../domain/series.ts';
import type { VenueId } from '../domain/venue.ts';
import type { MarketRow, MarketView, TrackedVenue } from '../market/view.ts';
import { groupBy } from '../runtime/group-by.ts';
import { oldestOf, type ProductAnswer, productAnswer } from './answer/product-answer.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  timestamp,
  venueName,
} from './answer/schema.ts';
import { statedCoverage, venueCoverage, venueCoverageFields } from './answer/venue-coverage.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-volume-anomalies.json' with { type: 'json' };
import { answersAsOf } from './history/as-of.ts';
import { fromStore, type HistoryTarget, notStored, readerOf } from './history/stored.ts';
import { tickerParameter, venueParameter } from './rows/asked.ts';
import { contractFields, contractName } from './rows/contract-name.ts';
import { tooNarrow } from './rows/enough-venues.ts';
import { scanLimit } from './rows/scan.ts';
import { collectedVenues, isUsable, namePair, notReady, selectAsset, selectVenue } from './rows/select.ts';
import { volumeTime } from './rows/value-times.ts';

const query = Type.Object({
  min_z: Type.Number({ minimum: 0, default: 3, description: 'Least absolute z-score' }),
  limit: scanLimit,
  ticker: Type.Optional(tickerParameter),
  venue: Type.Optional(venueParameter),
});

const anomaly = Type.Object({
  venue: venueName,
  ticker: tickerName,
  canonical_id: canonicalIdName,
  ...contractFields,
  volume_24h_usd: number('Rolling 24-hour volume now, US dollars'),
  baseline_median_usd: number('Median of its hourly means over 7 days'),
  baseline_mad_usd: number('Median absolute deviation of the same'),
  z_score: number('(volume - median) / (1.4826 x MAD)'),
  ratio: nullable(number('Volume over the median')),
  direction: oneOf(['spike', 'drought'], { description: 'Above or below what is usual' }),
  samples: integer('Hours of the baseline', 1),
  updated_at: timestamp('Time of the volume'),
});

const answer = Type.Object({
  min_z: number('The threshold used'),
  count: integer('Anomalies returned'),
  ...venueCoverageFields,
  baselines_count: integer('Contracts that have a baseline to be judged by', 1),
  methodology: text('How the score is made, and what it leaves out'),
  anomalies: Type.Array(anomaly),
});

type VolumeAnomalies = Static<typeof answer>;

export const perpVolumeAnomalies = answersAsOf(
  defineProduct({
    id: 'perp-volume-anomalies',
    path: '/v1/perp/volume-anomalies',
    access: 'paid',
    summary: 'Unusual volumes',
    description:
      'Contracts whose rolling 24-hour volume stands at least min_z robust deviations (median and MAD of the last 7 days, same venue and asset) from what is usual, either way, strongest first; all venues and tickers, or one of each. A 404 says that no contract asked about has a baseline yet.',
    tags: ['volume', 'anomaly', 'scan'],
    dependsOn: 'table-history',
    revisedAt: '2026-11-26T22:00:00.000Z',
    query,
    answer,
    example: { request: '/v1/perp/volume-anomalies?min_z=3&limit=2', answer: example },
    find: (asked, { market }) => findScope(market, asked),
    compute: async (looked, ports, asked) => {
      const { market } = ports;
      const rows = rowsLookedAt(market, looked);
      const listed = listingOf(market, looked);
      const narrow = whyNotLooked(looked, rows, listed);
      if (narrow !== undefined) return fail(narrow);
      const other = looked.pair === undefined ? undefined : notStored(ports, looked.pair);
      const baselines = fromStore(await readerOf(ports).baselines());
      if (!baselines.ok) return baselines;
      const found = volumeAnomalies(rows, baselines.value.list, asked, listed);
      if (found.ok) return found;
      return other === undefined ? found : fail(other);
    },
  }),
  'asset',
);

/** The scope of a request: an asset, a venue, one on the other, or all. */
interface AnomalyScope {
  readonly canonicalId?: string;
  readonly venue?: VenueId;
  /** Where both are named, what the venue calls so. */
  readonly pair?: HistoryTarget;
}

/** A name beside a venue is what that venue calls so: another asset there than elsewhere, or a contract of it. */
function findScope(
  market: MarketView,
  { ticker, venue: at }: Pick<Static<typeof query>, 'ticker' | 'venue'>,
): Result<AnomalyScope> {
  if (ticker === undefined) {
    const found = at === undefined ? undefined : selectVenue(market, at);
    return found?.ok === false ? found : ok(found === undefined ? {} : { venue: found.value.info.id });
  }
  if (at === undefined) {
    const asset = selectAsset(market, { ticker });
    return asset.ok ? ok({ canonicalId: asset.value.canonicalId }) : asset;
  }
  const named = namePair(market, { ticker, venue: at });
  if (!named.ok) return named;
  const pair = { ...named.value, venue: named.value.venue.info.id };
  return ok({ canonicalId: pair.canonicalId, venue: pair.venue, pair });
}

/** Venues that could have rows of what is looked at. */
function listingOf(market: MarketView, { canonicalId, venue }: AnomalyScope): readonly TrackedVenue[] {
  return collectedVenues(market).filter(
    ({ info }) =>
      (venue ?? info.id) === info.id && (canonicalId === undefined || market.lists(info.id, canonicalId)),
  );
}

/** 503 not_ready where nothing that is asked about is fresh, and of a scan over all venues where fewer than two of them are. */
function whyNotLooked(
  { canonicalId, venue, pair }: AnomalyScope,
  rows: readonly MarketRow[],
  listed: readonly TrackedVenue[],
): Failure | undefined {
  if (canonicalId === undefined && venue === undefined) {
    return tooNarrow(venueCoverage(listed, rows.filter(isUsable)), 'row');
  }
  // A contract of a venue that is not its most traded one has no row, and is refused later, since no volume of
  // it is kept.
  if (rows.some(({ fresh }) => fresh) || (rows.length === 0 && pair !== undefined)) return undefined;
  return notReady('No row of what is asked about is fresh', listed);
}

function rowsLookedAt(market: MarketView, { canonicalId, venue, pair }: AnomalyScope): readonly MarketRow[] {
  const rows = canonicalId === undefined ? market.rows() : market.rowsOf(canonicalId);
  const chosen = venue === undefined ? rows : rows.filter((row) => row.venue === venue);
  return pair?.symbol === undefined ? chosen : chosen.filter(({ symbol }) => symbol === pair.symbol);
}

const METHODOLOGY =
  'Rolling 24-hour volume of each fresh comparable row against the last 7 days of the same venue and contract: z = (volume - median) / (1.4826 x MAD) of the hourly means, at least 48 of them; a contract whose volume never varied has no score. Highest |z| first. Naive baseline: no account of listings, fees or the hour of the day; not a profit forecast.';

const NO_BASELINE =
  'None of the contracts asked about has a baseline yet: 48 hours of stored volume within the last 7 days; nothing is charged';

/** Scales a median absolute deviation to a standard deviation of normal data. */
const MAD_SCALE = 1.4826;

/**
 * Rows whose volume stands at least `minZ` robust deviations from what is usual for them, either way. 404 no_data where
 * no row has a baseline: nothing can be said of any.
 */
export function volumeAnomalies(
  rows: readonly MarketRow[],
  baselines: readonly Baseline[],
  { min_z: minZ, limit }: Pick<Static<typeof query>, 'min_z' | 'limit'>,
  listed: readonly TrackedVenue[],
): Result<ProductAnswer<VolumeAnomalies>> {
  const usual = byAsset(baselines);
  const found: Scored[] = [];
  const looked: MarketRow[] = [];
  for (const row of rows) {
    if (!isUsable(row)) continue;
    // Of two listings the younger one stands last.
    const baseline = usual
      .get(row.canonicalId)
      ?.findLast(({ venue, symbol }) => venue === row.venue && symbol === row.symbol);
    const volume = row.volume24hUsd;
    if (baseline === undefined) continue;
    looked.push(row);
    if (volume === undefined || !(baseline.mad > 0)) continue;
    const z = (volume - baseline.median) / (MAD_SCALE * baseline.mad);
    if (Math.abs(z) >= minZ) found.push({ row, baseline, volume, z });
  }
  if (looked.length === 0) return fail({ code: 'no_data', detail: NO_BASELINE });
  found.sort((a, b) => Math.abs(b.z) - Math.abs(a.z) || order(a.row, b.row));
  const shown = found.slice(0, limit);
  const stated = statedCoverage(venueCoverage(listed, looked));
  const body: VolumeAnomalies = {
    min_z: minZ,
    count: shown.length,
    ...stated,
    baselines_count: looked.length,
    methodology: METHODOLOGY,
    anomalies: shown.map(anomalyOf),
  };
  const unusual = found.map(({ row }) => row);
  const answer = productAnswer(body, unusual, stated.venues_not_live, volumeTime);
  return ok({ ...answer, asOf: answer.asOf ?? oldestOf(looked, volumeTime) });
}

/** Baselines change once an hour: sorting them costs more than the scan. */
const sorted = new WeakMap<readonly Baseline[], ReadonlyMap<string, readonly Baseline[]>>();

function byAsset(baselines: readonly Baseline[]): ReadonlyMap<string, readonly Baseline[]> {
  const known = sorted.get(baselines) ?? groupBy(baselines, ({ canonicalId }) => canonicalId);
  sorted.set(baselines, known);
  return known;
}

const order = (a: MarketRow, b: MarketRow): number =>
  a.canonicalId === b.canonicalId ? a.sourceId - b.sourceId : a.canonicalId < b.canonicalId ? -1 : 1;

interface Scored {
  readonly row: MarketRow;
  readonly baseline: Baseline;
  readonly volume: number;
  readonly z: number;
}

function anomalyOf({ row, baseline: { median, mad, hours }, volume, z }: Scored): Static<typeof anomaly> {
  return {
    venue: row.venue,
    ticker: row.ticker,
    canonical_id: row.canonicalId,
    ...contractName(row),
    volume_24h_usd: volume,
    baseline_median_usd: median,
    baseline_mad_usd: mad,
    z_score: z,
    ratio: median === 0 ? null : volume / median,
    direction: z > 0 ? 'spike' : 'drought',
    samples: hours,
    updated_at: iso(volumeTime(row)),
  };
}
