import { afterEach, describe, expect, it } from 'vitest';
import { HeardSink, type StreamMarket, streamMarket, streamRig } from './stream-rig.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const DEAD = 'one';

/** A quote of BTC on a venue that stays fresh. */
const quote = (market: StreamMarket, venue: string, rate: number): void =>
  market.quote(venue, { symbol: 'BTCUSDT', mark: 100, rate, interval: 8, bid: 99.9, ask: 100.1 });

function openRig() {
  const market = streamMarket();
  market.list('binance', ['BTC', 'ETH']);
  market.list('okx', ['BTC']);
  quote(market, 'binance', 0.0001);
  quote(market, 'okx', 0.0002);
  market.pass(0);
  const rig = streamRig(market);
  closing.push(() => rig.close());
  /** Seconds in which both venues go on to be quoted. */
  const live = (seconds: number): void => {
    for (let second = 0; second < seconds; second += 1) {
      quote(market, 'binance', 0.0001);
      quote(market, 'okx', 0.0002);
      rig.turn();
    }
  };
  return { market, rig, live };
}

describe('a paid stream', () => {
  it('its first reader: the whole state, and a minute that is stored', async () => {
    const { rig } = openRig();
    const id = rig.buy(2);
    expect(rig.record(id).meter.used).toBe(0);
    const { sink } = await rig.read(id);
    expect(sink.names).toEqual(['snapshot']);
    const { reason, topics } = sink.last?.data ?? {};
    expect([reason, Object.keys(topics)]).toEqual(['start', ['funding']]);
    expect(topics.funding.rows).toMatchObject([
      { venue: 'binance', symbol: 'BTC', rate: 0.0001, rate_8h: 0.0001, next_funding_time: null },
      { venue: 'okx', symbol: 'BTC', rate: 0.0002 },
    ]);
    expect(rig.record(id).meter).toMatchObject({ paid: 2, used: 1 });
  });

  it('changes: rows of its own selection alone, numbered without a gap', async () => {
    const { market, rig } = openRig();
    const id = rig.buy(2, { topics: 'funding,touches', symbol: 'BTC', venues: 'okx' });
    const { sink } = await rig.read(id);
    quote(market, 'binance', 0.0009);
    rig.turn();
    expect(sink.names).toEqual(['snapshot']);
    quote(market, 'okx', 0.0009);
    rig.turn();
    expect(sink.last).toMatchObject({
      event: 'change',
      data: {
        topics: { funding: { rows: [{ venue: 'okx', rate: 0.0009 }], gone: [] }, touches: { rows: [] } },
      },
    });
    expect(sink.heard.map(({ id: each }) => each.split('-').at(-1))).toEqual(['1', '2']);
  });

  it('nothing but the time of a value changes: nothing is told', async () => {
    const { rig, live } = openRig();
    const { sink } = await rig.read(rig.buy(2, { topics: 'funding,touches', symbol: 'BTC' }));
    live(5);
    expect(sink.names).toEqual(['snapshot']);
  });

  it('without a reader: no minute begins, one that runs runs on', async () => {
    const { rig, live } = openRig();
    const id = rig.buy(2);
    live(200);
    const { reader } = await rig.read(id);
    rig.hall.leave(reader);
    live(30);
    const again = await rig.read(id);
    expect(rig.record(id).meter.used).toBe(1);
    rig.hall.leave(again.reader);
    live(300);
    expect(rig.record(id).meter.used).toBe(1);
  });

  it('at the end of what is paid: due, the grace, paused, then resumed', async () => {
    const { market, rig, live } = openRig();
    const id = rig.buy(5);
    const { sink } = await rig.read(id);
    live(4 * 60 + 44);
    expect(sink.names).toEqual(['snapshot']);
    live(1);
    expect(sink.last).toMatchObject({
      event: 'due',
      data: { extend: `/v1/stream/minute?extends=${id}`, paid: 5, used: 5, left: 0 },
    });
    live(17);
    quote(market, 'okx', 0.0009);
    rig.turn();
    expect([sink.last?.event, rig.record(id).meter.used]).toEqual(['change', 6]);
    live(12);
    expect(sink.last).toMatchObject({ event: 'paused', data: { reason: 'unpaid', left: -1 } });
    quote(market, 'okx', 0.0007);
    rig.turn(3);
    expect(sink.last?.event).toBe('paused');
    rig.desk.extend(id, 1);
    rig.turn();
    expect(sink.heard.slice(-2)).toMatchObject([
      { event: 'resumed', data: { reason: 'unpaid', paid: 6, left: 0 } },
      { event: 'conflated', data: { topics: { funding: { rows: [{ venue: 'okx', rate: 0.0007 }] } } } },
    ]);
    const numbers = sink.heard.map(({ id: each }) => Number(each.split('-').at(-1)));
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  });

  it('paid in time: no pause, and the next end is told of', async () => {
    const { rig, live } = openRig();
    const id = rig.buy(1);
    const { sink } = await rig.read(id);
    live(50);
    rig.desk.extend(id, 1);
    live(60);
    expect(sink.names).toEqual(['snapshot', 'due', 'due']);
    expect(rig.record(id).meter).toMatchObject({ paid: 2, used: 2 });
  });

  it('a reader of a stream that is used up: paused at once, owing nothing', async () => {
    const { rig, live } = openRig();
    const id = rig.buy(1);
    const { reader } = await rig.read(id);
    live(30);
    rig.hall.leave(reader);
    live(40);
    const { sink } = await rig.read(id);
    expect(sink.names).toEqual(['paused']);
    expect(rig.record(id).meter).toMatchObject({ paid: 1, used: 1 });
    rig.desk.extend(id, 1);
    rig.turn();
    expect(sink.names).toEqual(['paused', 'resumed', 'snapshot']);
  });

  it('its venues fall silent: paused, the rest of the minute is kept', async () => {
    const { market, rig, live } = openRig();
    const id = rig.buy(5, { symbol: 'BTC', venues: 'binance' });
    const { sink } = await rig.read(id);
    rig.turn(400);
    expect(sink.last).toMatchObject({ event: 'paused', data: { reason: 'no_data' } });
    const { used, credited, restMs } = rig.record(id).meter;
    expect([credited, restMs > 0 && restMs < 60_000]).toEqual([0, true]);
    rig.turn(300);
    expect(rig.record(id).meter.used).toBe(used);
    quote(market, 'binance', 0.0001);
    live(2);
    expect(sink.names.slice(-2)).toEqual(['resumed', 'conflated']);
    expect(rig.record(id).meter).toMatchObject({ used, restMs: 0 });
    live(61);
    expect(rig.record(id).meter.used).toBe(used + 1);
  });

  it('a second without a row: the minute goes on, nothing is given back', async () => {
    const { rig, live } = openRig();
    const id = rig.buy(1);
    const { sink } = await rig.read(id);
    const { board } = rig;
    const has = board.has.bind(board);
    for (let round = 0; round < 30; round += 1) {
      board.has = () => false;
      live(1);
      board.has = has;
      live(1);
    }
    live(1);
    expect(rig.record(id).meter).toMatchObject({ paid: 1, used: 1, credited: 0 });
    expect(sink.last).toMatchObject({ event: 'paused', data: { reason: 'unpaid' } });
  });

  it('a stream of one minute after the other: no grace is given', async () => {
    const { rig, live } = openRig();
    const id = rig.buy(1);
    const { sink } = await rig.read(id);
    live(59);
    expect(sink.names).toEqual(['snapshot', 'due']);
    live(1);
    expect(sink.last).toMatchObject({ event: 'paused', data: { left: 0 } });
  });

  it.each([3_600_000, -3_600_000])('the clock is set by %d ms: a minute stays a minute', async (ms) => {
    const { market, rig, live } = openRig();
    const id = rig.buy(1);
    const { sink } = await rig.read(id);
    live(30);
    market.setClock(ms);
    live(29);
    expect(sink.names).toEqual(['snapshot', 'due']);
    live(1);
    expect(sink.last?.event).toBe('paused');
    expect(rig.record(id).meter).toMatchObject({ used: 1, credited: 0 });
  });

  it('a reader that waits while two credits come: hears of both', async () => {
    const { market, rig, live } = openRig();
    const id = rig.buy(9);
    const { sink, reader } = await rig.read(id);
    sink.isTaking = false;
    quote(market, 'okx', 0.0009);
    rig.turn();
    const isGone = (owner: string): boolean => owner === DEAD;
    for (const credit of [1, 2]) {
      expect(rig.store.recover('two', market.clock.now(), isGone)).toBe(1);
      live(2);
      expect(rig.record(id).meter.credited).toBe(credit);
    }
    sink.isTaking = true;
    rig.hall.drained(reader);
    expect(sink.names.filter((name) => name === 'credited')).toHaveLength(2);
    expect([rig.hall.counts.begun, rig.hall.counts.credited]).toEqual([3, 2]);
  });
});

