import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../src/modules/shared-ledger/server/connection.ts';
import { SharedPlace } from '../../src/modules/shared-ledger/tables/open-tables.ts';
import { TABLES_SERVER } from '../../src/modules/shared-ledger/tables/schema.ts';
import { SharedRows } from '../../src/modules/shared-ledger/tables/shared-rows.ts';
import { carryOver } from '../../src/modules/tables/carry-over.ts';
import type { Tables } from '../../src/modules/tables/tables.ts';
import { openWatchStore, WATCH_FORMAT, WatchTables } from '../../src/modules/watch/watch-store.ts';
import { DELIVERY_FORMAT, deliveryRecordsIn } from '../../src/modules/webhook/delivery-store.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { emptyLedger, type PostgresServer, postgresObstacle, sharedServer } from '../pay/postgres-server.ts';
import { Relay } from '../pay/relay.ts';
import { until } from '../until.ts';
import { conditionFrom, marketRig, watchRig } from './watch-rig.ts';

const obstacle = postgresObstacle();
const ends: (() => Promise<unknown>)[] = [];
let server: PostgresServer;
let folder: string;

beforeEach(async () => {
  if (obstacle !== undefined) return;
  await emptyLedger();
  server = await sharedServer();
  folder = mkdtempSync(join(tmpdir(), 'shared-watches-'));
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** A host's connection to the server, which can be cut. */
async function placeOf() {
  const relay = await Relay.start(server.port);
  ends.push(() => relay.stop());
  const place = new SharedPlace(server.url('postgres', 'seller', relay.port));
  ends.push(() => place.close());
  return { relay, place };
}

/** Tables of one host, with a copy of its own. */
async function tablesOf(name: string) {
  const { relay, place } = await placeOf();
  const tables: Tables = await place.open('watches', join(folder, name), WATCH_FORMAT);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await tables.close();
    isOpen = false;
  };
  ends.push(close);
  const connection = new Connection(server.url('postgres', 'seller'), TABLES_SERVER);
  ends.push(() => connection.close());
  return { relay, tables, close, connection };
}

/** Two hosts over one market, which see the same prices; each has a connection of its own. */
async function hosts() {
  const market = marketRig();
  market.list('binance', ['BTC']);
  const quote = (rate: number): void =>
    market.tape.sinks.market.quotes(
      'binance',
      [{ symbol: 'BTCUSDT', markPrice: 100, fundingRate: rate, fundingIntervalHours: 8 } as never],
      market.now(),
    );
  quote(CALM);
  const host = async (owner: string) => {
    const { relay, tables } = await tablesOf(owner);
    const rig = watchRig(market, { owner, store: new WatchTables(tables) });
    ends.push(() => rig.close());
    await until(() => expect(rig.store.mark).toMatch(/^[0-9a-f]{8}$/));
    return { ...rig, relay, tables, now: market.now };
  };
  const condition = conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005, reset: 0.0003 });
  const a = await host('a');
  const b = await host('b');
  return { market, quote, host, a, b, condition };
}

type HostOf = Awaited<ReturnType<typeof hosts>>['a'];

const CALM = 0.0001;
const HIGH = 0.0006;

/** A sale of a watch as a host hears it; its id and its secret. */
async function buy(
  host: HostOf,
  condition: object,
): Promise<{ readonly id: string; readonly secret: string }> {
  const { id, secret } = await host.desk.offer(condition as never, 1);
  const began_at = new Date(host.now()).toISOString();
  const body = Buffer.from(JSON.stringify({ id, secret, condition, days: 1, began_at }));
  await host.desk.sold({ key: `sale of ${id}`, payer: '0xBuyer' }, { body });
  return { id, secret };
}

const sequences = (host: HostOf, id: string): readonly number[] =>
  host.store.firings(id, 0, 100).map(({ seq }) => seq);

