import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newRecord } from '../../src/modules/watch/desk.ts';
import { carryWatches } from '../../src/modules/watch/open-stores.ts';
import { openWatchStore } from '../../src/modules/watch/watch-store.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { until } from '../until.ts';
import { emptyServerForEach, folder, type HostOf, hosts, obstacle, sequences } from './two-hosts.ts';

emptyServerForEach();

/** A host's own store with a watch that has told once; the watch's id, and the folder. */
async function ownStore(host: HostOf, condition: object, seed: string) {
  const own = join(folder, 'own');
  const store = openWatchStore(own);
  const id = `w${store.mark}${seed.padStart(16, '0')}`;
  const offered = { ...(await host.desk.offer(condition as never, 1)), id };
  const watch = newRecord(offered, condition as never, '0xbuyer', [`sale of ${id}`]);
  await store.save({ watches: [watch], firings: [{ watchId: id, seq: 1 } as never] });
  const { mark } = store;
  await store.close();
  return { own, id, mark };
}

const answer = (fields: object): { readonly body: Buffer } => ({ body: Buffer.from(JSON.stringify(fields)) });

describe.skipIf(obstacle !== undefined)(`watches carried over (${obstacle ?? 'a real server'})`, () => {
  it('a host that had its own store: its watches are carried, once', async () => {
    const { a, b, condition } = await hosts();
    const { own, id } = await ownStore(a, condition, '1');
    await a.turned();
    await carryWatches(own, a.store, a.tables);
    await until(() => expect(b.store.watch(id)).toBeDefined());
    expect(sequences(b, id)).toEqual([1]);
    const { owner = '', term = 0 } = a.store.holder ?? {};
    expect(await a.store.drop([id], 10, { owner, term })).toEqual([id]);
    await carryWatches(own, a.store, a.tables);
    expect([...a.store.watches()]).toEqual([]);
  });

  it('watches of a host that was alone again: carried, too', async () => {
    const { a, condition } = await hosts();
    const first = await ownStore(a, condition, '1');
    await carryWatches(first.own, a.store, a.tables);
    const alone = openWatchStore(first.own);
    expect([...alone.watches()]).toEqual([]);
    await alone.close();
    const second = await ownStore(a, condition, '2');
    await carryWatches(second.own, a.store, a.tables);
    expect([...a.store.watches()].map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
  });

  it('a renewal of a carried watch: prolonged, wherever it is heard', async () => {
    const { a, b, condition } = await hosts();
    const { own, id } = await ownStore(a, condition, '1');
    await carryWatches(own, a.store, a.tables);
    const { endsAt = 0 } = a.store.watch(id) ?? {};
    const renewal = answer({ id, secret: null, days: 30, began_at: null });
    await b.desk.sold({ key: 'renewal', payer: '0xbuyer' }, renewal);
    await a.desk.sold({ key: 'renewal', payer: '0xbuyer' }, renewal);
    expect(a.store.watch(id)).toMatchObject({
      endsAt: endsAt + 30 * DAY_MS,
      sales: [`sale of ${id}`, 'renewal'],
    });
  });

  it('a sale into the former store, heard later: registered', async () => {
    const { a, condition } = await hosts();
    const { own, mark } = await ownStore(a, condition, '1');
    await carryWatches(own, a.store, a.tables);
    const began_at = new Date(a.now()).toISOString();
    const sold = { secret: 'secret', condition, days: 1, began_at };
    const ours = `w${mark}00000000000000aa`;
    const foreign = 'wffffffff00000000000000aa';
    await a.desk.sold({ key: 'late', payer: '0xbuyer' }, answer({ ...sold, id: ours }));
    await a.desk.sold({ key: 'foreign', payer: '0xbuyer' }, answer({ ...sold, id: foreign }));
    expect([a.store.watch(ours)?.sales, a.store.watch(foreign)]).toEqual([['late'], undefined]);
  });
});
