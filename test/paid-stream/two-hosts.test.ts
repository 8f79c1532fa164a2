import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { carryStreams } from '../../src/modules/paid-stream/open-store.ts';
import { readSelection } from '../../src/modules/paid-stream/selection.ts';
import { STREAM_FORMAT, StreamStore } from '../../src/modules/paid-stream/stream-store.ts';
import { until } from '../until.ts';
import { emptyServerForEach, ends, folder, obstacle, tablesOf } from '../watch/two-hosts.ts';
import { type StreamMarket, streamMarket, streamRig } from './stream-rig.ts';

emptyServerForEach();

function calmMarket(): StreamMarket {
  const market = streamMarket();
  market.list('okx', ['BTC']);
  quote(market);
  market.pass(0);
  return market;
}

/** Another rate each second, so that every turn has something to tell. */
function quote(market: StreamMarket): void {
  const rate = (Math.round(market.now() / 1000) % 1000) / 1e6;
  market.quote('okx', { symbol: 'BTCUSDT', mark: 100, rate, interval: 8 });
}

/** A host of its own connection to the server, which sells minutes. */
async function hostOf(market: StreamMarket, owner: string) {
  const { relay, tables } = await tablesOf(owner, 'streams', STREAM_FORMAT);
  const store = new StreamStore(tables);
  const rig = streamRig(market, { owner, store, isCharging: true });
  ends.push(() => rig.close());
  await until(() => expect(store.mark).toMatch(/^[0-9a-f]{8}$/));
  /** The server has answered all that was asked before, or does not answer. */
  const answered = async (): Promise<void> => {
    await Promise.resolve(tables.transact(() => {})).catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
  };
  const read = async (id: string, lastId?: string) => {
    const reading = await rig.read(id, lastId);
    await answered();
    return reading;
  };
  return { ...rig, relay, tables, answered, read };
}
type HostOf = Awaited<ReturnType<typeof hostOf>>;

async function twoHosts() {
  const market = calmMarket();
  const a = await hostOf(market, 'a');
  const b = await hostOf(market, 'b');
  return { market, a, b };
}

/** Seconds of some hosts, which answer in turn. */
async function pass(market: StreamMarket, hosts: readonly HostOf[], seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    market.pass(1000);
    quote(market);
    for (const host of hosts) {
      host.hall.turn();
      await host.answered();
    }
  }
}

let sales = 0;

/** A sale of minutes as a host hears it: of a stream that is new, or of one that gets more. */
async function sell(host: HostOf, market: StreamMarket, minutes: number, extended?: string) {
  sales += 1;
  const sale = { key: `sale ${sales}`, claimedAt: market.now(), payer: '0xBuyer' };
  const selection = readSelection({ symbol: 'BTC' }, market.market.view);
  if (!selection.ok) throw new Error(selection.error.detail);
  const { id, secret } =
    extended === undefined ? await host.desk.offer(selection.value, minutes) : { id: extended, secret: null };
  const body = Buffer.from(JSON.stringify({ id, secret, selection: selection.value, minutes }));
  await host.desk.sold(sale, { body });
  return { id, secret: secret ?? '', again: (other: HostOf) => other.desk.sold(sale, { body }) };
}

const known = (host: HostOf, id: string) => until(() => expect(host.desk.find(id)).toBeDefined());