describe('a reader that comes back', () => {
  it('with the id of its last event: goes on, its numbers too', async () => {
    const { market, rig } = openRig();
    const id = rig.buy(5);
    const first = await rig.read(id);
    rig.hall.leave(first.reader);
    quote(market, 'okx', 0.0005);
    rig.turn();
    rig.turn();
    const again = await rig.read(id, first.sink.last?.id);
    expect(again.sink.heard).toMatchObject([
      {
        event: 'conflated',
        data: { looks: 2, topics: { funding: { rows: [{ venue: 'okx', rate: 0.0005 }] } } },
      },
    ]);
    expect(again.sink.last?.id.split('-').at(-1)).toBe('2');
  });

  it('with an id of another run or none at all: the whole state, and why', async () => {
    const { rig } = openRig();
    const id = rig.buy(5);
    const other = await rig.read(id, '0123abcd-7-41');
    expect(other.sink.last).toMatchObject({ event: 'snapshot', data: { reason: 'unknown_id' } });
    expect(other.sink.last?.id.split('-').at(-1)).toBe('42');
    const odd = await rig.read(id, '../../etc');
    expect(odd.sink.last).toMatchObject({ event: 'snapshot', data: { reason: 'unknown_id' } });
  });

  it('a third reader of one stream: the oldest is told that it was replaced', async () => {
    const { rig } = openRig();
    const id = rig.buy(5);
    const first = await rig.read(id);
    await rig.read(id);
    const third = await rig.read(id);
    expect(first.sink.last).toMatchObject({ event: 'closing', data: { reason: 'replaced' } });
    expect([first.sink.ended, third.sink.names, rig.hall.readersOf(id)]).toEqual([true, ['snapshot'], 2]);
    expect(rig.record(id).meter.used).toBe(1);
  });
});

