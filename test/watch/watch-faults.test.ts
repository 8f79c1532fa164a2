import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MOST_WATCHES } from '../../src/modules/watch/desk.ts';
import { DAY_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { atOnce } from '../at-once.ts';
import { conditionFrom, marketRig, watchRig } from './watch-rig.ts';

const RATE = 0.0001;

function rigOf() {
  const market = marketRig();
  market.list('binance', ['BTC']);
  const quote = (rate: number): void =>
    market.tape.sinks.market.quotes(
      'binance',
      [{ symbol: 'BTCUSDT', markPrice: 100, fundingRate: rate, fundingIntervalHours: 8 } as never],
      market.now(),
    );
  const process = (owner: string, folder?: string) => {
    const rig = watchRig(market, { owner, ...(folder !== undefined && { folder }) });
    onTestFinished(() => rig.close());
    return rig;
  };
  const rig = process('one');
  quote(RATE);
  rig.turn();
  const condition = conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005, firings: 1 });
  const renewal = (id: string, days: number) => ({
    body: Buffer.from(
      JSON.stringify({ id, secret: null, days, began_at: new Date(market.now()).toISOString() }),
    ),
  });
  return { ...rig, rig, market, quote, process, condition, renewal };
}

describe('a watch that is taken up', () => {
  it('two kills in a row: both gaps are stored', async () => {
    const { rig, market, quote, process, hold, condition } = rigOf();
    const id = hold(condition);
    rig.turn(2);
    await rig.kill();
    market.pass(60_000);
    const second = process('two', rig.folder);
    quote(RATE);
    second.turn(2);
    await second.kill();
    market.pass(90_000);
    const third = process('three', rig.folder);
    quote(RATE);
    third.turn(2);
    const spans = third.store.watch(id)?.progress.missing ?? [];
    expect(new Set(spans.map(({ reason }) => reason))).toEqual(new Set(['not_watched']));
    const missing = spans.reduce((sum, { from, to }) => sum + to - from, 0);
    expect(missing).toBeGreaterThanOrEqual(150_000);
  });

  it('the first write fails: the gap is stored once the disk takes it', async () => {
    const { rig, market, process, hold, condition } = rigOf();
    const id = hold(condition);
    rig.turn(2);
    await rig.kill();
    market.pass(60_000);
    const second = process('two', rig.folder);
    const { save } = second.store;
    second.store.save = () => {
      throw new Error('the disk is full');
    };
    second.turn(2, 3000);
    expect(second.engine.holds).toBe(false);
    second.store.save = save.bind(second.store);
    second.turn(2, 3000);
    const [gap] = second.store.watch(id)?.progress.missing ?? [];
    expect((gap?.to ?? 0) - (gap?.from ?? 0)).toBeGreaterThanOrEqual(66_000);
  });

  it('looks that were not written: it was there until those before', () => {
    const { store, market, quote, turn, hold, condition } = rigOf();
    hold(condition);
    turn(2, 2000);
    const written = market.now();
    store.save = () => {
      throw new Error('the disk is full');
    };
    quote(0.0006);
    turn(2, 2000);
    expect(store.holder?.aliveAt).toBe(written);
  });

  it('another process has taken the place: nothing is written', () => {
    const { store, engine, market, quote, turn, told, hold, condition } = rigOf();
    hold(condition);
    turn();
    const now = market.now();
    store.hold(() => ({ owner: 'two', term: 2, until: now + MINUTE_MS, aliveAt: now, held: 0 }));
    quote(0.0006);
    turn();
    expect([told, engine.holds]).toEqual([[], false]);
  });
});

