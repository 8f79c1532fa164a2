import { describe, expect, it } from 'vitest';
import type { FundingPayment, SettledMean } from '../domain/series.ts';
import { asMs, asRate } from '../domain/units.ts';
import { stored } from '../history/store.ts';
import { makeMarket } from '../market/market-fixture.ts';
import { FIXTURE_NOW } from '../market/row-fixture.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import type { Ports, Product } from './define-product.ts';
import { perpFundingHeatmap } from './perp-funding-heatmap.ts';
import { perpFundingStats } from './perp-funding-stats.ts';
import { perpSpreadStats } from './perp-spread-stats.ts';

interface Known {
  /** Present rate of BTC, by venue. */
  readonly rates?: Readonly<Record<string, number>>;
  readonly payments?: readonly FundingPayment[];
  readonly means?: readonly SettledMean[];
  /** The age of the rows' last statement. */
  readonly age?: number;
}

const VENUES = ['binance', 'bybit'];
const contract = { canonicalId: 'crypto:BTC', symbol: 'BTCUSDT', listedAt: asMs(0) };
const paid = (venue: string): FundingPayment => ({
  ...contract,
  venue,
  at: asMs(FIXTURE_NOW - HOUR_MS),
  rate: asRate(0.0001),
  hours: 8,
});
const meanOf = (venue: string): SettledMean => ({
  ...contract,
  venue,
  start: asMs(Date.UTC(2026, 10, 20)),
  rate8h: 0.0001,
  hours: 8,
  lastAt: asMs(FIXTURE_NOW - HOUR_MS),
});

async function answerOf(product: Product, asked: Readonly<Record<string, unknown>>, known: Known = {}) {
  const { rates = {}, payments = [], means = [], age = 0 } = known;
  const fixture = makeMarket();
  for (const venue of VENUES) {
    fixture.list(venue, ['BTC']);
    const rate = rates[venue];
    fixture.quote(venue, { symbol: 'BTCUSDT', mark: 100, interval: 8, ...(rate !== undefined && { rate }) });
  }
  fixture.pass(age);
  const reader = {
    fundingPayments: async () => stored(payments),
    settledMeans: async () => stored(means),
    knownRange: async () => stored(undefined),
  };
  const history = { reader };
  const ports = { market: fixture.market.view, clock: { now: fixture.now }, history } as unknown as Ports;
  const plan = product.plan(asked, ports);
  const made = plan.ok ? await plan.value.produce() : plan;
  return made.ok ? made.value : made.error;
}

describe('the funding heatmap', () => {
  const asked = { step: '1d', limit: 20 };

  it('without any value is a 404', async () => {
    expect(await answerOf(perpFundingHeatmap, asked)).toMatchObject({ code: 'no_data' });
    expect(await answerOf(perpFundingHeatmap, { ...asked, venue: 'bybit' })).toMatchObject({
      code: 'no_data',
      detail: expect.stringContaining('on bybit'),
    });
  });

  it('of spreads is a 404 where one venue alone was paid', async () => {
    const means = [meanOf('binance')];
    expect(await answerOf(perpFundingHeatmap, asked, { means })).toMatchObject({ code: 'no_data' });
    expect(await answerOf(perpFundingHeatmap, { ...asked, venue: 'binance' }, { means })).toMatchObject({
      content: { json: { assets_count: 1 } },
    });
  });
});

describe('funding statistics', () => {
  const asked = { ticker: 'BTC', venue: 'binance' };

  it('without a rate and a payment are a 404 that says what is known', async () => {
    expect(await answerOf(perpFundingStats, asked)).toMatchObject({
      code: 'no_data',
      detail: expect.stringMatching(/crypto:BTC on binance .*none is known yet/),
    });
    expect(await answerOf(perpFundingStats, { ticker: 'BTC' })).toMatchObject({ code: 'no_data' });
  });

  it('with a rate and no payment are a 404 that says so', async () => {
    expect(await answerOf(perpFundingStats, asked, { rates: { binance: 0.0001 } })).toMatchObject({
      code: 'no_data',
      detail: expect.stringContaining('No funding payment'),
    });
  });

  it('with a payment are an answer', async () => {
    const answered = { content: { json: { venues_count: 1 } } };
    expect(await answerOf(perpFundingStats, asked, { payments: [paid('binance')] })).toMatchObject(answered);
  });
});

describe('spread statistics of named venues', () => {
  const asked = { ticker: 'BTC', short: 'binance', long: 'bybit' };
  const rates = { binance: 0.0003, bybit: 0.0001 };

  it('of which one has no rate, without a past, are a 404', async () => {
    const one = { rates: { binance: 0.0003 } };
    expect(await answerOf(perpSpreadStats, asked, one)).toMatchObject({ code: 'no_data' });
  });

  it('are a 503 where the rates are only late', async () => {
    expect(await answerOf(perpSpreadStats, asked, { rates, age: 5 * MINUTE_MS })).toMatchObject({
      code: 'not_ready',
      retryAfterSeconds: 5,
    });
  });

  it('with rates of now are an answer', async () => {
    expect(await answerOf(perpSpreadStats, asked, { rates })).toMatchObject({
      content: { json: { spread_8h_bps: expect.closeTo(2, 9) } },
    });
  });
});