describe('a slow reader', () => {
  it('gets what it missed as one, and holds up nobody', async () => {
    const { market, rig } = openRig();
    const id = rig.buy(5);
    const slow = await rig.read(id);
    const quick = await rig.read(id);
    slow.sink.isTaking = false;
    for (const rate of [0.0003, 0.0004, 0.0005]) {
      quote(market, 'okx', rate);
      rig.turn();
    }
    expect(slow.sink.names).toEqual(['snapshot', 'change']);
    expect(quick.sink.names).toEqual(['snapshot', 'change', 'change', 'change']);
    slow.sink.isTaking = true;
    rig.hall.drained(slow.reader);
    expect(slow.sink.last).toMatchObject({
      event: 'conflated',
      data: { looks: 2, topics: { funding: { rows: [{ rate: 0.0005 }] } } },
    });
  });

  it('too much waits: who has waited longest is cut off', async () => {
    const { market, rig } = openRig();
    const id = rig.buy(5);
    const sinks = [new HeardSink(), new HeardSink()];
    for (const sink of sinks) await rig.read(id, undefined, sink);
    for (const [at, sink] of sinks.entries()) {
      sink.waiting = 100 * 2 ** 20 + at;
      sink.isTaking = false;
    }
    quote(market, 'okx', 0.0005);
    rig.turn();
    expect(sinks.map(({ destroyed }) => destroyed)).toEqual([true, false]);
    expect(rig.hall.counts.cut).toBe(1);
  });
});

