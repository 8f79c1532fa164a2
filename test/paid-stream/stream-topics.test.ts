import { afterEach, describe, expect, it } from 'vitest';
import { asBps } from '../../src/domain/units.ts';
import { readSelection } from '../../src/modules/paid-stream/selection.ts';
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
    expect(rig.record(id).meter.used).toBe(1);
  });

  it('of two sizes: each stream gets its own', async () => {
    const { market, rig } = openRig();
    market.fillBook('okx', 99.9, 100.1, 20);
    const small = await rig.read(rig.buy(3, { topics: 'quotes', symbol: 'BTC', size_usd: 1000 }));
    const large = await rig.read(rig.buy(3, { topics: 'quotes', symbol: 'BTC', size_usd: 200_000 }));
    const rowsOf = ({ sink }: typeof small) => sink.heard[0]?.data.topics.quotes.rows;
    expect(rowsOf(small)).toMatchObject([{ size_usd: 1000, max_fillable_usd: 1998 }]);
    expect(rowsOf(large)).toMatchObject([
      { size_usd: 200_000, buy_slippage_bps: null, null_reasons: { buy_slippage_bps: 'too_thin' } },
    ]);
    rig.turn();
    expect([small.sink.names, large.sink.names]).toEqual([['snapshot'], ['snapshot']]);
  });

  it('a book that grows old: its row is gone', async () => {
    const { market, rig } = openRig();
    market.fillBook('okx', 99.9, 100.1, 20);
    const { sink } = await rig.read(rig.buy(3, { topics: 'funding,quotes', symbol: 'BTC' }));
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

describe('a selection that is refused', () => {
  it.each([
    [{ topics: 'quotes' }, 'symbol'],
    [{ topics: 'quotes', symbol: Array.from({ length: 21 }, (_, at) => `A${at}`).join() }, 'symbol'],
    [{ topics: 'funding', size_usd: 5000 }, 'size_usd'],
    [{ topics: 'quotes', symbol: 'BTC', size_usd: 99 }, 'size_usd'],
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
