import { describe, expect, it, onTestFinished } from 'vitest';
import type { WatchRecord } from '../../src/modules/watch/watch-record.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { atOnce } from '../at-once.ts';
import { conditionFrom, marketRig, type WatchRigOptions, watchRig } from './watch-rig.ts';

const RATE = 0.0001;

function rigOf(options: WatchRigOptions = {}) {
  const market = marketRig();
  market.list('binance', ['BTC', 'ETH']);
  market.list('okx', ['BTC', 'ETH']);
  const quote = (venue: string, rate: number, more: object = {}, symbol = 'BTCUSDT'): void => {
    market.tape.sinks.market.quotes(
      venue,
      [
        {
          symbol,
          markPrice: 100,
          fundingRate: rate,
          fundingIntervalHours: 8,
          ...more,
        } as never,
      ],
      market.now(),
    );
  };
  const rig = watchRig(market, options);
  onTestFinished(() => rig.close());
  quote('binance', RATE);
  quote('okx', RATE);
  rig.turn();
  return { ...rig, market, quote };
}

describe('a watch of funding', () => {
  it('the rate rises above its level: fired with the values, once', () => {
    const { market, hold, quote, turn, told, faults } = rigOf();
    const id = hold(conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005, reset: 0.0003 }));
    turn();
    expect(told).toEqual([]);
    quote('binance', 0.0006);
    turn();
    expect(told).toMatchObject([
      {
        watchId: id,
        seq: 1,
        kind: 'fired',
        values: { rate_8h: 0.0006, funding_interval_hours: 8 },
        ruleVersion: 1,
        condition: { kind: 'funding', asset: 'crypto:BTC', above: 0.0005 },
      },
    ]);
    expect(told[0]?.rowsAt).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  it('the rate between level and reset: neither cleared nor fired again', () => {
    const { market, hold, quote, turn, kinds } = rigOf();
    hold(conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005, reset: 0.0003 }));
    for (const rate of [0.0006, 0.0004, 0.0006]) {
      quote('binance', rate);
      turn();
    }
    expect(kinds()).toEqual(['fired']);
    quote('binance', 0.0003);
    turn();
    quote('binance', 0.0004);
    turn();
    quote('binance', 0.0006);
    turn();
    expect(kinds()).toEqual(['fired', 'cleared', 'fired']);
  });

  it('a least duration: fires when it is over, though nothing changes then', () => {
    const { market, hold, quote, turn, kinds } = rigOf();
    hold(conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005, for_minutes: 1 }));
    for (let minute = 0; minute < 2; minute += 1)
      for (let look = 0; look < 6; look += 1) {
        quote('binance', 0.0006);
        turn(1, 8000);
      }
    expect(kinds()).toEqual(['fired']);
  });

  it('the venue falls silent: told as unknown after five minutes, then known', () => {
    const { market, hold, quote, turn, told } = rigOf();
    hold(conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005 }));
    turn(2);
    turn(60, 10_000);
    expect(told.map(({ kind, reason }) => [kind, reason])).toEqual([['unknown', 'no_data']]);
    for (let look = 0; look < 4; look += 1) {
      quote('binance', RATE);
      turn(20);
    }
    expect(told.map(({ kind }) => kind)).toEqual(['unknown', 'known']);
  });

  it('the venue is live no more: the question is asked in that turn', () => {
    const { market, hold, turn, engine } = rigOf();
    hold(conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005 }));
    turn(2);
    const isLive = (): boolean => market.market.view.venue('binance')?.status === 'live';
    let before = 0;
    for (let passed = 0; passed < 60 && isLive(); passed += 1) {
      before = engine.counts.looks;
      turn(1, 1000);
    }
    expect([isLive(), engine.counts.looks - before]).toEqual([false, 1]);
  });

  it('the rate is stated again as it was: not asked, and of its new time', () => {
    const { market, hold, quote, turn, kinds, engine, desk } = rigOf();
    const condition = conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005 });
    const id = hold(condition);
    turn(2);
    const before = engine.counts.looks;
    for (let times = 0; times < 30; times += 1) {
      quote('binance', RATE);
      turn(20, 500);
    }
    expect(engine.counts.looks).toBe(before);
    const { rowsAt = 0, values, progress } = desk.find(id) ?? {};
    expect(rowsAt).toBeGreaterThan(market.now() - 70_000);
    expect(values).toMatchObject({ rate_8h: RATE, rate_updated_at: new Date(rowsAt).toISOString() });
    expect(progress?.missing).toEqual([]);
    hold(condition);
    turn();
    expect(engine.counts.looks).toBe(before + 1);
    quote('binance', 0.0006);
    turn(2);
    expect(kinds()).toEqual(['fired', 'fired']);
  });

  it('the clock is set back by an hour: the next change fires', () => {
    const { market, hold, quote, turn, kinds } = rigOf();
    hold(conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005 }));
    turn(2);
    market.pass(-HOUR_MS);
    quote('binance', 0.0006);
    turn(2);
    expect(kinds()).toEqual(['fired']);
  });

  it('the clock is set back by an hour: asked without a change as often', () => {
    const { market, hold, turn, engine } = rigOf();
    hold(conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005 }));
    turn(2);
    market.pass(-HOUR_MS);
    turn(1);
    const before = engine.counts.looks;
    turn(20, 10_000);
    expect(engine.counts.looks).toBeGreaterThan(before);
  });

  it('another venue changes: the question is not asked', () => {
    const { market, hold, quote, turn, engine } = rigOf();
    hold(conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005 }));
    turn(2);
    const before = engine.counts.looks;
    quote('okx', 0.002);
    turn();
    expect(engine.counts.looks).toBe(before);
  });
});

