import type { UnixMs } from '../domain/units.ts';
import type { MarketRow } from './view.ts';

/** The part of a row that is kept for the free answers of a quarter of an hour later. */
export type PastRow = Pick<
  MarketRow,
  | ('venue' | 'symbol' | 'ticker' | 'canonicalId' | 'assetClass' | 'quote' | 'multiplier' | 'listedAt')
  | (
      | 'fundingRate'
      | 'fundingIntervalHours'
      | 'rate8h'
      | 'fundingUpdatedAt'
      | 'updatedAt'
      | 'fresh'
      | 'rateFresh'
    )
  | ('openInterestUsd' | 'volume24hUsd' | 'comparable' | 'uncomparableReason' | 'takerFeeBps')
>;

/** All rows of one moment. */
export interface PastTable {
  readonly at: UnixMs;
  readonly rows: readonly PastRow[];
}

/** The whole table as it was some time ago. */
export interface DelayedTable {
  /** The least age of what is given, ms. */
  readonly delayMs: number;
  /** The youngest table that is at least as old as that; undefined = none is kept yet. */
  table(now: UnixMs): PastTable | undefined;
}

/** The age of free answers, ms. */
export const FREE_DELAY_MS = 15 * 60_000;
/** Tables that are kept of the time of the delay: a given one is older than the delay by at most a share of it. */
const KEPT = 5;

export interface DelayedTables extends DelayedTable {
  /** True if the next table is due. */
  due(now: UnixMs): boolean;
  record(now: UnixMs, rows: readonly MarketRow[]): void;
}

const pastRow = (row: MarketRow): PastRow => ({
  venue: row.venue,
  symbol: row.symbol,
  ticker: row.ticker,
  canonicalId: row.canonicalId,
  assetClass: row.assetClass,
  quote: row.quote,
  multiplier: row.multiplier,
  listedAt: row.listedAt,
  fundingRate: row.fundingRate,
  fundingIntervalHours: row.fundingIntervalHours,
  rate8h: row.rate8h,
  fundingUpdatedAt: row.fundingUpdatedAt,
  updatedAt: row.updatedAt,
  fresh: row.fresh,
  rateFresh: row.rateFresh,
  openInterestUsd: row.openInterestUsd,
  volume24hUsd: row.volume24hUsd,
  comparable: row.comparable,
  uncomparableReason: row.uncomparableReason,
  takerFeeBps: row.takerFeeBps,
});

/** A table of rows as they are kept. */
export const pastTable = (at: UnixMs, rows: readonly MarketRow[]): PastTable => ({
  at,
  rows: rows.map(pastRow),
});

/**
 * Keeps so many small tables that one of them is always older than the delay. The first is due a step after the first look: until
 * all venues were read, a row would be of whichever contract came first.
 */
export function createDelayedTables(delayMs: number): DelayedTables {
  const tables: PastTable[] = [];
  const everyMs = delayMs / KEPT;
  let begun: UnixMs | undefined;
  return {
    delayMs,
    due(now) {
      // Of a time that is still to come, since the clock was set back.
      while ((tables.at(-1)?.at ?? now) > now) tables.pop();
      if (begun === undefined || begun > now) begun = now;
      return now - (tables.at(-1)?.at ?? begun) >= everyMs;
    },
    record(now, rows) {
      tables.push(pastTable(now, rows));
      while (now - (tables[1]?.at ?? now) >= delayMs) tables.shift();
    },
    table: (now) => tables.findLast(({ at }) => at <= now - delayMs),
  };
}
