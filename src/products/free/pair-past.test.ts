import { describe, expect, it } from 'vitest';
import type { BookSample, FundingPayment, SeriesBucket } from '../../domain/series.ts';
import { asBps, asMs, asPrice, asRate } from '../../domain/units.ts';
import { notStored, stored } from '../../history/store.ts';
import { makeRow } from '../../market/row-fixture.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { HistoryQueries } from '../define-product.ts';
import { bucket, T0 } from '../series-fixture.ts';
import { firstTold } from './pair-past.ts';
import type { WorkedPair } from './worked-pair.ts';

const WEEK_OF_PAYMENTS = 21;
const BOOK: BookSample = {
  bestBid: asPrice(99),
  bestAsk: asPrice(101),
  bidDepthUsd: undefined,
  askDepthUsd: undefined,
  slippage1kBps: asBps(1),
  slippage5kBps: asBps(2),
  slippage10kBps: asBps(3),
};

/** Payments every eight hours up to now, of both venues. */
const payments = (canonicalId: string, count: number): FundingPayment[] =>
  ['a', 'b'].flatMap((venue) =>
    Array.from({ length: count }, (_, k) => ({
      canonicalId,
      venue,
      symbol: 'BTCUSDT',
      listedAt: asMs(0),
      hours: 8,
      at: asMs(T0 - (count - 1 - k) * 8 * HOUR_MS),
      rate: asRate(venue === 'a' ? 0.0003 : 0.0001),
    })),
  );
const books = (): SeriesBucket[] =>
  ['a', 'b'].map((venue) => bucket({ venue, start: asMs(T0 - HOUR_MS), book: BOOK }));

const pairOf = (ticker: string): WorkedPair => {
  const leg = (venue: string) => ({ ...makeRow({ venue, rate: 0.0001 }), canonicalId: `crypto:${ticker}` });
  return { short: leg('a'), long: leg('b'), spreadBps: 2, feeBps: 20, rows: [] };
};

function readerOf(stores: Record<string, { paid?: number; books?: boolean }>): HistoryQueries {
  const asked = {
    fundingPayments: async ({ canonicalIds: [id] = [] }: { canonicalIds?: readonly string[] }) => {
      const store = stores[id ?? ''];
      return store === undefined
        ? notStored('unavailable', 'away')
        : stored(payments(id ?? '', store.paid ?? 0));
    },
    buckets: async ({ canonicalId }: { canonicalId: string }) =>
      stored(stores[canonicalId]?.books === true ? books() : []),
  };
  return asked as unknown as HistoryQueries;
}

const told = async (stores: Parameters<typeof readerOf>[0], ...tickers: string[]) =>
  firstTold(readerOf(stores), tickers.map(pairOf), T0);

describe('the worked pair that is told', () => {
  const whole = { paid: WEEK_OF_PAYMENTS, books: true };

  it('wider pairs without books or a past: the first that has both', async () => {
    const stores = {
      'crypto:A': { books: true },
      'crypto:B': { paid: WEEK_OF_PAYMENTS },
      'crypto:C': whole,
      'crypto:D': whole,
    };
    const found = await told(stores, 'A', 'B', 'C', 'D');
    expect(found.ok && found.value?.pair.short.canonicalId).toBe('crypto:C');
    expect(found.ok && found.value?.past.shortBook).toEqual(BOOK);
  });

  it('none has both: the widest, with what is stored of it', async () => {
    const found = await told({ 'crypto:A': { paid: 3 }, 'crypto:B': {} }, 'A', 'B');
    expect(found.ok && found.value?.pair.short.canonicalId).toBe('crypto:A');
    expect(found.ok && found.value?.past.hours.known).toBe(24);
  });

  it('six of seven days: told; fewer: not', async () => {
    for (const [paid, first] of [
      [18, 'crypto:A'],
      [17, 'crypto:B'],
    ] as const) {
      const found = await told({ 'crypto:A': { paid, books: true }, 'crypto:B': whole }, 'A', 'B');
      expect(found.ok && found.value?.pair.short.canonicalId).toBe(first);
    }
  });

  it('no pairs, a store that fails: none, its reason', async () => {
    expect(await told({})).toEqual({ ok: true, value: undefined });
    expect((await told({}, 'A')).ok).toBe(false);
  });
});