describe.skipIf(obstacle !== undefined)(`watches of two hosts (${obstacle ?? 'a real server'})`, () => {
  it('bought at one host: held once, read at the other', async () => {
    const { a, b, quote, condition } = await hosts();
    await a.turned();
    await b.turned();
    expect([a.engine.holds, b.engine.holds]).toEqual([true, false]);
    const { id, secret } = await buy(b, condition);
    await until(() => expect(a.store.watch(id)).toBeDefined());
    await a.turned();
    quote(HIGH);
    await a.turned();
    await b.turned();
    expect([a.kinds(), b.kinds()]).toEqual([['fired'], []]);
    await until(() => expect(sequences(b, id)).toEqual([1]));
    expect(b.desk.read(id, secret)).toMatchObject({
      ok: true,
      value: { progress: { phase: 'fired', seq: 1 } },
    });
    expect(b.desk.read(id, 'another')).toMatchObject({ ok: false });
  });

  it('renewed at the other host while it fires: both are kept', async () => {
    const { a, b, quote, condition, market } = await hosts();
    await a.turned();
    const { id } = await buy(a, condition);
    const endsAt = a.store.watch(id)?.endsAt ?? 0;
    quote(HIGH);
    market.pass(250);
    a.engine.turn();
    const body = Buffer.from(
      JSON.stringify({ id, secret: null, days: 1, began_at: '2026-11-29T12:00:00.000Z' }),
    );
    await Promise.all([a.engine.answered(), b.desk.sold({ key: 'renewal', payer: '0xbuyer' }, { body })]);
    await b.desk.sold({ key: 'renewal', payer: '0xbuyer' }, { body });
    await until(() => expect(a.store.watch(id)?.sales).toEqual([`sale of ${id}`, 'renewal']));
    await a.turned(4);
    expect(a.store.watch(id)).toMatchObject({
      endsAt: endsAt + DAY_MS,
      progress: { phase: 'fired', seq: 1 },
    });
  });

  it('the holder is killed: the other goes on, numbered without a gap', async () => {
    const { a, b, quote, condition, market } = await hosts();
    await a.turned();
    const { id } = await buy(a, condition);
    quote(HIGH);
    await a.turned(2);
    await a.kill();
    quote(CALM);
    await b.turned(4, 2000);
    expect(b.engine.holds).toBe(false);
    market.pass(10_000);
    quote(CALM);
    await b.turned(2, 2000);
    expect(b.engine.holds).toBe(true);
    quote(HIGH);
    await b.turned(2);
    expect([a.kinds(), b.kinds()]).toEqual([['fired'], ['cleared', 'fired']]);
    expect(sequences(b, id)).toEqual([1, 2, 3]);
    expect(b.store.watch(id)?.progress.missing.map(({ reason }) => reason)).toEqual(['not_watched']);
  });

  it('a holder that wakes behind its lease: it tells nothing more', async () => {
    const { a, b, quote, condition, market } = await hosts();
    await a.turned();
    const { id } = await buy(a, condition);
    await a.turned(2);
    market.pass(11_000);
    quote(CALM);
    await b.turned(2);
    expect(b.engine.holds).toBe(true);
    quote(HIGH);
    // It has not asked for its lease again, and believes that it holds the watches.
    const saved = await a.store.save({ firings: [{ watchId: id, seq: 1 } as never] }, 'a');
    await a.turned();
    await b.turned();
    expect([saved, a.engine.holds, a.kinds(), b.kinds()]).toEqual([false, false, [], ['fired']]);
    expect(sequences(b, id)).toEqual([1]);
  });

  it('the server is away: what fired is told later, the time is stated', async () => {
    const { a, quote, condition, market } = await hosts();
    await a.turned();
    const { id } = await buy(a, condition);
    await a.turned(2);
    a.relay.set('cut');
    quote(HIGH);
    await a.turned();
    expect([a.engine.holds, a.kinds()]).toEqual([false, []]);
    market.pass(60_000);
    quote(HIGH);
    a.relay.set('open');
    await a.turned(2, 2000);
    expect([a.engine.holds, a.kinds(), sequences(a, id)]).toEqual([true, ['fired'], [1]]);
    const [span, ...more] = a.store.watch(id)?.progress.missing ?? [];
    expect([span?.reason, more]).toEqual(['not_watched', []]);
    expect((span?.to ?? 0) - (span?.from ?? 0)).toBeGreaterThanOrEqual(60_000);
  }, 60_000);

  it('a proof of a receiver: known to the other host', async () => {
    const { place } = await placeOf();
    const other = await placeOf();
    const ours = await place.open('deliveries', join(folder, 'a'), DELIVERY_FORMAT);
    const theirs = await other.place.open('deliveries', join(folder, 'b'), DELIVERY_FORMAT);
    ends.push(
      () => ours.close(),
      () => theirs.close(),
    );
    const record = {
      url: 'https://hooks.example.com/',
      challenge: { state: 'passed', at: 1 },
      settled: 3,
      delivered: 3,
      failed: 0,
      givenUp: [],
    } as const;
    await deliveryRecordsIn(ours).write('w1', record as never);
    await until(() => expect(deliveryRecordsIn(theirs).read('w1')).toEqual(record));
    await deliveryRecordsIn(theirs).remove('w1');
    await until(() => expect(deliveryRecordsIn(ours).read('w1')).toBeUndefined());
  });

  it('a host that had its own store: its watches are carried over, once', async () => {
    const { a, b, condition } = await hosts();
    const own = join(folder, 'own');
    const before = openWatchStore(own);
    const record = { ...(await a.desk.offer(condition, 1)), id: 'wfeedbeef00000001', condition } as never;
    await before.save({ watches: [record], firings: [{ watchId: 'wfeedbeef00000001', seq: 1 } as never] });
    await before.close();
    for (let times = 0; times < 2; times += 1) {
      await carryOver(own, WATCH_FORMAT, ['firings', 'acknowledged', 'watches'], a.tables);
      await a.store.save({ dropped: ['wfeedbeef00000001'].slice(0, times) });
    }
    await carryOver(own, WATCH_FORMAT, ['firings', 'acknowledged', 'watches'], a.tables);
    await a.tables.transact(() => a.tables.table('state').put('seen', 1));
    await until(() => expect(b.tables.table('state').get('seen')).toBe(1));
    expect([...b.store.watches()]).toEqual([]);
  });
});

