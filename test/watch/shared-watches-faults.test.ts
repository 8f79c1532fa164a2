import { describe, expect, it } from 'vitest';
import { newRecord } from '../../src/modules/watch/desk.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { until } from '../until.ts';
import {
  buy,
  CALM,
  emptyServerForEach,
  HIGH,
  type HostOf,
  hosts,
  obstacle,
  sequences,
  server,
} from './two-hosts.ts';

emptyServerForEach();

/** Watches that were sold; they are written one by one. */
async function buyMany(host: HostOf, condition: object, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) ids.push((await buy(host, condition)).id);
  return ids;
}

/** Rows that one transaction has changed at most, as the server has them. */
async function mostAtOnce(which: string): Promise<number> {
  const [found] = await server.query(
    'postgres',
    `SELECT max(rows)::int AS most FROM (SELECT count(*) AS rows FROM perpmeter.shared_rows
     WHERE space = 'watches' AND ${which} GROUP BY revision) AS changed`,
  );
  return Number(found?.most);
}

describe.skipIf(obstacle !== undefined)(`faults of two hosts (${obstacle ?? 'a real server'})`, () => {
  it('held by another meanwhile: read anew, numbered without a gap', async () => {
    const { a, b, quote, condition, market } = await hosts();
    await a.turned();
    const { id } = await buy(a, condition);
    await a.turned(2);
    // The first host stands still, and the other one holds the watches until it stops.
    market.pass(11_000);
    quote(HIGH);
    await b.turned(2);
    quote(CALM);
    await b.turned(2);
    await b.engine.stop();
    quote(HIGH);
    await a.turned(12);
    expect([b.kinds(), a.told.map(({ seq, kind }) => [seq, kind])]).toEqual([
      ['fired', 'cleared'],
      [[3, 'fired']],
    ]);
    expect(sequences(a, id)).toEqual([1, 2, 3]);
    const { seq, missing } = a.store.watch(id)?.progress ?? {};
    expect([seq, missing?.[0]?.reason]).toEqual([3, 'not_watched']);
  });

  it('held by another meanwhile: a write of before is refused', async () => {
    const { a, b, market } = await hosts();
    await a.turned();
    const before = a.store.holder ?? { owner: '', term: 0 };
    market.pass(11_000);
    await b.turned();
    await b.engine.stop();
    await a.turned(12);
    const firings = [{ watchId: 'w1', seq: 1 } as never];
    expect(await a.store.save({ firings }, { owner: before.owner, term: before.term ?? 0 })).toBe(false);
    const now = a.store.holder;
    expect(await a.store.save({ firings }, { owner: 'a', term: now?.term ?? 0 })).toBe(true);
  });

  it('more watches than are written at once: taken up in parts', async () => {
    const { a, b, condition, market } = await hosts({ part: 2 });
    await a.turned();
    const ids = await buyMany(a, condition, 7);
    await until(() => expect(b.store.watch(ids.at(-1) ?? '')).toBeDefined());
    await a.kill();
    market.pass(11_000);
    const save = b.store.save.bind(b.store);
    let parts = 0;
    // All parts together take longer than a lease lasts.
    b.store.save = (changes, tenure) => {
      parts += 1;
      market.pass(3500);
      return save(changes, tenure);
    };
    await b.turned();
    expect([parts, b.engine.holds, b.engine.size]).toEqual([4, true, 7]);
    expect(b.store.holder?.until).toBeGreaterThan(market.now());
    expect(await mostAtOnce("name = 'watches'")).toBe(2);
    const missing = ids.map((id) => b.store.watch(id)?.progress.missing.length);
    expect(missing).toEqual(ids.map(() => 1));
  });

  it('the lease goes to another between two parts: let go', async () => {
    const { a, b, condition, market } = await hosts({ part: 2 });
    await a.turned();
    await buyMany(a, condition, 5);
    await a.engine.stop();
    await until(() => expect([...b.store.watches()]).toHaveLength(5));
    const save = b.store.save.bind(b.store);
    b.store.save = async (changes, tenure) => {
      const saved = await save(changes, tenure);
      market.pass(11_000);
      await a.turned();
      return saved;
    };
    await b.turned();
    expect([a.engine.holds, a.engine.size, b.engine.holds, b.engine.size]).toEqual([true, 5, false, 0]);
  });

  it('a sale that a turn has read before it is added: later ones are held', async () => {
    const { a, b, condition } = await hosts();
    await a.turned();
    const update = a.store.update.bind(a.store);
    a.store.update = async (...given) => {
      const addition = await update(...given);
      await a.turned();
      return addition;
    };
    await buy(a, condition);
    const { id } = await buy(b, condition);
    await until(() => expect(a.store.watch(id)).toBeDefined());
    await a.turned();
    expect(a.taken).toContain(id);
  });

  it('a rule that was taken without an answer: held the next time', async () => {
    const { a, condition, market } = await hosts();
    await a.turned();
    const offered = { id: 'rule-x', secret: undefined, beganAt: market.now(), endsAt: market.now() + DAY_MS };
    const ruleOf = (above: number) => ({
      ...newRecord(offered, { ...condition, above }, undefined, []),
      rule: 'x',
    });
    await a.desk.keepRule(ruleOf(0.001));
    const update = a.store.update.bind(a.store);
    a.store.update = async (...given) => {
      await update(...given);
      throw new Error('no answer');
    };
    await expect(a.desk.keepRule(ruleOf(0.002))).rejects.toThrow('no answer');
    a.store.update = update;
    await a.desk.keepRule(ruleOf(0.002));
    expect(a.engine.record('rule-x')?.condition.above).toBe(0.002);
  });

  it('a lease that cannot be given back: reported, and stopped', async () => {
    const { a } = await hosts();
    await a.turned();
    a.store.hold = async () => {
      throw new Error('no answer');
    };
    await a.engine.stop();
    expect([a.engine.holds, a.faults]).toMatchObject([false, [{ message: 'no answer' }]]);
  });

  it('old watches with many firings: dropped in parts', async () => {
    const { a, condition, market } = await hosts({ part: 4 });
    const endedAt = market.now() - 8 * DAY_MS;
    const ids = ['w1', 'w2', 'w3'];
    for (const id of ids) {
      const offered = { id, secret: 'secret', beganAt: endedAt - DAY_MS, endsAt: endedAt };
      const watch = { ...newRecord(offered, condition, undefined, []), endedAt, endReason: 'time' };
      const firings = Array.from({ length: 9 }, (_, at) => ({ watchId: id, seq: at + 1, at: endedAt }));
      await a.store.save({ watches: [watch], firings: firings as never });
    }
    await a.turned(20);
    expect([...a.store.watches()]).toEqual([]);
    expect(ids.flatMap((id) => sequences(a, id))).toEqual([]);
    expect(await mostAtOnce('row IS NULL')).toBe(4);
  });
});
