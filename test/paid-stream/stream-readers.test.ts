import { afterEach, describe, expect, it, vi } from 'vitest';
import { HeardSink, type StreamMarket, streamMarket, streamRig } from './stream-rig.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

const MINUTE_MS = 60_000;
const PLACES = 1000;

const quote = (market: StreamMarket, rate: number): void =>
  market.quote('okx', { symbol: 'BTCUSDT', mark: 100, rate, interval: 8, bid: 99.9, ask: 100.1 });

function openRig() {
  const market = streamMarket();
  market.list('okx', ['BTC', 'ETH']);
  quote(market, 0.0002);
  market.pass(0);
  const rig = streamRig(market);
  closing.push(() => rig.close());
  const live = (seconds: number): void => {
    for (let second = 0; second < seconds; second += 1) {
      quote(market, 0.0002);
      rig.turn();
    }
  };
  /** So much later in the process; the market's clock stays. */
  const later = (ms: number): void => {
    const at = performance.now() + ms;
    vi.spyOn(performance, 'now').mockReturnValue(at);
  };
  /** Readers of a stream of their own until all places are taken. */
  const fill = (id: string): void => {
    for (let at = rig.hall.readers; at < PLACES; at += 1) {
      const record = { ...rig.record(id), id: `filler ${at >> 1}` };
      rig.store.sell({ key: record.id, claimedAt: 0 }, record.id, () => record);
      rig.hall.enter(record, new HeardSink(), `address ${at}`, undefined);
    }
  };
  return { market, rig, live, later, fill };
}

describe('a reader that is sent away', () => {
  it('one that takes nothing: cut off, so that nothing goes on waiting', async () => {
    const { rig } = openRig();
    const id = rig.buy(5);
    const sinks = Array.from({ length: 6 }, () => new HeardSink());
    for (const sink of sinks) {
      sink.isTaking = false;
      sink.waiting = 2 ** 20;
      await rig.read(id, undefined, sink);
    }
    expect(sinks.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true, false, false]);
    expect([rig.hall.readers, rig.hall.counts.cut]).toEqual([2, 4]);
  });

  it('until its connection is closed: it holds a place of its address', async () => {
    const { rig } = openRig();
    const id = rig.buy(5);
    const readers = [];
    for (let count = 0; count < 50; count += 1) readers.push(await rig.read(id));
    expect(rig.hall.readers).toBe(2);
    expect(rig.hall.refusal('address', rig.record(id))?.code).toBe('rate_limited');
    for (const { reader } of readers) rig.hall.leave(reader);
    expect([rig.hall.refusal('address', rig.record(id)), rig.hall.size]).toEqual([undefined, 0]);
  });

  it('its last event waits: counted among what waits for all', async () => {
    const { market, rig } = openRig();
    const id = rig.buy(5);
    const first = await rig.read(id);
    const second = await rig.read(id);
    first.sink.isTaking = false;
    first.sink.waiting = 100 * 2 ** 20;
    await rig.read(id);
    expect([first.sink.ended, first.sink.destroyed]).toEqual([true, false]);
    second.sink.isTaking = false;
    second.sink.waiting = 100 * 2 ** 20;
    quote(market, 0.0005);
    rig.turn();
    expect([first.sink.destroyed, second.sink.destroyed]).toEqual([true, false]);
  });

  it('it does not go for a minute: cut off', async () => {
    const { rig, live, later } = openRig();
    const id = rig.buy(5);
    const first = await rig.read(id);
    await rig.read(id);
    await rig.read(id);
    expect([first.sink.ended, first.sink.destroyed]).toEqual([true, false]);
    later(MINUTE_MS + 1000);
    live(1);
    expect(first.sink.destroyed).toBe(true);
  });
});

describe('a reader that is not served', () => {
  it.each([
    ['unpaid', 1, 'BTC'],
    ['no_data', 1, 'ETH'],
  ])('%s for ten minutes: told so, and sent away', async (reason, minutes, symbol) => {
    const { rig, live, later } = openRig();
    const { sink } = await rig.read(rig.buy(minutes, { symbol }));
    live(80);
    expect(sink.last).toMatchObject({ event: 'paused', data: { reason } });
    later(9 * MINUTE_MS);
    live(1);
    expect(sink.last?.event).toBe('paused');
    later(2 * MINUTE_MS);
    live(1);
    expect(sink.last).toMatchObject({ event: 'closing', data: { reason } });
    expect([sink.ended, rig.hall.size]).toEqual([true, 0]);
  });

  it('all places are taken: makes room for a paid stream alone', async () => {
    const { rig, live, fill } = openRig();
    const silent = await rig.read(rig.buy(1, { symbol: 'ETH' }));
    const paid = rig.buy(3);
    const spent = rig.buy(1);
    const { reader } = await rig.read(spent);
    live(5);
    rig.hall.leave(reader);
    live(60);
    fill(paid);
    expect(rig.hall.refusal('other', rig.record(spent))?.code).toBe('stream_full');
    expect(silent.sink.ended).toBe(false);
    expect(rig.hall.refusal('other', rig.record(paid))).toBeUndefined();
    expect(silent.sink.ended).toBe(false);
    await rig.read(paid);
    expect(silent.sink.last).toMatchObject({ event: 'closing', data: { reason: 'no_data' } });
    expect(rig.hall.refusal('other', rig.record(paid))?.code).toBe('stream_full');
  });
});

describe('an id of before the first snapshot', () => {
  it('after a break: the whole state, and numbers that go on', async () => {
    const { rig, live } = openRig();
    const id = rig.buy(1);
    const first = await rig.read(id);
    live(30);
    rig.hall.leave(first.reader);
    live(40);
    const paused = await rig.read(id);
    expect(paused.sink.names).toEqual(['paused']);
    rig.hall.leave(paused.reader);
    const again = await rig.read(id, paused.sink.last?.id);
    rig.desk.extend(id, 1);
    live(3);
    expect(again.sink.names).toEqual(['paused', 'resumed', 'snapshot']);
    expect(again.sink.last?.data.reason).toBe('start');
    expect(again.sink.heard.map(({ id: each }) => each.split('-').at(-1))).toEqual(['2', '3', '4']);
  });
});

describe('a fault while rows are read', () => {
  it('of a new reader: nothing is begun, and no connection is taken', async () => {
    const { rig } = openRig();
    const id = rig.buy(2);
    const sink = new HeardSink();
    const begin = vi.spyOn(sink, 'begin');
    vi.spyOn(rig.board, 'want').mockImplementationOnce(() => {
      throw new Error('a row');
    });
    await expect(rig.read(id, undefined, sink)).rejects.toThrow('a row');
    rig.turn(3);
    expect([begin.mock.calls.length, rig.hall.size, rig.record(id).meter.used]).toEqual([0, 0, 0]);
  });

  it.each(['snapshot', 'since'] as const)('%s: reported, and told later', async (read) => {
    const { market, rig } = openRig();
    const { sink } = await rig.read(rig.buy(2));
    const other = new HeardSink();
    vi.spyOn(rig.board, read).mockImplementationOnce(() => {
      throw new Error('a row');
    });
    quote(market, 0.0005);
    if (read === 'since') rig.turn();
    else await rig.read(rig.buy(2), undefined, other);
    expect(rig.faults).toHaveLength(1);
    rig.turn(2);
    const heard = read === 'since' ? sink : other;
    expect(heard.last?.data.topics.funding.rows).toMatchObject([{ rate: 0.0005 }]);
  });
});
