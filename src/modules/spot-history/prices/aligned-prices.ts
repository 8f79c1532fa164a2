import type { BookSample, SeriesBucket } from '../../../domain/series.ts';
import { HOUR_MS, MINUTE_MS } from '../../../runtime/duration.ts';
import { APART_LIMIT } from '../../spot-market/market/apart.ts';
import type { SpotHour } from '../store/spot-hour.ts';

/** One hour of a perpetual. */
export interface PerpHour {
  /** Mean mark: of the samples, or what the venue reported afterwards, which is a price at the start of the hour. */
  readonly mark: number | undefined;
  /** Mean index of the same hour. */
  readonly index: number | undefined;
  readonly book: BookSample | undefined;
  /** Samples of our own; 0 of an hour that the venue reported afterwards. */
  readonly sampled: number;
  readonly lastAt: number;
}

/** The moment of an hour that two prices are of. */
export type PriceMoment = 'end' | 'mean' | 'start';

/** Prices of the spot market and of the perpetual at one moment, of one kind. */
export interface AlignedPrices {
  readonly spot: number;
  readonly perp: number;
  readonly moment: PriceMoment;
}

/** The reason for which an hour has no prices that may stand beside each other. */
type NoPrices = 'not_stored_then' | 'price_differs';

/** The parts of an hour of a perpetual that are read. */
export const PERP_PARTS = { measures: ['mark', 'index'], book: true } as const;

/** A last sample that is younger stands for the end of its hour. */
const END_MS = 10 * MINUTE_MS;
/** Means of fewer samples are of too different parts of an hour. */
const LEAST_SAMPLES = 30;

export const perpHour = ({ means, book, sampled, lastAt }: SeriesBucket): PerpHour => ({
  mark: means.mark?.mean,
  index: means.index?.mean,
  book,
  sampled,
  lastAt,
});

const isEnd = (start: number, at: number): boolean => at >= start + HOUR_MS - END_MS;

/**
 * The prices of one hour at one moment. In the order of preference: at its end, the middle that was last seen or the close of the
 * spot candle beside the middle of the perpetual's last book; means of what was seen of both; at its start, the open of the
 * spot candle beside the mark that the venue reported of that moment. `not_stored_then` where none of these is known of both:
 * prices of two moments differ by what the market moved between them. `price_differs` where the spot price is further from the
 * perpetual's index of that moment than the prices of a pair may be: they may be of two assets.
 */
export function alignedPrices(
  spot: SpotHour | undefined,
  perp: PerpHour | undefined,
): AlignedPrices | NoPrices {
  if (spot === undefined || perp === undefined) return 'not_stored_then';
  const prices = momentPrices(spot, perp);
  if (prices === undefined) return 'not_stored_then';
  return Math.abs(prices.spot / indexBeside(prices.perp, perp) - 1) <= APART_LIMIT ? prices : 'price_differs';
}

/** True of prices that are known, and of one asset. */
export const arePrices = (found: AlignedPrices | NoPrices): found is AlignedPrices =>
  typeof found !== 'string';

function momentPrices(spot: SpotHour, perp: PerpHour): AlignedPrices | undefined {
  const { mark, book, sampled, lastAt } = perp;
  const isSpotEnd = spot.origin === 'candle' || isEnd(spot.start, spot.lastAt);
  if (isSpotEnd && book !== undefined && isEnd(spot.start, lastAt))
    return { spot: spot.last, perp: (book.bestBid + book.bestAsk) / 2, moment: 'end' };
  if (mark === undefined) return undefined;
  if (spot.origin === 'candle')
    return sampled === 0 ? { spot: spot.open, perp: mark, moment: 'start' } : undefined;
  const isWhole = spot.samples >= LEAST_SAMPLES && sampled >= LEAST_SAMPLES;
  return isWhole ? { spot: spot.mean, perp: mark, moment: 'mean' } : undefined;
}

/**
 * The index at the moment of a price of the perpetual: that price less what the mark stood above the index in the hour. A mean of the
 * hour alone would stand apart from every price that the market has moved to since. Without an index it is the price itself.
 */
const indexBeside = (price: number, { mark, index }: PerpHour): number =>
  mark === undefined || index === undefined ? price : (price * index) / mark;

/** The perpetual above spot, basis points of spot: what a trade that is long spot and short the perpetual gains where it closes. */
export const gapBps = ({ spot, perp }: Pick<AlignedPrices, 'spot' | 'perp'>): number =>
  (perp / spot - 1) * 10_000;
