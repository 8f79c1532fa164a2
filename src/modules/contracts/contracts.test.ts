import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../domain/instrument.ts';
import { asBase, asMs, asPrice, asRate, asUsd } from '../../domain/units.ts';
import { makeMarket } from '../../market/market-fixture.ts';
import type { Ports } from '../../products/define-product.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import { contractsProduct } from './contracts.ts';

const TERMS = {
  tick: asPrice(0.1),
  lot: asBase(0.001),
  minSize: asBase(0.001),
  minNotionalUsd: asUsd(250),
  maxLeverage: 50,
};
const BTC: Partial<Instrument> = { base: 'BTC', terms: TERMS, fundingCap: asRate(0.003) };

function world() {
  const fixture = makeMarket();
  const ports = { market: fixture.market.view, clock: { now: fixture.now } } as unknown as Ports;
  const ask = async (asked: Readonly<Record<string, unknown>>) => {
    const plan = contractsProduct.plan(asked, ports);
    const made = plan.ok ? await plan.value.produce() : plan;
    return made.ok ? made.value : made.error;
  };
  const rows = async (asked: Readonly<Record<string, unknown>>) => {
    const made = await ask(asked);
    if (!('content' in made && 'json' in made.content)) throw new Error(JSON.stringify(made));
    return (made.content.json as { contracts: Record<string, unknown>[] }).contracts;
  };
  return { fixture, ask, rows };
}

describe('contracts of now', () => {
  it('one contract: its terms, with the smallest order at the mark', async () => {
    const { fixture, rows } = world();
    fixture.list('binance', [BTC]);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 100_000, rate: 0.0001, interval: 8 });
    const [row] = await rows({ venue: 'binance', ticker: 'BTC' });
    expect(row).toMatchObject({
      venue_symbol: 'BTCUSDT',
      tick: 0.1,
      lot: 0.001,
      min_size: 0.001,
      min_notional_usd: 250,
      min_order_base: 0.003,
      min_order_usd: 300,
      max_leverage: 50,
      funding_cap: 0.003,
      funding_floor: null,
      maintenance_margin_fraction: null,
      last_seen_at: null,
      null_reasons: {
        funding_floor: 'not_published',
        maintenance_margin_fraction: 'not_stated',
        delists_at: 'not_stated',
        last_seen_at: 'still_listed',
      },
    });
  });

  it('no mark: the smallest order by value is unknown', async () => {
    const { fixture, rows } = world();
    fixture.list('binance', [BTC, { base: 'ETH', terms: { minSize: asBase(0.01) } }, 'SOL']);
    const [btc, eth, sol] = await rows({ venue: 'binance' });
    expect(btc).toMatchObject({ min_order_base: null, null_reasons: { min_order_base: 'unknown' } });
    expect(eth).toMatchObject({ min_order_base: 0.01, null_reasons: { min_order_usd: 'unknown' } });
    expect(sol).toMatchObject({
      tick: null,
      null_reasons: { tick: 'not_stated', min_order_usd: 'not_stated' },
    });
  });

  it('an asset: its contracts on all venues, by venue', async () => {
    const { fixture, rows } = world();
    fixture.list('bybit', ['BTC', 'ETH']);
    fixture.list('binance', ['BTC']);
    expect((await rows({ ticker: 'btc' })).map(({ venue }) => venue)).toEqual(['binance', 'bybit']);
  });

  it('neither venue nor ticker: a 400 that says what to name', async () => {
    expect(await world().ask({})).toMatchObject({
      code: 'missing_parameter',
      errors: [{ parameter: 'venue' }],
    });
  });

  it('a venue whose list has not been read: not ready', async () => {
    const { fixture, ask } = world();
    fixture.list('binance', []);
    expect(await ask({ venue: 'binance' })).toMatchObject({ code: 'not_ready' });
    expect(await ask({ venue: 'binanec' })).toMatchObject({ code: 'unknown_venue' });
  });
});

describe('contracts of a moment', () => {
  it('listed then, delisted since: with when that was seen', async () => {
    const { fixture, rows, ask } = world();
    fixture.list('binance', [BTC, 'LUNA']);
    const first = fixture.now();
    fixture.pass(2 * DAY_MS);
    fixture.list('binance', [BTC, 'SOL']);
    const later = fixture.now();
    fixture.pass(HOUR_MS);
    const at = (time: number) => new Date(time).toISOString();
    const then = await rows({ venue: 'binance', as_of: at(first + HOUR_MS) });
    expect(then.map(({ ticker, last_seen_at: end }) => [ticker, end])).toEqual([
      ['BTC', null],
      ['LUNA', at(later)],
    ]);
    expect(then[0]).toMatchObject({ tick: null, null_reasons: { tick: 'not_stored_then' } });
    const now = await rows({ venue: 'binance', as_of: at(later) });
    expect(now.map(({ ticker }) => ticker)).toEqual(['BTC', 'SOL']);
    expect(await rows({ ticker: 'LUNA', as_of: at(first) })).toHaveLength(1);
    expect(await rows({ venue: 'binance', ticker: 'LUNA', as_of: at(first) })).toHaveLength(1);
    expect(await ask({ ticker: 'LUNA' })).toMatchObject({ code: 'unknown_ticker' });
    expect(await ask({ venue: 'binance', as_of: at(first - 1) })).toMatchObject({ code: 'no_data' });
    expect(await ask({ venue: 'binance', as_of: at(asMs(later + DAY_MS)) })).toMatchObject({
      code: 'invalid_parameter',
    });
  });
});
