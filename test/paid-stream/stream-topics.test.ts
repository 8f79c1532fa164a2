import { afterEach, describe, expect, it } from 'vitest';
import { asBps } from '../../src/domain/units.ts';
import { readSelection, tooLarge } from '../../src/modules/paid-stream/selection.ts';
import { extendPath } from '../../src/modules/paid-stream/stream-purchase.ts';
import { streamMarket, streamRig } from './stream-rig.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Two venues whose rates are far apart, without books. */
function openRig() {
  const market = streamMarket();
  for (const [venue, rate] of [['binance', 0.0001] as const, ['okx', 0.002] as const]) {
    market.list(venue, ['BTC'], { takerFeeBps: asBps(5) });
    market.quote(venue, { symbol: 'BTCUSDT', mark: 100, index: 100, rate, interval: 8 });
  }
  market.pass(0);
  const rig = streamRig(market);
  closing.push(() => rig.close());
  return { market, rig };
}

describe('quotes of a stream', () => {
  it('books that nobody has read: asked for, and no minute until they come', async () => {
    const { market, rig } = openRig();
    const id = rig.buy(3, { topics: 'quotes', symbol: 'BTC', size_usd: 5000 });
    const { sink } = await rig.read(id);
    expect(sink.names).toEqual(['paused']);
    expect([...market.asked].sort()).toEqual(['binance BTCUSDT', 'okx BTCUSDT']);
    market.fillBook('okx', 99.9, 100.1, 1000);
    rig.turn();
    expect(sink.heard.slice(1)).toMatchObject([
      { event: 'resumed', data: { reason: 'no_data' } },
      {
        event: 'snapshot',
        data: {
          topics: { quotes: { rows: [{ venue: 'okx', size_usd: 5000, taker_fee_bps: 5, source: 'rest' }] } },
        },
      },
    ]);
    const [row] = sink.last?.data.topics.quotes.rows ?? [];
    expect(row.buy_slippage_bps).toBeCloseTo(10, 6);
    expect(row.sell_slippage_bps).toBeCloseTo(10, 6);
    expect(rig.record(id).meter.used).toBe(2);
  });

  it('of two sizes: each stream gets its own', async () => {
    const { market, rig } = openRig();
    market.fillBook('okx', 99.9, 100.1, 20);
    const small = await rig.read(rig.buy(3, { topics: 'quotes', symbol: 'BTC', size_usd: 1000 }));
    const large = await rig.read(rig.buy(3, { topics: 'quotes', symbol: 'BTC', size_usd: 250_000 }));
    const rowsOf = ({ sink }: typeof small) => sink.heard[0]?.data.topics.quotes.rows;
    expect(rowsOf(small)).toMatchObject([{ size_usd: 1000, max_fillable_usd: 1998 }]);
    expect(rowsOf(large)).toMatchObject([
      { size_usd: 250_000, buy_slippage_bps: null, null_reasons: { buy_slippage_bps: 'too_thin' } },
    ]);
    rig.turn();
    expect([small.sink.names, large.sink.names]).toEqual([['snapshot'], ['snapshot']]);
  });

  it('a book that grows old: its row is gone', async () => {
    const { market, rig } = openRig();
    market.fillBook('okx', 99.9, 100.1, 20);
    const { sink } = await rig.read(rig.buy(4, { topics: 'funding,quotes', symbol: 'BTC' }));
    market.pass(61_000);
    for (const venue of ['binance', 'okx'])
      market.quote(venue, { symbol: 'BTCUSDT', mark: 100, rate: 0.0001, interval: 8 });
    rig.turn();
    expect(sink.last?.data.topics.quotes).toEqual({ rows: [], gone: ['okx crypto:BTC 10000'] });
  });
});

describe('signals of a stream', () => {
  it('the best pair of an asset, as the signal has it', async () => {
    const { market, rig } = openRig();
    for (const venue of ['binance', 'okx']) market.fillBook(venue, 99.99, 100.01, 1000);
    const { sink } = await rig.read(rig.buy(3, { topics: 'signals', symbol: 'BTC' }));
    expect(sink.last?.data.topics.signals.rows).toMatchObject([
      { ticker: 'BTC', short_venue: 'okx', long_venue: 'binance', max_notional_usd: 10_000 },
    ]);
  });
});