describe('other conditions', () => {
  it('the spread of a pair: fired by the product’s own figure', () => {
    const { market, hold, quote, turn, told } = rigOf();
    hold(conditionFrom(market, { kind: 'spread', ticker: 'BTC', venue: 'binance,okx', above: 5 }));
    turn(8);
    quote('binance', 0.0008);
    turn(8);
    expect(told).toMatchObject([
      { kind: 'fired', values: { spread_8h_bps: 7, short: 'binance', long: 'okx' } },
    ]);
  });

  it('a flip of sign: each fires, a rate of zero is none', () => {
    const { market, hold, quote, turn, kinds } = rigOf();
    hold(conditionFrom(market, { kind: 'flip', ticker: 'BTC', venue: 'binance' }));
    for (const rate of [RATE, 0, -RATE, 0, -RATE, RATE]) {
      quote('binance', rate);
      turn(2);
    }
    expect(kinds()).toEqual(['fired', 'fired']);
  });

  it('another interval: fired with the new one', () => {
    const { market, hold, quote, turn, told } = rigOf();
    hold(conditionFrom(market, { kind: 'interval', ticker: 'BTC', venue: 'binance' }));
    turn();
    quote('binance', RATE, { fundingIntervalHours: 4 });
    turn();
    expect(told).toMatchObject([{ kind: 'fired', values: { funding_interval_hours: 4 } }]);
  });

  it('a gap of prices: fired', () => {
    const { market, hold, quote, turn, kinds } = rigOf();
    hold(conditionFrom(market, { kind: 'price_gap', ticker: 'BTC', above: 50 }));
    turn(8);
    expect(kinds()).toEqual([]);
    quote('binance', RATE, { markPrice: 101 });
    turn(8);
    expect(kinds()).toEqual(['fired']);
  });

  it('a basis: unknown without an index, fired with one', () => {
    const { market, hold, quote, turn, kinds, told, desk, store } = rigOf();
    const id = hold(conditionFrom(market, { kind: 'basis', ticker: 'BTC', venue: 'binance', above: 20 }));
    turn(8);
    expect(desk.find(id)?.progress.unknownReason).toBe('no_value');
    const quotedAt = market.now();
    quote('binance', RATE, { markPrice: 100, indexPrice: 99, volume24hUsd: 1e9, openInterestUsd: 1e9 });
    turn(8);
    expect(kinds()).toEqual(['fired']);
    // Rows of other venues in the answer are older.
    expect(told[0]?.rowsAt).toBe(quotedAt);
    expect(store.watch(id)?.progress.missing).toHaveLength(1);
  });

  it('a venue that is not live: fired', () => {
    const { market, hold, quote, turn, kinds } = rigOf();
    hold(conditionFrom(market, { kind: 'venue_not_live', venue: 'okx' }));
    turn(8);
    expect(kinds()).toEqual([]);
    for (let look = 0; look < 10; look += 1) {
      quote('binance', RATE);
      turn(1, 10_000);
    }
    expect(kinds()).toEqual(['fired']);
  });
});

