import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { SharedPlace } from '../../src/modules/shared-ledger/tables/open-tables.ts';
import { CREATE_SHARED_TABLES } from '../../src/modules/shared-ledger/tables/schema.ts';
import type { Tables } from '../../src/modules/tables/tables.ts';
import { WATCH_FORMAT } from '../../src/modules/watch/watch-store.ts';
import { PostgresPair } from '../pay/postgres-pair.ts';
import { postgresObstacle } from '../pay/postgres-server.ts';
import { until } from '../until.ts';

const obstacle = postgresObstacle();
const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Hosts over a primary whose stand-by may be behind. */
async function pairOfHosts() {
  const pair = await PostgresPair.start({ isSynchronous: false });
  ends.push(() => pair.stop());
  await pair.primary.query('postgres', CREATE_SHARED_TABLES);
  const folder = mkdtempSync(join(tmpdir(), 'promoted-tables-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const open = async (name: string) => {
    const place = new SharedPlace(pair.url('postgres'));
    const tables = await place.open('watches', join(folder, name), WATCH_FORMAT);
    const close = async (): Promise<void> => {
      await tables.close();
      await place.close();
    };
    return { tables, close };
  };
  return { pair, open };
}

const put = async (tables: Tables, key: string): Promise<void> => {
  await tables.transact(() => tables.table<number>('state').put(key, 1));
};
const keysOf = (tables: Tables): readonly string[] =>
  tables
    .table('state')
    .range()
    .map(({ key }) => key);

describe.skipIf(obstacle !== undefined)(`a fail-over (${obstacle ?? 'a real server'})`, () => {
  it('a stand-by that was behind is promoted: all copies are as it is', async () => {
    const { pair, open } = await pairOfHosts();
    const former = await open('a');
    await put(former.tables, 'kept');
    const behind = 'SELECT FROM perpmeter.shared_rows WHERE key = \'"kept"\'';
    await until(async () => expect(await pair.standBy.query('postgres', behind)).toHaveLength(1));
    // The stand-by gets nothing more: that is lost with the primary.
    pair.link.set('cut');
    await put(former.tables, 'lost');
    expect(keysOf(former.tables)).toEqual(['kept', 'lost']);
    await former.close();
    await pair.primary.kill();
    const lost = await pair.promote();
    ends.push(() => lost.remove());
    pair.address.lead(pair.primary.port);
    const b = await open('b');
    ends.push(b.close);
    await put(b.tables, 'of b');
    await put(b.tables, 'of b, later');
    const a = await open('a');
    ends.push(a.close);
    await until(() => expect(keysOf(a.tables)).toEqual(keysOf(b.tables)));
    await put(a.tables, 'of a');
    await until(() => expect(keysOf(b.tables)).toEqual(keysOf(a.tables)));
    expect(keysOf(a.tables)).toEqual(['kept', 'of a', 'of b', 'of b, later']);
  });
});