describe('the end of a watch and its renewal', () => {
  it('the condition holds only after the end: not fired', () => {
    const { market, quote, turn, kinds, hold, condition } = rigOf();
    hold(condition, MINUTE_MS / DAY_MS);
    turn();
    market.pass(MINUTE_MS);
    quote(0.0006);
    turn();
    expect(kinds()).toEqual(['ended']);
  });

  it('ended by time while its renewal settled: it goes on, with a gap', () => {
    const { market, quote, turn, kinds, desk, hold, condition, renewal } = rigOf();
    const id = hold(condition, MINUTE_MS / DAY_MS);
    turn(1, MINUTE_MS);
    expect(desk.find(id)?.endReason).toBe('time');
    market.pass(20_000);
    desk.sold({ key: 'renewal', payer: '0xbuyer' }, renewal(id, 1));
    const { endedAt, endsAt, statement, progress } = desk.find(id) ?? {};
    expect([endedAt, statement, endsAt]).toEqual([undefined, undefined, market.now() + DAY_MS]);
    expect(progress?.missing.at(-1)).toMatchObject({ to: market.now(), reason: 'not_watched' });
    quote(0.0006);
    turn();
    expect(kinds()).toEqual(['ended', 'fired', 'ended']);
  });

  it('ended by its firings while its renewal settled: as many again', () => {
    const { market, quote, turn, kinds, desk, hold, condition, renewal } = rigOf();
    const id = hold(condition);
    quote(0.0006);
    turn();
    desk.sold({ key: 'renewal', payer: '0xbuyer' }, renewal(id, 1));
    for (const rate of [RATE, 0.0006]) {
      market.pass(1000);
      quote(rate);
      turn();
    }
    expect(kinds()).toEqual(['fired', 'ended', 'cleared', 'fired', 'ended']);
    expect(desk.find(id)?.progress.fired).toBe(2);
  });
});

describe('looks that fail', () => {
  it('each look throws: unknown after five minutes, ended at its time', () => {
    const { market, turn, told, faults, hold, condition } = rigOf();
    hold(condition, (10 * MINUTE_MS) / DAY_MS);
    const broken = new Proxy(market.ports.market, {
      get: () => {
        throw new Error('broken');
      },
    });
    Object.assign(market.ports, { market: broken });
    turn(80, 10_000);
    expect(faults.length).toBeGreaterThan(0);
    expect(told.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['unknown', 'failed'],
      ['ended', 'time'],
    ]);
  });
});

describe('a question without an answer', () => {
  it('unknown as failed after its deadline of a minute, and then told', () => {
    const { market, turn, told, desk, hold } = rigOf();
    const never = new Proxy({}, { get: () => () => new Promise(() => {}) });
    Object.assign(market.ports, { history: { version: 0, reader: never } });
    const id = hold(
      conditionFrom(market, { kind: 'percentile', ticker: 'BTC', venue: 'binance', above: 90 }),
    );
    const reason = (): string | undefined => desk.find(id)?.progress.unknownReason;
    turn(11, 5000);
    expect(reason()).toBeUndefined();
    turn(6, 5000);
    expect(reason()).toBe('failed');
    turn(70, 5000);
    expect(told.map(({ kind, reason: why }) => [kind, why])).toEqual([['unknown', 'failed']]);
  });
});

describe('places for watches', () => {
  it('the process that holds them has none left: nobody sells', async () => {
    const { rig, store, market, process } = rigOf();
    const other = process('two', rig.folder);
    other.turn();
    expect(other.engine.holds).toBe(false);
    const holdSome = async (held: number): Promise<void> => {
      const now = market.now();
      store.hold(() => ({ owner: 'one', until: now + MINUTE_MS, aliveAt: now, held }));
      // Reads of one turn of the event loop see one moment of the store.
      await setImmediate();
    };
    await holdSome(MOST_WATCHES - 1);
    expect(other.desk.full()).toBeUndefined();
    await holdSome(MOST_WATCHES);
    expect(other.desk.full()).toMatchObject({ code: 'not_ready', retryAfterSeconds: 60 });
  });
});

describe('hosts that share a ledger', () => {
  it('a sale of another host: not registered', () => {
    const { desk, process, market, condition } = rigOf();
    const { id, secret } = atOnce(desk.offer(condition, 1));
    const began_at = new Date(market.now()).toISOString();
    const body = Buffer.from(JSON.stringify({ id, secret, condition, days: 1, began_at }));
    const other = process('other');
    other.desk.sold({ key: 'sale', payer: '0xbuyer' }, { body });
    expect(other.desk.find(id)).toBeUndefined();
    desk.sold({ key: 'sale', payer: '0xbuyer' }, { body });
    expect(desk.find(id)?.sales).toEqual(['sale']);
  });
});
