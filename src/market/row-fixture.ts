import { rate8h } from '../domain/rate.ts';
import { asBase, asHours, asMs, asPrice, asRate, asUsd } from '../domain/units.ts';
import { HOUR_MS } from '../runtime/duration.ts';
import type { MarketRow, UncomparableReason } from './view.ts';

/** 2026-11-20T21:30:00.000Z */
export const FIXTURE_NOW = asMs(Date.UTC(2026, 10, 20, 21, 30));

/** A row in plain numbers; everything has a value unless it is set to undefined. */
export interface RowSketch {
  readonly venue?: string;
  readonly sourceId?: number;
  readonly symbol?: string;
  readonly ticker?: string;
  readonly quote?: string;
  readonly canonicalId?: string;
  readonly assetClass?: MarketRow['assetClass'];
  readonly rate?: number | undefined;
  readonly interval?: number | undefined;
  readonly next?: number | undefined;
  readonly mark?: number | undefined;
  readonly index?: number | undefined;
  readonly interestBase?: number | undefined;
  readonly volumeUsd?: number | undefined;
  readonly rateSettled?: true;
  readonly open?: boolean;
  readonly bid?: number | undefined;
  readonly ask?: number | undefined;
  /** Age of the row, ms. */
  readonly age?: number;
  readonly fundingAge?: number;
  readonly reason?: UncomparableReason;
  readonly fresh?: boolean;
  /** As `fresh` where there is a rate. */
  readonly rateFresh?: boolean;
  readonly multiplier?: number;
  readonly indexAge?: number;
  readonly interestAge?: number;
  readonly volumeAge?: number;
}

const DEFAULTS = {
  venue: 'binance',
  sourceId: 1,
  ticker: 'BTC',
  rate: 0.0001,
  interval: 8,
  next: FIXTURE_NOW + HOUR_MS,
  mark: 100_000,
  index: 99_990,
  interestBase: 1000,
  volumeUsd: 5e9,
  bid: 99_999,
  ask: 100_001,
  age: 1000,
  fresh: true,
} as const;

let versions = 0;

/** Open interest as stated in base units, volume in US dollars; the other unit of each follows from the mark. */
function amountsOf(interest: number | undefined, volume: number | undefined, mark: number | undefined) {
  return {
    openInterestRaw: interest,
    openInterestBase: interest === undefined ? undefined : asBase(interest),
    openInterestUsd: interest === undefined || mark === undefined ? undefined : asUsd(interest * mark),
    volume24hRaw: volume,
    volume24hBase: volume === undefined || mark === undefined ? undefined : asBase(volume / mark),
    volume24hUsd: volume === undefined ? undefined : asUsd(volume),
  };
}

/** Makes a market row: BTC on binance, one second old, comparable and fresh, unless the sketch says otherwise. */
export function makeRow(sketch: RowSketch = {}): MarketRow {
  const it = { ...DEFAULTS, ...sketch };
  versions += 1;
  const rate = it.rate === undefined ? undefined : asRate(it.rate);
  const interval = it.interval === undefined ? undefined : asHours(it.interval);
  const mark = it.mark === undefined ? undefined : asPrice(it.mark);
  return {
    venue: it.venue,
    sourceId: it.sourceId,
    symbol: sketch.symbol ?? `${it.ticker}USDT`,
    ticker: it.ticker,
    canonicalId: sketch.canonicalId ?? `crypto:${it.ticker}`,
    assetClass: sketch.assetClass ?? 'crypto',
    multiplier: sketch.multiplier ?? 1,
    quote: sketch.quote ?? 'USDT',
    fundingRate: rate,
    rateSettled: sketch.rateSettled,
    fundingIntervalHours: interval,
    rate8h: rate8h(rate, interval),
    nextFundingTime: it.next === undefined ? undefined : asMs(it.next),
    markPrice: mark,
    indexPrice: it.index === undefined ? undefined : asPrice(it.index),
    ...amountsOf(it.interestBase, it.volumeUsd, mark),
    marketOpen: sketch.open,
    bestBid: it.bid === undefined ? undefined : asPrice(it.bid),
    bestAsk: it.ask === undefined ? undefined : asPrice(it.ask),
    updatedAt: asMs(FIXTURE_NOW - it.age),
    fundingUpdatedAt: rate === undefined ? undefined : asMs(FIXTURE_NOW - (sketch.fundingAge ?? it.age)),
    indexUpdatedAt: it.index === undefined ? undefined : asMs(FIXTURE_NOW - (sketch.indexAge ?? it.age)),
    openInterestUpdatedAt:
      it.interestBase === undefined ? undefined : asMs(FIXTURE_NOW - (sketch.interestAge ?? it.age)),
    volumeUpdatedAt:
      it.volumeUsd === undefined ? undefined : asMs(FIXTURE_NOW - (sketch.volumeAge ?? it.age)),
    comparable: sketch.reason === undefined,
    uncomparableReason: sketch.reason,
    suspectReason: sketch.reason === 'suspect' ? 'jump' : undefined,
    fresh: it.fresh,
    rateFresh: rate !== undefined && (sketch.rateFresh ?? it.fresh),
    version: versions,
  };
}
