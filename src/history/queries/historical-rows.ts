import { rate8h } from '../../domain/rate.ts';
import { readNumber, readText } from '../../domain/read.ts';
import { asBase, asHours, asMs, asPrice, asRate, asUsd, type UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { MarketRow } from '../../market/view.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { Cells, Query } from '../store.ts';
import { countCell, timeCell } from './cells.ts';
import { seconds } from './scope.ts';

/** Rows of the live table are shown for so long. */
const SHOWN_MS = 15 * MINUTE_MS;
/** A row was fresh where it is among the samples of the last minute; these are written within seconds. */
const FRESH_MS = MINUTE_MS + 10_000;

export interface HistoricalRowsScope {
  /** One asset; all without it. */
  readonly canonicalId?: string | undefined;
  readonly asOf: UnixMs;
}

const VALUES = [
  'funding_rate',
  'interval_hours',
  'mark_price',
  'index_price',
  'open_interest_raw',
  'open_interest_base',
  'open_interest_usd',
  'volume_24h_base',
  'volume_24h_usd',
];
const SHOWN = [
  'row_age_ms',
  'rate_lag_ms',
  'oi_lag_ms',
  'volume_lag_ms',
  'rate_fresh',
  'quote',
  'multiplier',
];

/** The rows of the live table as they were sampled last, by asset and venue: as they were served, corrected by nothing. */
export function historicalRowsQuery({ canonicalId, asOf }: HistoricalRowsScope): Query {
  const conditions = [
    ...(canonicalId === undefined ? [] : ['canonical_id = {canonical_id:String}']),
    "ts > toDateTime({from:UInt32}, 'UTC') AND ts <= toDateTime({to:UInt32}, 'UTC')",
    "recorded_at <= fromUnixTimestamp64Milli({as_of:Int64}) AND origin = 'sampled'",
  ];
  const cells = [
    'canonical_id',
    'venue',
    'symbol',
    'ticker',
    'toUnixTimestamp(ts)',
    'comparable',
    ...VALUES,
    ...SHOWN,
  ];
  return {
    sql:
      `SELECT ${cells.join(', ')} FROM samples WHERE ${conditions.join(' AND ')} ` +
      'ORDER BY canonical_id, venue, ts DESC, recorded_at DESC LIMIT 1 BY canonical_id, venue',
    params: {
      ...(canonicalId === undefined ? {} : { canonical_id: canonicalId }),
      from: seconds(asOf - SHOWN_MS),
      to: seconds(asOf),
      as_of: asOf,
    },
  };
}

/** Venue and asset facts of a row. */
export type KnownOfRow = (
  venue: VenueId,
  canonicalId: string,
) => Pick<MarketRow, 'sourceId' | 'assetClass'> | undefined;

const cellText = (cells: Cells, at: number): string => readText(cells[at]) ?? '';

/** A row of `historicalRowsQuery`, fresh or not as of the same time; undefined of a venue that is not known any more. */
export function readHistoricalRow(cells: Cells, asOf: UnixMs, knownOf: KnownOfRow): MarketRow | undefined {
  const canonicalId = cellText(cells, 0);
  const venue = cellText(cells, 1);
  const known = knownOf(venue, canonicalId);
  if (known === undefined) return undefined;
  const at = timeCell(cells[4]);
  const [rate, hours, mark, index, raw, base, usd, volumeBase, volumeUsd, age, ...lags] = cells
    .slice(6, 19)
    .map(readNumber);
  const updatedAt = asMs(at - (age ?? 0));
  const timeOf = (value: number | undefined, lag: number | undefined): UnixMs | undefined =>
    value === undefined ? undefined : asMs(updatedAt - (lag ?? 0));
  const fundingRate = rate === undefined ? undefined : asRate(rate);
  const fundingIntervalHours = hours === undefined ? undefined : asHours(hours);
  const fresh = asOf - at <= FRESH_MS;
  return {
    canonicalId,
    venue,
    symbol: cellText(cells, 2),
    ticker: cellText(cells, 3),
    ...known,
    quote: cellText(cells, 20),
    multiplier: countCell(cells[21]),
    fundingRate,
    fundingIntervalHours,
    rate8h: rate8h(fundingRate, fundingIntervalHours),
    markPrice: mark === undefined ? undefined : asPrice(mark),
    indexPrice: index === undefined ? undefined : asPrice(index),
    openInterestRaw: raw,
    openInterestBase: base === undefined ? undefined : asBase(base),
    openInterestUsd: usd === undefined ? undefined : asUsd(usd),
    volume24hBase: volumeBase === undefined ? undefined : asBase(volumeBase),
    volume24hUsd: volumeUsd === undefined ? undefined : asUsd(volumeUsd),
    updatedAt,
    fundingUpdatedAt: timeOf(rate, lags[0]),
    openInterestUpdatedAt: timeOf(base ?? usd ?? raw, lags[1]),
    volumeUpdatedAt: timeOf(volumeBase ?? volumeUsd, lags[2]),
    comparable: countCell(cells[5]) === 1,
    fresh,
    rateFresh: fresh && countCell(cells[19]) === 1,
    version: 0,
  };
}