describe.skipIf(obstacle !== undefined)(`paid streams of two hosts (${obstacle ?? 'a real server'})`, () => {
  it('bought at one host: read, resumed and paid on at the other', async () => {
    const { market, a, b } = await twoHosts();
    const { id, secret } = await sell(a, market, 1);
    await known(b, id);
    expect(b.desk.read(id, secret)).toMatchObject({ ok: true, value: { meter: { paid: 1, used: 0 } } });
    expect(b.desk.read(id, 'another')).toMatchObject({ ok: false });
    const first = await b.read(id);
    await pass(market, [b], 3);
    expect(first.sink.names).toEqual(['snapshot', 'change', 'change', 'change']);
    await sell(b, market, 1, id);
    b.hall.leave(first.reader);
    await until(() => expect(a.record(id).meter).toMatchObject({ paid: 2, used: 1 }));
    const second = await a.read(id, first.sink.last?.id);
    await pass(market, [a, b], 60);
    expect(second.sink.heard[0]).toMatchObject({ event: 'snapshot', data: { reason: 'unknown_id' } });
    const numbers = [...first.sink.heard, ...second.sink.heard].map((each) => Number(each.id.split('-')[2]));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(a.record(id).meter).toMatchObject({ paid: 2, used: 2, credited: 0 });
  });

  it('the host is killed in a minute: the other credits it, once', async () => {
    const { market, a, b } = await twoHosts();
    const { id } = await sell(a, market, 2);
    const { sink } = await a.read(id);
    await pass(market, [a], 5);
    await a.kill();
    await b.answered();
    await pass(market, [b], 25);
    expect(b.record(id).meter).toMatchObject({ used: 1, credited: 0 });
    await pass(market, [b], 20);
    expect(b.record(id).meter).toMatchObject({ paid: 2, used: 1, credited: 1, endsAt: undefined });
    const again = await b.read(id, sink.last?.id);
    await pass(market, [b], 130);
    expect(again.sink.heard.filter(({ event }) => event === 'credited')).toHaveLength(1);
    expect(b.record(id).meter).toMatchObject({ paid: 2, used: 3, credited: 1 });
    expect(again.sink.last).toMatchObject({ event: 'paused', data: { reason: 'unpaid', left: 0 } });
  });

  it('a host is stopped in a minute: credited, and served at the other', async () => {
    const { market, a, b } = await twoHosts();
    const { id } = await sell(a, market, 1);
    const { sink } = await a.read(id);
    await pass(market, [a], 5);
    await a.hall.stop();
    expect(sink.last).toMatchObject({ event: 'closing', data: { reason: 'shutdown', credited: 1 } });
    await until(() => expect(b.record(id).meter).toMatchObject({ used: 1, credited: 1 }));
    const again = await b.read(id, sink.last?.id);
    expect(again.sink.names).toEqual(['credited', 'snapshot']);
    expect(b.record(id).meter).toMatchObject({ used: 2, credited: 1 });
  });

  it('read at both hosts at once: no minute begins twice', async () => {
    const { market, a, b } = await twoHosts();
    const { id } = await sell(a, market, 3);
    await known(b, id);
    const first = await a.read(id);
    const second = await b.read(id);
    await pass(market, [a, b], 100);
    await pass(market, [b, a], 100);
    expect(a.record(id).meter).toMatchObject({ paid: 3, used: 3, credited: 0 });
    expect(a.hall.counts.begun + b.hall.counts.begun).toBe(3);
    for (const { sink } of [first, second]) {
      expect(sink.heard.filter(({ event }) => event === 'change').length).toBeGreaterThan(170);
      expect(sink.last).toMatchObject({ event: 'paused', data: { reason: 'unpaid', left: 0 } });
    }
  });

  it('the host carries its own streams: each counts as before', async () => {
    const { market, a, b } = await twoHosts();
    const own = join(folder, 'paid-streams');
    const former = streamRig(market, { folder: own, owner: 'gone' });
    const id = former.buy(3);
    await former.read(id);
    former.turn(2);
    const old = { key: 'old sale', claimedAt: market.now(), payer: '0xBuyer' };
    const body = Buffer.from(JSON.stringify({ id, secret: null, selection: null, minutes: 2 }));
    await former.desk.sold(old, { body });
    await former.kill();
    await carryStreams(own, a.store, a.tables);
    await carryStreams(own, a.store, a.tables);
    await until(() => expect(b.desk.find(id)?.meter).toMatchObject({ paid: 5, used: 1, credited: 0 }));
    expect([a.store.isOwn(id), b.store.isOwn(id)]).toEqual([true, true]);
    await b.desk.sold(old, { body });
    const isGone = (owner: string): boolean => owner === 'gone';
    await until(async () => expect(await b.store.recover('b', market.now(), isGone)).toBe(1));
    expect(await a.store.recover('a', market.now(), isGone)).toBe(0);
    expect(b.record(id).meter).toMatchObject({ paid: 5, used: 1, credited: 1 });
    expect(readdirSync(folder).filter((name) => name.startsWith('paid-streams'))).toEqual([
      'paid-streams-carried-1',
    ]);
  });

  it('a sale that both hosts hear: counts once', async () => {
    const { market, a, b } = await twoHosts();
    const { id, again } = await sell(a, market, 5);
    await Promise.all([again(a), again(b)]);
    const more = await sell(b, market, 2, id);
    await Promise.all([more.again(a), more.again(b)]);
    await until(() => expect([a.record(id).meter.paid, b.record(id).meter.paid]).toEqual([7, 7]));
  });

  it('the server is away: a minute goes on, the next waits for it', async () => {
    const { market, a } = await twoHosts();
    const { id } = await sell(a, market, 2);
    const { sink } = await a.read(id);
    a.relay.set('cut');
    await pass(market, [a], 59);
    expect(sink.names).toEqual(['snapshot', ...Array(59).fill('change')]);
    await pass(market, [a], 5);
    expect(sink.heard).toHaveLength(60);
    expect(a.faults.length).toBeGreaterThan(0);
    a.relay.set('open');
    await until(async () => {
      await pass(market, [a], 1);
      expect(sink.heard.length).toBeGreaterThan(60);
    });
    expect(a.record(id).meter).toMatchObject({ paid: 2, used: 2, credited: 0 });
  }, 60_000);
});
