import { describe, expect, it } from 'vitest';
import type { FundingPayment } from '../domain/series.ts';
import { asMs, asRate, type UnixMs } from '../domain/units.ts';
import type { PaymentScope } from '../history/queries/funding-payments.ts';
import { stored } from '../history/store.ts';
import { makeMarket } from '../market/market-fixture.ts';
import { HOUR_MS, SECOND_MS } from '../runtime/duration.ts';
import { backtestPair } from './backtest-pair.ts';
import type { Ports } from './define-product.ts';

const START = Date.UTC(2026, 10, 19);
const hour = (n: number): UnixMs => asMs(START + n * HOUR_MS);
/** Ends with a settlement. */
const END = 16;

/** Every eight hours, a day before the start on. */
function paymentsOf(venue: string, bps: number, missing: readonly number[]): readonly FundingPayment[] {
  return [-16, -8, 0, 8, 16, 24].flatMap((at) =>
    missing.includes(at)
      ? []
      : [
          {
            ...{ canonicalId: 'crypto:BTC', venue, symbol: 'BTCUSDT', listedAt: asMs(0), hours: 8 },
            ...{ at: hour(at), rate: asRate(bps / 10_000) },
          },
        ],
  );
}

/** As the store reads them: by whole seconds, without the end. */
const within = (payments: readonly FundingPayment[], { from, to }: PaymentScope) =>
  payments.filter(({ at }) => at >= from && at < Math.floor(to / SECOND_MS) * SECOND_MS);

async function answerWith({ missing = [] }: { readonly missing?: readonly number[] } = {}) {
  const fixture = makeMarket();
  for (const venue of ['binance', 'bybit']) {
    fixture.list(venue, ['BTC']);
    fixture.quote(venue, { symbol: 'BTCUSDT', mark: 100, rate: 0.0001, interval: 8 });
  }
  const payments = [...paymentsOf('binance', 3, missing), ...paymentsOf('bybit', 1, [])];
  const reader = {
    fundingPayments: async (scope: PaymentScope) => stored(within(payments, scope)),
    buckets: async () => stored([]),
    takerFees: async () => stored([]),
  };
  const history = { reader };
  const ports = { market: fixture.market.view, clock: { now: fixture.now }, history } as unknown as Ports;
  const asked = {
    ...{ ticker: 'BTC', short: 'binance', long: 'bybit', enter_bps: 1, exit_bps: 0, fee_bps: 0 },
    ...{ max_hold_hours: 168, size_usd: 10_000, leverage: 1, assumed_slippage_bps: 0 },
    ...{ from: new Date(START).toISOString(), to: new Date(hour(END)).toISOString() },
  };
  const plan = backtestPair.plan(asked, ports);
  const made = plan.ok ? await plan.value.produce() : plan;
  return made.ok ? made.value : made.error;
}

describe('a backtest whose window ends with a settlement', () => {
  it('is paid by it where the pair is held to the end', async () => {
    const trade = { closed_at: '2026-11-19T16:00:00.000Z', left: 'window_end', missing_payments: 0 };
    const funding = { short_funding_usd: expect.closeTo(6, 9), long_funding_usd: expect.closeTo(-2, 9) };
    expect(await answerWith()).toMatchObject({
      content: { json: { ...funding, trades: [{ ...trade, ...funding }] } },
      asOf: hour(END),
    });
  });

  it('counts it as missing in the trade where it is not stored', async () => {
    const legs = { short: { payments: 2, missing_payments: 0 }, long: { payments: 2, missing_payments: 0 } };
    expect(await answerWith({ missing: [END] })).toMatchObject({
      content: {
        json: { ...legs, trades: [{ short_funding_usd: expect.closeTo(3, 9), missing_payments: 1 }] },
      },
    });
  });
});
