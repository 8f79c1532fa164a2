import { describe, expect, it } from 'vitest';
import type { FundingPayment, SeriesBucket } from '../../domain/series.ts';
import { asBps, asMs, asPrice, asRate, type UnixMs } from '../../domain/units.ts';
import type { PaymentScope } from '../../history/queries/funding-payments.ts';
import type { Scope } from '../../history/queries/scope.ts';
import { stored } from '../../history/store.ts';
import { makeMarket } from '../../market/market-fixture.ts';
import type { Ports } from '../../products/define-product.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import { fill, readPorts } from '../../runtime/port.ts';
import { SPOT_PAST } from '../spot-history/port.ts';
import type { ObservedHour } from '../spot-history/store/spot-hour.ts';
import { backtestCarry } from './backtest-carry.ts';

const START = Date.UTC(2026, 10, 18, 20);
const END = START + 20 * HOUR_MS;
const END_TEXT = new Date(END).toISOString();
const INTERVAL = 4 * HOUR_MS;

const payments: readonly FundingPayment[] = Array.from({ length: 12 }, (_, k) => ({
  canonicalId: 'crypto:BTC',
  venue: 'bybit',
  symbol: 'BTCUSDT',
  listedAt: asMs(0),
  hours: 4,
  at: asMs(START - DAY_MS + k * INTERVAL),
  rate: asRate(0.0005),
}));

const bookOf = (mid: number): SeriesBucket['book'] => ({
  bestBid: asPrice(mid - 0.5),
  bestAsk: asPrice(mid + 0.5),
  bidDepthUsd: undefined,
  askDepthUsd: undefined,
  slippage1kBps: asBps(1),
  slippage5kBps: asBps(1),
  slippage10kBps: asBps(2),
});

const bucketAt = (start: number): SeriesBucket => ({
  venue: 'bybit',
  symbol: 'BTCUSDT',
  listedAt: asMs(0),
  start: asMs(start),
  lastAt: asMs(start + 59 * MINUTE_MS),
  sampled: 60,
  backfilled: 0,
  backfilledHours: 0,
  means: { mark: { samples: 60, mean: 100 } },
  book: bookOf(100),
  lastRate: undefined,
  lastIntervalHours: undefined,
});

const hourAt = (start: number): ObservedHour => ({
  origin: 'observed',
  start: asMs(start),
  lastAt: asMs(start + 59 * MINUTE_MS),
  last: asPrice(100),
  samples: 60,
  mean: 100,
  spreadBps: 2,
  bidUsd: 20_000,
  askUsd: 5000,
});

const starts = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / HOUR_MS)) }, (_, i) => from + i * HOUR_MS);

/** Asks a market that pays 5 bps each four hours. @param isKnown hours of spot with a row */
async function answerTo(asked: Readonly<Record<string, unknown>>, isKnown = (_: number): boolean => true) {
  const market = makeMarket();
  for (const venue of ['binance', 'bybit']) {
    market.list(venue, ['BTC'], { takerFeeBps: asBps(5) });
    market.quote(venue, { symbol: 'BTCUSDT', mark: 100, rate: 0.0001, interval: 4 });
  }
  const reader = {
    fundingPayments: async ({ from, to }: PaymentScope) =>
      stored(payments.filter(({ at }) => at >= from && at < to)),
    buckets: async ({ from, to }: Scope) => stored(starts(from, to).map(bucketAt)),
    takerFees: async () => stored([]),
    knownRange: async () => stored(undefined),
    changes: () => [],
  };
  const pastOf = (_: string, __: string, from: UnixMs, to: UnixMs) => {
    const hours = new Map(
      starts(from, to)
        .filter(isKnown)
        .map((start) => [start, hourAt(start)]),
    );
    return hours.size === 0 ? [] : [{ symbol: 'BTCUSDT', quote: 'USDT', ticker: 'BTC', hours }];
  };
  const ports = {
    market: market.market.view,
    clock: { now: () => asMs(END + 3 * HOUR_MS) },
    history: { reader },
    readPort: readPorts(fill(SPOT_PAST, { pastOf })),
  } as unknown as Ports;
  const rule = { enter_bps: 5, exit_bps: 0, max_hold_hours: 168, size_usd: 10_000, leverage: 2 };
  const window = { from: new Date(START).toISOString(), to: END_TEXT };
  const names = { ticker: 'BTC', spot: 'binance', perp: 'bybit', direction: 'long_spot' };
  const plan = backtestCarry.plan({ ...names, ...window, ...rule, ...asked }, ports);
  const made = plan.ok ? await plan.value.produce() : plan;
  return made.ok && 'json' in made.value.content ? made.value.content.json : made;
}