describe.skipIf(obstacle !== undefined)(`tables of two hosts (${obstacle ?? 'a real server'})`, () => {
  it('transactions of both at once: each sees those before it', async () => {
    const hostsTables = [(await tablesOf('a')).tables, (await tablesOf('b')).tables];
    const add = (tables: Tables) => {
      const state = tables.table<number>('state');
      return tables.transact(() => state.put('count', (state.get('count') ?? 0) + 1));
    };
    await Promise.all(Array.from({ length: 20 }, () => hostsTables.map(add)).flat());
    for (const tables of hostsTables) await until(() => expect(tables.table('state').get('count')).toBe(40));
  });

  it('a body that throws, or puts nothing: nothing is written', async () => {
    const { tables } = await tablesOf('a');
    const state = tables.table<number>('state');
    const broken = tables.transact(() => {
      state.put('count', 1);
      throw new Error('no');
    });
    await expect(broken).rejects.toThrow('no');
    expect(await tables.transact(() => state.get('count'))).toBeUndefined();
    expect(() => state.put('count', 1)).toThrow('outside of a transaction');
  });

  it('a copy of another server: read anew, whole', async () => {
    const first = await tablesOf('copy');
    await first.tables.transact(() => first.tables.table('state').put('of', 'the first'));
    await first.close();
    await server.query('postgres', 'DELETE FROM perpmeter.shared_rows; DELETE FROM perpmeter.shared_spaces');
    const second = await tablesOf('copy');
    expect(second.tables.table('state').range()).toEqual([]);
  });

  it('removed while a host was away for weeks: gone there, too', async () => {
    const a = await tablesOf('a');
    const away = await tablesOf('b');
    const put = (key: string) => a.tables.transact(() => a.tables.table('state').put(key, 1));
    await put('old');
    await until(() => expect(away.tables.table('state').get('old')).toBe(1));
    await away.close();
    await a.tables.transact(() => a.tables.table('state').remove('old'));
    await put('new');
    await server.query('postgres', "UPDATE perpmeter.shared_rows SET changed_at = now() - interval '8 days'");
    const rows = new SharedRows(a.connection, 'watches');
    await rows.trim();
    const left = await server.query('postgres', 'SELECT key FROM perpmeter.shared_rows');
    expect(left).toEqual([{ key: '"new"' }]);
    const back = await tablesOf('b');
    expect(back.tables.table('state').range()).toEqual([{ key: 'new', value: 1 }]);
  });
});