describe('a process that ends', () => {
  it('in order: the begun minute is credited, and the last event says so', async () => {
    const { rig } = openRig();
    const id = rig.buy(3);
    const { sink } = await rig.read(id);
    rig.hall.stop();
    expect(sink.last).toMatchObject({ event: 'closing', data: { reason: 'shutdown', credited: 1, left: 3 } });
    expect(rig.record(id).credits).toMatchObject([{ minutes: 1, reason: 'shutdown' }]);
    expect(rig.hall.refusal('address', rig.record(id))?.code).toBe('shutting_down');
  });

  it('by a kill: another credits the begun minute once, and tells of it', async () => {
    const { market, rig } = openRig();
    const id = rig.buy(3);
    await rig.read(id);
    rig.turn(3);
    await rig.kill();
    const second = streamRig(market, { folder: rig.folder, owner: 'two' });
    closing.push(() => second.close());
    const isGone = (owner: string): boolean => owner === DEAD;
    expect(second.store.recover('two', market.now(), isGone)).toBe(1);
    expect(second.store.recover('two', market.now(), isGone)).toBe(0);
    expect(second.record(id).meter).toMatchObject({ paid: 3, used: 1, credited: 1 });
    quote(market, 'okx', 0.0002);
    const { sink } = await second.read(id);
    expect(sink.heard).toMatchObject([
      { event: 'credited', data: { minutes: 1, reason: 'killed', left: 2 } },
      { event: 'snapshot', data: { reason: 'start' } },
    ]);
    expect(second.record(id).meter).toMatchObject({ used: 2, credited: 1 });
  });

  it('between minutes: nothing is credited', async () => {
    const { market, rig, live } = openRig();
    const id = rig.buy(1);
    const { reader } = await rig.read(id);
    live(30);
    rig.hall.leave(reader);
    live(60);
    rig.store.beat(DEAD, market.now);
    expect(rig.store.recover('two', market.now(), (owner) => owner === DEAD)).toBe(0);
  });

  it('left by its reader in a minute, then idle: no other credits it', async () => {
    const { market, rig } = openRig();
    const second = streamRig(market, { folder: rig.folder, owner: 'two' });
    closing.push(() => second.close());
    const id = rig.buy(5);
    const both = (seconds: number): void => {
      for (let each = 0; each < seconds; each += 1) {
        quote(market, 'okx', 0.0002);
        rig.turn();
        second.hall.turn();
      }
    };
    for (const used of [1, 2, 3]) {
      const { reader } = await rig.read(id);
      both(50);
      rig.hall.leave(reader);
      both(120);
      rig.store.refresh();
      expect(rig.record(id).meter).toMatchObject({ used, credited: 0 });
    }
  });

  it('silent in a minute, elsewhere: another credits it after its lease', async () => {
    const { market, rig } = openRig();
    const second = streamRig(market, { folder: rig.folder, owner: 'two' });
    closing.push(() => second.close());
    const id = rig.buy(5);
    await rig.read(id);
    second.turn(30);
    expect(second.record(id).meter.credited).toBe(0);
    second.turn(20);
    expect(second.record(id).meter).toMatchObject({ used: 1, credited: 1 });
  });

  it('one of two has no rows: it credits nothing that the other serves', async () => {
    const { market, rig, live } = openRig();
    const empty = streamMarket();
    const second = streamRig({ ...market, ports: empty.ports }, { folder: rig.folder, owner: 'two' });
    closing.push(() => second.close());
    const id = rig.buy(1);
    await rig.read(id);
    second.store.refresh();
    const { sink } = await second.read(id);
    for (let each = 0; each < 100; each += 1) {
      live(1);
      second.hall.turn();
    }
    rig.store.refresh();
    expect(rig.record(id).meter).toMatchObject({ paid: 1, used: 1, credited: 0 });
    expect(sink.names).toEqual(['paused']);
  });

  it('two processes serve one stream: one meter', async () => {
    const { market, rig } = openRig();
    const second = streamRig(market, { folder: rig.folder, owner: 'two' });
    closing.push(() => second.close());
    const id = rig.buy(2);
    await rig.read(id);
    second.store.refresh();
    const { sink } = await second.read(id);
    expect([sink.names, rig.record(id).meter.used]).toEqual([['snapshot'], 1]);
  });

  it('a disk that takes nothing: nothing is served, nothing lost', async () => {
    const { rig, live } = openRig();
    const id = rig.buy(2);
    const update = rig.store.update.bind(rig.store);
    rig.store.update = () => {
      throw new Error('the disk is full');
    };
    const { sink } = await rig.read(id);
    live(2);
    expect([sink.names, rig.faults.length > 0, rig.record(id).meter.used]).toEqual([[], true, 0]);
    rig.store.update = update;
    live(1);
    expect(sink.names).toEqual(['snapshot']);
  });
});

describe('a sale of minutes', () => {
  it('told twice: counted once', () => {
    const { market, rig } = openRig();
    const id = rig.buy(1);
    const sale = { key: 'sale', claimedAt: market.now(), payer: '0xBuyer' };
    const body = Buffer.from(JSON.stringify({ id, secret: null, minutes: 10 }));
    rig.desk.sold(sale, { body });
    rig.desk.sold(sale, { body });
    expect(rig.record(id).meter.paid).toBe(11);
    rig.desk.sold({ ...sale, key: 'another' }, { body });
    expect(rig.record(id).meter.paid).toBe(21);
  });

  it('of a host with a store of its own: none of ours', () => {
    const { market, rig } = openRig();
    const sale = { key: 'sale', claimedAt: market.now(), payer: '0x' };
    const id = 's00000000ffffffffffffffff';
    rig.desk.sold(sale, { body: Buffer.from(JSON.stringify({ id, secret: 'x', minutes: 1 })) });
    expect(rig.desk.find(id)).toBeUndefined();
  });

  it('long ago: sales, then streams, are let go of', () => {
    const { market, rig } = openRig();
    const id = rig.buy(1);
    rig.store.trim(market.now() + 29 * 86_400_000);
    expect(rig.desk.find(id)).toBeDefined();
    rig.store.trim(market.now() + 31 * 86_400_000);
    expect(rig.desk.find(id)).toBeUndefined();
  });
});
