import type { VenueId } from '../../domain/venue.ts';

/** Comparison of a venue's index moves with those of its family. */
export interface IndexMoves {
  /** Of its one-second log returns with the mean of the others', at the lag where it is greatest; -1..1. */
  readonly correlation: number;
  /** That lag: positive where the venue moves first. Whole seconds. */
  readonly leadLagMs: number;
  /** Mean distance of changes of the venue's index. */
  readonly resolutionMs: number;
}

type SeriesByAsset = ReadonlyMap<string, Float64Array>;

/** Seconds by which one index may lead another. */
const MAX_LAG = 5;
/** Pairs of returns that a correlation needs at least. */
const MIN_PAIRS = 120;
/** An index that changes less often than this was not sampled once a second. */
const COARSEST_MS = 1500;

/**
 * Correlation and lead of every venue's index moves against the mean move of the other venues of its family (against
 * all others where it has none), over the assets that both know. Venues whose index is coarser than a second, and
 * those with too few samples, are not in the answer.
 *
 * @param series aligned values, one a second, NaN where unknown
 */
export function measureIndexMoves(
  series: ReadonlyMap<VenueId, SeriesByAsset>,
  familyOf: (venue: VenueId) => string | undefined,
): ReadonlyMap<VenueId, IndexMoves> {
  const fine = new Map<VenueId, { returns: SeriesByAsset; resolutionMs: number }>();
  for (const [venue, byAsset] of series) {
    const resolutionMs = resolutionOf([...byAsset.values()]);
    if (resolutionMs === undefined || resolutionMs > COARSEST_MS) continue;
    const returns = new Map([...byAsset].map(([asset, values]) => [asset, returnsOf(values)]));
    fine.set(venue, { returns, resolutionMs });
  }
  const measured = new Map<VenueId, IndexMoves>();
  for (const [venue, { returns, resolutionMs }] of fine) {
    const others = [...fine.keys()].filter((other) => other !== venue);
    const kin = others.filter((other) => familyOf(other) === familyOf(venue));
    const peers = (kin.length > 0 ? kin : others).flatMap((other) => fine.get(other)?.returns ?? []);
    const best = bestLag(returns, peers);
    if (best !== undefined) measured.set(venue, { ...best, resolutionMs });
  }
  return measured;
}

function returnsOf(values: Float64Array): Float64Array {
  return values.map((value, i) => (i === 0 ? Number.NaN : Math.log(value / (values[i - 1] ?? Number.NaN))));
}

/** Known seconds over changes, ms, of the asset that changes most; undefined without a change. */
function resolutionOf(list: readonly Float64Array[]): number | undefined {
  let finest: number | undefined;
  for (const values of list) {
    let known = 0;
    let changes = 0;
    for (let i = 1; i < values.length; i++) {
      const before = values[i - 1] ?? Number.NaN;
      const now = values[i] ?? Number.NaN;
      if (Number.isNaN(before) || Number.isNaN(now)) continue;
      known += 1;
      if (before !== now) changes += 1;
    }
    if (changes === 0) continue;
    const ms = Math.round((known / changes) * 1000);
    if (finest === undefined || ms < finest) finest = ms;
  }
  return finest;
}

function bestLag(
  own: SeriesByAsset,
  peers: readonly SeriesByAsset[],
): Pick<IndexMoves, 'correlation' | 'leadLagMs'> | undefined {
  const pairs = [...own].flatMap(([asset, returns]) => {
    const reference = meanOf(peers.flatMap((peer) => peer.get(asset) ?? []));
    return reference === undefined ? [] : [[returns, reference] as const];
  });
  let best: { correlation: number; lag: number } | undefined;
  // From no lag outwards: of equal correlations the smallest lag is the claim.
  for (let i = 0; i <= 2 * MAX_LAG; i++) {
    const lag = (i % 2 === 0 ? 1 : -1) * Math.ceil(i / 2);
    const correlation = meanCorrelation(pairs, lag);
    if (correlation !== undefined && (best === undefined || correlation > best.correlation + 1e-9)) {
      best = { correlation, lag };
    }
  }
  return best && { correlation: Math.round(best.correlation * 1e4) / 1e4, leadLagMs: best.lag * 1000 };
}

function meanOf(list: readonly Float64Array[]): Float64Array | undefined {
  const [first] = list;
  return first?.map((_, i) => {
    let sum = 0;
    let count = 0;
    for (const values of list) {
      const value = values[i] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      sum += value;
      count += 1;
    }
    return count === 0 ? Number.NaN : sum / count;
  });
}

type Pair = readonly [own: Float64Array, reference: Float64Array];

function meanCorrelation(pairs: readonly Pair[], lag: number): number | undefined {
  const known = pairs.flatMap((pair) => correlation(pair, lag) ?? []);
  return known.length === 0 ? undefined : known.reduce((a, b) => a + b, 0) / known.length;
}

/** Pearson's r of own[t] with reference[t + lag]; undefined with too few pairs or without variance. */
function correlation([own, reference]: Pair, lag: number): number | undefined {
  let n = 0;
  let sx = 0;
  let sy = 0;
  let sxx = 0;
  let syy = 0;
  let sxy = 0;
  for (let t = Math.max(0, -lag); t < Math.min(own.length, own.length - lag); t++) {
    const x = own[t] ?? Number.NaN;
    const y = reference[t + lag] ?? Number.NaN;
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    syy += y * y;
    sxy += x * y;
  }
  if (n < MIN_PAIRS) return undefined;
  const variance = (n * sxx - sx * sx) * (n * syy - sy * sy);
  return variance > 0 ? (n * sxy - sx * sy) / Math.sqrt(variance) : undefined;
}