describe('signals of an asset that has none', () => {
  it('an empty set is the answer: the minute is used', async () => {
    const { market, rig } = openRig();
    market.list('binance', ['BTC', 'ETH']);
    market.quote('binance', { symbol: 'ETHUSDT', mark: 100, rate: 0.0001, interval: 8 });
    const id = rig.buy(3, { topics: 'signals', symbol: 'ETH' });
    const { sink } = await rig.read(id);
    expect(sink.last).toMatchObject({ event: 'snapshot', data: { topics: { signals: { rows: [] } } } });
    expect(rig.record(id).meter.used).toBe(rig.record(id).selection.uses);
  });
});

describe('a selection that is refused', () => {
  it.each([
    [{ topics: 'quotes' }, 'symbol'],
    [{ topics: 'quotes', symbol: Array.from({ length: 21 }, (_, at) => `A${at}`).join() }, 'symbol'],
    [{ topics: 'funding', size_usd: 5000 }, 'size_usd'],
    [{ topics: 'quotes', symbol: 'BTC', size_usd: 99 }, 'size_usd'],
    [{ topics: 'quotes', symbol: 'BTC', size_usd: 1001 }, 'size_usd'],
    [{ topics: 'quotes', symbol: 'BTC', size_usd: 250_001 }, 'size_usd'],
    [{ topics: 'signals', symbol: 'BTC', venues: 'okx' }, 'venues'],
    [{ topics: 'funding,', symbol: ',' }, 'symbol'],
    [{ topics: ',' }, 'topics'],
  ])('%j: it is %s', (asked, parameter) => {
    const { market } = openRig();
    expect(readSelection(asked, market.market.view)).toMatchObject({
      ok: false,
      error: { code: 'invalid_parameter', errors: [{ parameter }] },
    });
  });
});

describe('what a minute takes', () => {
  const names = (count: number): string => Array.from({ length: count }, (_, at) => `A${at}`).join();

  it.each([
    ['funding', 50, 1],
    ['funding', 51, 2],
    ['quotes', 1, 2],
    ['funding,quotes', 5, 4],
    ['quotes,signals', 20, 10],
    ['signals', 3, 2],
    ['signals', undefined, 10],
  ])('%s of %s assets: it uses %i', (topics, count, uses) => {
    const { market } = openRig();
    market.list('okx', names(51).split(','));
    const asked = count === undefined ? { topics } : { topics, symbol: names(count) };
    const selection = readSelection(asked, market.market.view);
    expect(selection).toMatchObject({ ok: true, value: { uses } });
    if (!selection.ok) return;
    expect(tooLarge(selection.value, uses)).toBeUndefined();
    const fewer = tooLarge(selection.value, uses - 1);
    expect(fewer?.detail).toContain(`takes ${uses} paid minutes`);
  });

  it('more than one: extend names ten minutes, in events and in the state', async () => {
    const { market, rig } = openRig();
    market.fillBook('okx', 99.9, 100.1, 20);
    const id = rig.buy(2, { topics: 'quotes', symbol: 'BTC' });
    const { sink } = await rig.read(id);
    for (let second = 0; second < 50; second += 1) {
      market.fillBook('okx', 99.9, 100.1, 20);
      market.quote('okx', { symbol: 'BTCUSDT', mark: 100, rate: 0.002, interval: 8 });
      rig.turn();
    }
    const due = sink.heard.find(({ event }) => event === 'due');
    expect(due?.data.extend).toBe(`/v1/stream/ten-minutes?extends=${id}`);
    expect(extendPath(id, 1)).toBe(`/v1/stream/minute?extends=${id}`);
  });

  it('used up: its books are not read until it is paid', async () => {
    const { market, rig } = openRig();
    const live = (seconds: number): void => {
      for (let second = 0; second < seconds; second += 1) {
        market.fillBook('okx', 99.9, 100.1, 20);
        market.quote('okx', { symbol: 'BTCUSDT', mark: 100, rate: 0.002, interval: 8 });
        rig.turn();
      }
    };
    market.fillBook('okx', 99.9, 100.1, 20);
    const id = rig.buy(2, { topics: 'quotes', symbol: 'BTC' });
    const { sink } = await rig.read(id);
    live(75);
    expect(sink.last).toMatchObject({ event: 'paused', data: { reason: 'unpaid' } });
    market.asked.clear();
    market.pass(61_000);
    rig.turn(3);
    expect([...market.asked]).toEqual([]);
    rig.desk.extend(id, 10);
    live(2);
    expect(sink.names.slice(-3)).toContain('resumed');
  });
});
