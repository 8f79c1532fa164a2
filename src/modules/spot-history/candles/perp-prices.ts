import { median } from '../../../domain/median.ts';
import type { HistoryReader } from '../../../history/reader.ts';
import type { MarketView } from '../../../market/view.ts';
import { HOUR_MS } from '../../../runtime/duration.ts';
import { groupBy } from '../../../runtime/group-by.ts';
import type { FillOptions } from './candle-fill.ts';

/** The most traded perpetuals of an asset, whose prices candles are held against. */
const PERPS = 3;

/**
 * Prices of an asset by hour: the median of the mean marks that the history has of its most traded perpetuals. Undefined
 * where the history cannot be read.
 */
export const perpPrices =
  (reader: Pick<HistoryReader, 'buckets'>, market: Pick<MarketView, 'rowsOf'>): FillOptions['perpPrices'] =>
  async (canonicalId, from, to) => {
    const venues = market
      .rowsOf(canonicalId)
      .filter(({ comparable }) => comparable)
      .toSorted((a, b) => (b.volume24hUsd ?? 0) - (a.volume24hUsd ?? 0))
      .slice(0, PERPS)
      .map(({ venue }) => venue);
    if (venues.length === 0) return new Map();
    const wanted = { measures: ['mark'], book: false } as const;
    const read = await reader.buckets({ canonicalId, venues, from, to }, wanted, HOUR_MS);
    if (!read.ok) return undefined;
    const marks = read.value.flatMap(({ start, means }) => {
      const price = means.mark?.mean;
      return price === undefined ? [] : [{ start, price }];
    });
    const byHour = groupBy(marks, ({ start }) => start);
    return new Map([...byHour].map(([start, own]) => [start, median(own.map(({ price }) => price))]));
  };