describe('the end of a watch', () => {
  it('its time is over: told, with a statement', () => {
    const { market, hold, quote, turn, told, desk } = rigOf();
    const condition = conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005 });
    const id = hold(condition, 1 / 24);
    for (let passed = 0; passed <= DAY_MS / 24; passed += MINUTE_MS) {
      market.pass(MINUTE_MS);
      quote('binance', RATE);
      turn();
    }
    turn(40);
    expect(told).toMatchObject([{ kind: 'ended', reason: 'time', seq: 1 }]);
    expect(desk.find(id)).toMatchObject({ endReason: 'time', statement: `statement of ${id}` });
  });

  it('all its firings are told: it ends at once', () => {
    const { market, hold, quote, turn, kinds, engine } = rigOf();
    hold(conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005, firings: 1 }));
    quote('binance', 0.0006);
    turn();
    expect(kinds()).toEqual(['fired', 'ended']);
    expect(engine.size).toBe(0);
  });

  it('a renewal: it ends later, and one sale renews once', () => {
    const { market, hold, desk } = rigOf();
    const id = hold(conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005 }));
    const before = desk.find(id)?.endsAt ?? 0;
    const began_at = new Date(market.now()).toISOString();
    const body = Buffer.from(JSON.stringify({ id, secret: null, days: 30, began_at }));
    const sale = { key: 'renewal', payer: '0xBuyer' };
    desk.sold(sale, { body });
    desk.sold(sale, { body });
    expect(desk.find(id)?.endsAt).toBe(before + 30 * DAY_MS);
  });
});

describe('kills and take-overs', () => {
  it('a process that is killed: the next goes on, nothing is lost or twice', async () => {
    const first = rigOf();
    const { market, quote, store } = first;
    const id = first.hold(conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005 }));
    quote('binance', 0.0006);
    first.turn();
    await first.kill();
    const second = watchRig(market, { folder: first.folder, owner: 'two' });
    onTestFinished(() => second.close());
    market.pass(20_000);
    quote('binance', 0.0006);
    second.turn(2);
    quote('binance', RATE);
    second.turn(2);
    expect(second.store.firings(id, 0, 10).map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, 'fired'],
      [2, 'cleared'],
    ]);
    expect(second.desk.find(id)?.progress.missing).toMatchObject([{ reason: 'not_watched' }]);
    expect(store).toBeDefined();
  });

  it('two processes on one store: one holds, the other sells and reads', () => {
    const first = rigOf();
    const { market, quote } = first;
    const second = watchRig(market, { folder: first.folder, owner: 'two' });
    onTestFinished(() => second.close());
    second.turn();
    const id = second.hold(conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005 }));
    first.turn();
    quote('binance', 0.0006);
    first.turn();
    second.turn();
    expect([first.engine.holds, second.engine.holds]).toEqual([true, false]);
    expect([first.told.length, second.told.length]).toEqual([1, 0]);
    expect(second.desk.firings(id, 0, 10)).toHaveLength(1);
  });

  it('another process sells: renewals alone are heard of', () => {
    const first = rigOf();
    const { market, taken } = first;
    const condition = conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005 });
    const known = first.hold(condition);
    first.turn();
    const second = watchRig(market, { folder: first.folder, owner: 'two' });
    onTestFinished(() => second.close());
    const sold = second.hold(condition);
    first.turn();
    expect(taken).toEqual([known, sold]);
    const days = { id: known, days: 1, began_at: '2026-11-29T12:00:00.000Z' };
    void second.desk.sold({ key: 'renewal', payer: '0xbuyer' }, { body: Buffer.from(JSON.stringify(days)) });
    first.turn();
    expect(taken).toEqual([known, sold, known]);
  });

  it('a full disk: nothing is told, and all of it later', () => {
    const { market, hold, quote, turn, kinds, store, faults } = rigOf();
    hold(conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005 }));
    turn();
    const save = store.save.bind(store);
    store.save = () => {
      throw new Error('the disk is full');
    };
    quote('binance', 0.0006);
    turn();
    expect([kinds(), faults.length]).toEqual([[], 1]);
    store.save = save;
    turn(4);
    expect(kinds()).toEqual(['fired']);
  });

  it('a sale that is told twice: one watch', () => {
    const { market, desk, engine } = rigOf();
    const condition = conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005 });
    const { id, secret } = atOnce(desk.offer(condition, 1));
    const began_at = new Date(market.now()).toISOString();
    const body = Buffer.from(JSON.stringify({ id, secret, condition, days: 1, began_at }));
    expect(desk.find(id)).toBeUndefined();
    desk.sold({ key: 'sale', payer: '0xBuyer' }, { body });
    desk.sold({ key: 'sale', payer: '0xBuyer' }, { body });
    expect(engine.size).toBe(1);
    expect(desk.read(id, secret)).toMatchObject({
      ok: true,
      value: { payer: '0xbuyer' } satisfies Partial<WatchRecord>,
    });
    expect(desk.read(id, 'another')).toMatchObject({ ok: false, error: { code: 'no_data' } });
    expect(desk.read(id, undefined)).toMatchObject({ ok: false, error: { code: 'missing_parameter' } });
  });
});
