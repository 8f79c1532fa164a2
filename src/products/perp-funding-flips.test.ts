import { describe, expect, it } from 'vitest';
import type { SeriesBucket } from '../domain/series.ts';
import { asMs, asRate } from '../domain/units.ts';
import type { Scope } from '../history/queries/scope.ts';
import { stored } from '../history/store.ts';
import { makeMarket } from '../market/market-fixture.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import type { HistoryQueries, Ports } from './define-product.ts';
import { perpFundingFlips } from './perp-funding-flips.ts';

const MIDNIGHT = Date.UTC(2026, 10, 20);

/** Last rates by hour of 20 November, of one venue. */
function hoursOf(venue: string, rates: Readonly<Record<number, number>>): readonly SeriesBucket[] {
  return Object.entries(rates).map(([hour, rate]) => {
    const start = asMs(MIDNIGHT + Number(hour) * HOUR_MS);
    return {
      venue,
      symbol: 'BTCUSDT',
      listedAt: asMs(0),
      start,
      lastAt: asMs(start + 59 * MINUTE_MS),
      sampled: 60,
      backfilled: 0,
      backfilledHours: 0,
      means: {},
      book: undefined,
      lastRate: asRate(rate),
      lastIntervalHours: 8,
    };
  });
}

/** The answer of 21:30 about the last two hours, which begin at 19:00. */
async function flipsOf(...known: readonly SeriesBucket[]) {
  const fixture = makeMarket();
  for (const venue of ['binance', 'bybit']) {
    fixture.list(venue, ['BTC']);
    fixture.quote(venue, { symbol: 'BTCUSDT', mark: 100, rate: 0.0001, interval: 8 });
  }
  const reader: Partial<HistoryQueries> = {
    buckets: async ({ from, to }: Scope) => stored(known.filter(({ start }) => start >= from && start < to)),
    settled: async () => stored([]),
    knownRange: async () => stored(undefined),
    changes: () => [],
  };
  const history = { reader };
  const ports = { market: fixture.market.view, clock: { now: fixture.now }, history } as unknown as Ports;
  const plan = perpFundingFlips.plan({ ticker: 'BTC', hours: 2 }, ports);
  const made = plan.ok ? await plan.value.produce() : plan;
  return made.ok ? made.value : made.error;
}

describe('a flip in the first hour of the window', () => {
  const flip = { hour: '2026-11-20T19:00:00.000Z', rate_before: 3, rate_after: -1 };

  it('is found where nothing is known of the hour before', async () => {
    expect(await flipsOf(...hoursOf('binance', { 15: 3, 19: -1 }))).toMatchObject({
      content: { json: { flips: [flip] } },
    });
  });

  it('is found where the rate of the hours before was zero', async () => {
    expect(await flipsOf(...hoursOf('binance', { 10: 3, 17: 0, 18: 0, 19: -1 }))).toMatchObject({
      content: { json: { flips: [flip] } },
    });
  });
});

describe('a venue of which nothing is known in the window', () => {
  const early = hoursOf('bybit', { 15: 3, 18: -1 });

  it('is no source of the answer, and does not date it', async () => {
    expect(await flipsOf(...early, ...hoursOf('binance', { 19: 1, 20: 1 }))).toMatchObject({
      content: { json: { flips_count: 0 } },
      asOf: MIDNIGHT + 20 * HOUR_MS + 59 * MINUTE_MS,
      sources: { used: ['binance'], missing: ['bybit'] },
    });
  });

  it('alone makes the answer a 404', async () => {
    expect(await flipsOf(...early)).toMatchObject({ code: 'no_data' });
  });
});
