import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import { ServerClock } from '../../src/modules/shared-ledger/server/server-clock.ts';
import { SharedRows } from '../../src/modules/shared-ledger/tables/shared-rows.ts';
import type { Tables } from '../../src/modules/tables/tables.ts';
import { DELIVERY_FORMAT, deliveryRecordsIn } from '../../src/modules/webhook/delivery-store.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { until } from '../until.ts';
import {
  buy,
  CALM,
  emptyServerForEach,
  ends,
  folder,
  HIGH,
  hosts,
  obstacle,
  placeOf,
  sequences,
  server,
  tablesOf,
} from './two-hosts.ts';

emptyServerForEach();

describe.skipIf(obstacle !== undefined)(`watches of two hosts (${obstacle ?? 'a real server'})`, () => {
  it('a watch that is not stored yet: 503, and 404 after some seconds', async () => {
    const { a, market, condition } = await hosts();
    const { id, secret } = await a.desk.offer(condition as never, 1);
    expect(a.desk.read(id, secret)).toMatchObject({ error: { code: 'not_ready', retryAfterSeconds: 1 } });
    expect(a.desk.unknown(id)).toMatchObject({ code: 'not_ready' });
    market.pass(5000);
    expect(a.desk.read(id, secret)).toMatchObject({ error: { code: 'no_data' } });
  });

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
    const ours = { owner: 'a', term: 1 };
    const saved = await a.store.save({ firings: [{ watchId: id, seq: 1 } as never] }, ours);
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
    const rows = new SharedRows(a.connection, 'watches', new ServerClock(systemClock));
    await rows.trim();
    const left = await server.query('postgres', 'SELECT key FROM perpmeter.shared_rows');
    expect(left).toEqual([{ key: '"new"' }]);
    const back = await tablesOf('b');
    expect(back.tables.table('state').range()).toEqual([{ key: 'new', value: 1 }]);
  });
});
