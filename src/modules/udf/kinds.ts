import type { Measure, SeriesBucket } from '../../domain/series.ts';

/** One thing that is charted of a contract. */
export interface Kind {
  /** The end of the symbol's name. */
  readonly suffix: string;
  /** The type in a search. */
  readonly type: string;
  readonly words: string;
  readonly measure: Measure;
  /** Candles of hourly means, which an hour has one of; else a line of means. */
  readonly isCandles: boolean;
  /** Steps of the scale in one unit; undefined where the price of the contract decides. */
  readonly scale: number | undefined;
}

const PERCENT = 100;
const HOURS = 8;

/** The order is that of a search. */
export const KINDS: readonly Kind[] = [
  { ...kind('', 'price', 'mark price, candles of hourly means', 'mark'), isCandles: true },
  kind('.MARK', 'price', 'mark price, hourly means', 'mark'),
  kind('.FUNDING', 'funding', 'funding rate, percent per 8 hours, hourly means', 'rate', 1_000_000),
  kind('.OI', 'open_interest', 'open interest, US dollars, hourly means', 'interestUsd', 1),
  kind('.INDEX', 'index', 'index price, hourly means', 'index'),
];

export const TYPES = [...new Set(KINDS.map(({ type }) => type))];

function kind(suffix: string, type: string, words: string, measure: Measure, scale?: number): Kind {
  return { suffix, type, words, measure, isCandles: false, scale };
}

/** The value of an hour; undefined where it is not known. A rate has none where its interval changed or is not known. */
export function hourValue({ measure }: Kind, { means, intervalHours }: SeriesBucket): number | undefined {
  const mean = means[measure]?.mean;
  if (measure !== 'rate' || mean === undefined) return mean;
  return intervalHours === undefined ? undefined : (mean * HOURS * PERCENT) / intervalHours;
}
