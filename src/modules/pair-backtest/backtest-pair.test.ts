import { describe, expect, it } from 'vitest';
import type { FundingPayment } from '../../domain/series.ts';
import { asBps, asMs, asRate, type UnixMs } from '../../domain/units.ts';
import type { PaymentScope } from '../../history/queries/funding-payments.ts';
import { stored } from '../../history/store.ts';
import { makeMarket } from '../../market/market-fixture.ts';
import type { Ports } from '../../products/define-product.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import { backtestPair } from './backtest-pair.ts';

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
            canonicalId: 'crypto:BTC',
            venue,
            symbol: 'BTCUSDT',
            listedAt: asMs(0),
            hours: 8,
            at: hour(at),
            rate: asRate(bps / 10_000),
          },
        ],
  );
}

/** As the store reads them: by whole seconds, without the end. */
const within = (payments: readonly FundingPayment[], { from, to }: PaymentScope) =>
  payments.filter(({ at }) => at >= from && at < Math.floor(to / SECOND_MS) * SECOND_MS);

interface Case {
  readonly missing?: readonly number[];
  /** Minutes after the end of the window at which it is asked. */
  readonly askedMinutesLater?: number;
  readonly asked?: Readonly<Record<string, unknown>>;
}

async function answerWith({ missing = [], askedMinutesLater, asked: further = {} }: Case = {}) {
  const fixture = makeMarket();
  for (const venue of ['binance', 'bybit']) {
    fixture.list(venue, ['BTC'], { takerFeeBps: asBps(5) });
    fixture.quote(venue, { symbol: 'BTCUSDT', mark: 100, rate: 0.0001, interval: 8 });
  }
  const payments = [...paymentsOf('binance', 3, missing), ...paymentsOf('bybit', 1, [])];
  const reader = {
    fundingPayments: async (scope: PaymentScope) => stored(within(payments, scope)),
    buckets: async () => stored([]),
    takerFees: async () => stored([]),
  };
  const history = { reader };
  const now = () =>
    askedMinutesLater === undefined ? fixture.now() : asMs(hour(END) + askedMinutesLater * MINUTE_MS);
  const ports = { market: fixture.market.view, clock: { now }, history } as unknown as Ports;
  const asked = {
    ticker: 'BTC',
    short: 'binance',
    long: 'bybit',
    enter_bps: 1,
    exit_bps: 0,
    fee_bps: 0,
    max_hold_hours: 168,
    size_usd: 10_000,
    leverage: 1,
    assumed_slippage_bps: 0,
    from: new Date(START).toISOString(),
    to: new Date(hour(END)).toISOString(),
    ...further,
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

describe('a backtest of which a part is not known', () => {
  it('no price of a leg: the net without it', async () => {
    const sums = { price_usd: null, net_usd: null, net_without_price_usd: expect.closeTo(4, 9) };
    expect(await answerWith()).toMatchObject({ content: { json: { ...sums, trades: [sums] } } });
  });

  it('no book of a leg and nothing assumed: a 404, which costs nothing', async () => {
    expect(await answerWith({ asked: { assumed_slippage_bps: undefined } })).toMatchObject({
      code: 'no_data',
      detail: expect.stringContaining('assumed_slippage_bps'),
    });
  });

  it('a size beyond the stored books: a 400 before anything is charged', async () => {
    const asked = { size_usd: 10_001, assumed_slippage_bps: undefined };
    expect(await answerWith({ asked })).toMatchObject({ code: 'invalid_parameter' });
    expect(await answerWith({ asked: { size_usd: 10_001 } })).toMatchObject({ content: {} });
  });
});

describe('a backtest of a window within the hour that goes on', () => {
  it('no whole hour has passed: refused before anything is charged', async () => {
    const [from, to] = [END, END + 1].map((n) => new Date(hour(n)).toISOString());
    expect(await answerWith({ asked: { from, to }, askedMinutesLater: 20 })).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'from', message: 'must be at least one whole hour in the past' }],
    });
  });

  it('is answered up to the last whole hour where one has passed', async () => {
    const [from, to] = [END - 1, END + 1].map((n) => new Date(hour(n)).toISOString());
    expect(await answerWith({ asked: { from, to }, askedMinutesLater: 20 })).toMatchObject({
      content: { json: { from_ts: from, to_ts: new Date(hour(END)).toISOString() } },
    });
  });
});

