import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import type { Baseline } from '../domain/series.ts';
import type { MarketRow } from '../market/view.ts';
import { groupBy } from './group-by.ts';
import { type ProductAnswer, productAnswer } from './product-answer.ts';

export interface VolumeAnomalies {
  readonly min_z: number;
  readonly count: number;
  /** Contracts that have a baseline to be judged by, of those that are fresh and comparable. */
  readonly baselines_count: number;
  readonly methodology: string;
  readonly anomalies: readonly VolumeAnomaly[];
}

/** Volumes in US dollars over 24 hours. */
export interface VolumeAnomaly {
  readonly venue: string;
  readonly ticker: string;
  readonly canonical_id: string;
  readonly volume_24h_usd: number;
  readonly baseline_median_usd: number;
  readonly baseline_mad_usd: number;
  readonly z_score: number;
  /** Volume over the median; null where the median is zero. */
  readonly ratio: number | null;
  readonly direction: 'spike' | 'drought';
  /** Hours of the baseline. */
  readonly samples: number;
  readonly updated_at: string;
}

const METHODOLOGY =
  'Rolling 24-hour volume of each fresh comparable row against the last 7 days of the same venue and contract: z = (volume - median) / (1.4826 x MAD) of the hourly means, at least 48 of them; a contract whose volume never varied has no score. Highest |z| first. Naive baseline: no account of listings, fees or the hour of the day; not a profit forecast.';

const NO_BASELINE =
  'None of the contracts asked about has a baseline yet: 48 hours of stored volume within the last 7 days; nothing is charged';

/** Scales a median absolute deviation to a standard deviation of normal data. */
const MAD_SCALE = 1.4826;

export interface AnomalyQuery {
  readonly minZ: number;
  readonly limit: number;
}

/**
 * Rows whose volume stands at least `minZ` robust deviations from what is usual for them, either way. 404 no_data where
 * no row has a baseline: nothing can be said of any.
 */
export function volumeAnomalies(
  rows: readonly MarketRow[],
  baselines: readonly Baseline[],
  query: AnomalyQuery,
  idle: readonly string[],
): Result<ProductAnswer<VolumeAnomalies>> {
  const usual = byAsset(baselines);
  const found: Scored[] = [];
  let known = 0;
  for (const row of rows) {
    if (!row.fresh || !row.comparable) continue;
    // Of two listings the younger one stands last.
    const baseline = usual
      .get(row.canonicalId)
      ?.findLast(({ venue, symbol }) => venue === row.venue && symbol === row.symbol);
    const volume = row.volume24hUsd;
    if (baseline === undefined) continue;
    known += 1;
    if (volume === undefined || !(baseline.mad > 0)) continue;
    const z = (volume - baseline.median) / (MAD_SCALE * baseline.mad);
    if (Math.abs(z) >= query.minZ) found.push({ row, baseline, volume, z });
  }
  if (known === 0) return fail({ code: 'no_data', detail: NO_BASELINE });
  found.sort((a, b) => Math.abs(b.z) - Math.abs(a.z) || order(a.row, b.row));
  const shown = found.slice(0, query.limit);
  const body: VolumeAnomalies = {
    min_z: query.minZ,
    count: shown.length,
    baselines_count: known,
    methodology: METHODOLOGY,
    anomalies: shown.map(anomalyOf),
  };
  const unusual = found.map(({ row }) => row);
  return ok(productAnswer(body, unusual, idle));
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

function anomalyOf({ row, baseline: { median, mad, hours }, volume, z }: Scored): VolumeAnomaly {
  return {
    venue: row.venue,
    ticker: row.ticker,
    canonical_id: row.canonicalId,
    volume_24h_usd: volume,
    baseline_median_usd: median,
    baseline_mad_usd: mad,
    z_score: z,
    ratio: median === 0 ? null : volume / median,
    direction: z > 0 ? 'spike' : 'drought',
    samples: hours,
    updated_at: iso(row.updatedAt),
  };
}