describe('a back-test of spot against a perpetual', () => {
  it('one trade over the window: its sums, its days and its capital', async () => {
    // Settlements each four hours after the entry: five of 5 dollars. Fees 2 x (5 + 10) bps, slippage 2 x (2 + 1) bps.
    const sums = { funding_usd: expect.closeTo(25, 9), fees_usd: expect.closeTo(-30, 9) };
    const rest = { borrow_usd: 0, slippage_usd: expect.closeTo(-6, 9), price_usd: 0 };
    const whole = { ...sums, ...rest, net_usd: expect.closeTo(-11, 9) };
    expect(await answerTo({})).toMatchObject({
      capital_usd: 15_000,
      trades_count: 1,
      unknown: 0,
      hours_held: 20,
      skipped_entries: 0,
      ...whole,
      return_pct: expect.closeTo((-11 / 15_000) * 100, 9),
      // Fees and slippage are 18 dollars at the entry, and as much at the exit.
      max_drawdown_usd: expect.closeTo(18, 9),
      trades: [{ ...whole, left: 'window_end', book_fills: 2, touch_fills: 2, thin_touch_fills: 1 }],
      days: [
        { date: '2026-11-18', cumulative_usd: expect.closeTo(-18, 9) },
        { date: '2026-11-19', cumulative_usd: expect.closeTo(-11, 9) },
      ],
      spot: { hours_known: 20, hours_missing: 0, taker_fee_bps: 10, hours_with_borrow: 0 },
      perp: { payments: 5, missing_payments: 0, hours_with_book: 20, taker_fee_bps: 5 },
    });
  });

  it('hours without a spot row: counted, not entered on, and said', async () => {
    const from = START + 3 * HOUR_MS;
    expect(await answerTo({}, (start) => start >= from)).toMatchObject({
      skipped_entries: 4,
      spot: { hours_known: 17, hours_missing: 3 },
      trades: [{ opened_at: new Date(from + HOUR_MS).toISOString() }],
    });
  });

  it('fees that are asked for: of the perpetual by venue, of spot by its own', async () => {
    expect(await answerTo({ fees: 'bybit:1', spot_fee_bps: 2 })).toMatchObject({
      fees_usd: expect.closeTo(-6, 9),
      perp: { taker_fee_bps: 1, fee_is_asked: true },
      spot: { taker_fee_bps: 2, fee_is_asked: true },
    });
  });

  it('short spot without a borrow rate: nothing is entered', async () => {
    expect(await answerTo({ direction: 'short_spot', enter_bps: -100, exit_bps: -200 })).toMatchObject({
      trades_count: 0,
      net_usd: 0,
    });
    const assumed = {
      direction: 'short_spot',
      enter_bps: -100,
      exit_bps: -200,
      assumed_borrow_apr_pct: 8.76,
    };
    // 10,000 dollars for twenty hours at a thousandth of a percent an hour.
    expect(await answerTo(assumed)).toMatchObject({
      borrow_usd: expect.closeTo(-2, 9),
      trades: [{ missing_borrow_hours: 20 }],
    });
  });

  it.each([
    [{ exit_bps: 5 }, 'invalid_parameter'],
    [{ size_usd: 20_000 }, 'invalid_parameter'],
    [{ assumed_borrow_apr_pct: 2000 }, 'invalid_parameter'],
    [{ spot: 'nowhere' }, 'unknown_venue'],
    [{ from: END_TEXT, to: new Date(END - HOUR_MS).toISOString() }, 'invalid_parameter'],
  ])('%j: refused as %s, and costs nothing', async (asked, code) => {
    expect(await answerTo(asked)).toMatchObject({ ok: false, error: { code } });
  });

  it('no hour of spot known: a 404', async () => {
    expect(await answerTo({}, () => false)).toMatchObject({ ok: false, error: { code: 'no_data' } });
  });
});