describe('fees of the buyer in a backtest', () => {
  const known = { fee_bps: undefined, assumed_slippage_bps: 0 };

  it('of one venue: charged there at all times, the public fee on the other', async () => {
    const asked = { ...known, fees: 'bybit:2.5', maker: 'bybit:1' };
    expect(await answerWith({ asked })).toMatchObject({
      content: {
        json: {
          short: { taker_fee_bps: 5, fee_is_asked: false },
          long: { taker_fee_bps: 2.5, fee_is_asked: true, maker_fee_bps: 1 },
          fees_usd: expect.closeTo(-15, 9),
          fees: [{ venue: 'bybit', taker_fee_bps: 2.5, maker_fee_bps: 1 }],
        },
      },
    });
  });

  it('maker fees of both legs: the sums of the same fills beside', async () => {
    const asked = { ...known, fee_bps: 4, maker: 'BYBIT:1,binance:-0.5' };
    const answer = await answerWith({ asked });
    expect(answer).toMatchObject({
      content: { json: { fees_usd: expect.closeTo(-16, 9), maker_fees_usd: expect.closeTo(-1, 9) } },
    });
    expect(answer).toMatchObject({ content: { json: { net_usd: null, maker_net_usd: null } } });
  });

  it('a venue that is not tracked: a 404 with the nearest', async () => {
    expect(await answerWith({ asked: { fees: 'bybitt:2' } })).toMatchObject({ code: 'unknown_venue' });
  });
});

describe('what a backtest is asked to charge', () => {
  it.each([
    ['fee_bps', 1e308, 'must be at most 10000'],
    ['fee_bps', 10_000.5, 'must be at most 10000'],
    ['fee_bps', -101, 'must be at least -100'],
    ['assumed_slippage_bps', 1e308, 'must be at most 10000'],
    ['assumed_slippage_bps', -1, 'must be at least 0'],
  ])('is refused where %s is %s, before anything is charged', async (parameter, value, message) => {
    expect(await answerWith({ asked: { [parameter]: value } })).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter, message }],
    });
  });

  it.each([
    { fee_bps: 10_000, assumed_slippage_bps: 10_000 },
    { fee_bps: -100, assumed_slippage_bps: 0 },
  ])('leaves no sum unknown at the ends of what may be asked: %j', async (asked) => {
    const sums = { fees_usd: expect.any(Number), slippage_usd: expect.any(Number) };
    expect(await answerWith({ asked: { ...asked, size_usd: 1_000_000 } })).toMatchObject({
      content: { json: { ...sums, trades_count: 1 } },
    });
  });
});

describe('a backtest that leaves after its holding time', () => {
  it('the spread still paid: said of the trade, and counted', async () => {
    const early = { left: 'holding_time', exit_spread_8h_bps: expect.closeTo(2, 9), left_while_paying: true };
    const last = { left: 'window_end', left_while_paying: false };
    expect(await answerWith({ asked: { max_hold_hours: 9 } })).toMatchObject({
      content: { json: { left_while_paying: 1, trades: [early, last] } },
    });
  });

  it('the spread was not known then: null, and not counted', async () => {
    const trade = { left: 'holding_time', exit_spread_8h_bps: null, left_while_paying: null };
    const unknown = {
      missing: [-16, -8, 8, 16],
      asked: { max_hold_hours: 17, to: '2026-11-19T17:00:00.000Z' },
    };
    expect(await answerWith({ ...unknown, askedMinutesLater: 90 })).toMatchObject({
      content: { json: { left_while_paying: 0, trades: [trade] } },
    });
  });
});
