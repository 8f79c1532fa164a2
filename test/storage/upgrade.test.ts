import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { IDENTITY_FORMAT, openMarketStore } from '../../src/market/store-lmdb.ts';
import { BACKFILL_FORMAT, openProgress } from '../../src/modules/backfill/progress.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import { LEDGER_FORMAT } from '../../src/pay/ledger-tables.ts';
import { FORMATS as SCHEME_FORMATS } from '../../src/pay/schemes/list.ts';
import {
  newestVersion,
  openStoreFolder,
  type StoreFormat,
  StoreOpenError,
} from '../../src/storage/store-folder.ts';
import { runCli } from '../cli/run-cli.ts';
import { dumpOf, readings, restoreDump, upgraded } from './dumped-stores.ts';

const RAW = { encoding: 'binary', keyEncoding: 'binary' } as const;
const FORMATS = { ledger: LEDGER_FORMAT, market: IDENTITY_FORMAT, backfill: BACKFILL_FORMAT } as const;
const STORES = ['ledger', 'market', 'backfill'] as const;
const openLedger = (path: string) => openLmdbStore(path, { formats: SCHEME_FORMATS });
const OPEN = { ledger: openLedger, market: openMarketStore, backfill: openProgress } as const;
const clock = { now: () => asMs(Date.UTC(2026, 10, 22, 9)) };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Everything that a store's file holds, without opening it as a store. */
async function entriesIn(path: string, names: readonly string[]): Promise<unknown> {
  const root = open<Buffer, Buffer>({ path, maxDbs: 16, ...RAW });
  const lines = [...dumpOf(root, '', names)];
  await root.close();
  return lines;
}

const backups = (): string[] => readdirSync(folder).filter((name) => name.startsWith('backup-'));
const withStep = (format: StoreFormat, step: StoreFormat['upgrades'][number]): StoreFormat => ({
  ...format,
  upgrades: [...format.upgrades, step],
});

describe('stores of builds without a format version', () => {
  it('read the same after one upgrade', async () => {
    const expected = upgraded(await restoreDump('version-1', folder));
    expect({ readings: await readings(folder) }).toEqual(expected);
    const made = backups();
    expect(made.flatMap((name) => readdirSync(join(folder, name))).sort()).toEqual([...STORES].sort());
    for (const name of made) expect(name).toMatch(/^backup-1-20\d\d-\d\d-\d\dT\d{6}\.\d{3}Z$/);
    expect({ readings: await readings(folder) }).toEqual(expected);
    expect(backups()).toEqual(made);
  });

  it.each(STORES)('a backup of %s: holds every byte, and upgrades as they did', async (name) => {
    const expected = upgraded(await restoreDump('version-1', folder));
    const tables = name === 'backfill' ? [] : FORMATS[name].tables;
    const before = await entriesIn(join(folder, name), tables);
    await OPEN[name](join(folder, name)).close();
    const [backup = ''] = backups();
    const made = [...tables, ...(name === 'backfill' ? ['contracts'] : []), 'format'];
    expect(await entriesIn(join(folder, backup, name), made)).toEqual(before);
    rmSync(join(folder, name), { recursive: true });
    cpSync(join(folder, backup, name), join(folder, name), { recursive: true });
    expect({ readings: await readings(folder) }).toEqual(expected);
  });

  it.each(STORES)('are unchanged where an upgrade of %s fails midway', async (name) => {
    const expected = upgraded(await restoreDump('version-1', folder));
    const path = join(folder, name);
    const tables = name === 'backfill' ? [] : FORMATS[name].tables;
    const before = await entriesIn(path, tables);
    const half = withStep(FORMATS[name], ({ root, named }) => {
      root.putSync(Buffer.from('new'), Buffer.from('entry'));
      for (const table of FORMATS[name].tables)
        for (const key of [...named(table).getKeys()]) named(table).removeSync(key);
      throw new Error('cut off');
    });
    expect(() => openStoreFolder(path, half)).toThrow(
      `${half.name} in ${path} could not be upgraded from format version 1 to ${newestVersion(half)}, and is unchanged: cut off`,
    );
    expect(await entriesIn(path, [...tables, 'format', 'contracts'])).toEqual(before);
    expect(backups()).toEqual([]);
    expect({ readings: await readings(folder) }).toEqual(expected);
  });
});

describe.each(['2', '3', '4', '5'])('stores of version %s', (version) => {
  it('read the same, with the ledger alone upgraded after a backup', async () => {
    const expected = await restoreDump(`version-${version}`, folder);
    expect({ readings: await readings(folder) }).toEqual(expected);
    expect(backups().flatMap((name) => readdirSync(join(folder, name)))).toEqual(['ledger']);
    expect(backups()[0]?.startsWith(`backup-${version}-`)).toBe(true);
    expect({ readings: await readings(folder) }).toEqual(expected);
  });
});

describe.each(STORES)('a store of a newer build (%s)', (name) => {
  it('is refused with both versions and instructions, and is unchanged', async () => {
    await restoreDump('version-1', folder);
    const path = join(folder, name);
    const format = FORMATS[name];
    const newer = withStep(format, () => {});
    await openStoreFolder(path, newer, {}, clock).close();
    const before = await entriesIn(path, [...format.tables, 'format']);
    const newest = newestVersion(format);
    expect(() => OPEN[name](path)).toThrow(StoreOpenError);
    expect(() => OPEN[name](path)).toThrow(
      `${format.name} in ${path} has format version ${newest + 1}, this build of perpmeter knows versions up to ${newest}: ` +
        'a newer build wrote it. Run that build or a newer one, or put the backup that it made of version ' +
        `${newest} in its place (docs/upgrades.md). Nothing was changed`,
    );
    expect(await entriesIn(path, [...format.tables, 'format'])).toEqual(before);
  });
});

describe('what opens a store of a newer build', () => {
  const serve = ['serve', '--port', '0', '--payments', 'off', '--venues', 'binance'] as const;
  const commands = { ledger: ['ledger', 'list'], market: serve, backfill: serve } as const;

  it.each(STORES)('does nothing and says why (%s)', async (name) => {
    await openStoreFolder(
      join(folder, name),
      withStep(FORMATS[name], () => {}),
    ).close();
    const run = await runCli([...commands[name], '--data-dir', folder]);
    expect(run.stderr).toContain(
      `${FORMATS[name].name} in ${join(folder, name)} has format version ${newestVersion(FORMATS[name]) + 1}, this build`,
    );
    expect(run.code).toBe(2);
  });
});

describe('openStoreFolder', () => {
  const first: StoreFormat = { name: 'a store', whenLost: 'nothing is.', tables: ['a'], upgrades: [] };
  const moved = withStep(first, ({ named }) => named('a').putSync(Buffer.from('k'), Buffer.from('2')));

  it('a new store: the newest version, no upgrade, no backup', async () => {
    const path = join(folder, 'store');
    const root = openStoreFolder(path, moved);
    expect([...root.openDB({ name: 'a', ...RAW }).getKeys()]).toEqual([]);
    await root.close();
    expect(readdirSync(folder)).toEqual(['store']);
    await openStoreFolder(path, moved).close();
    expect(readdirSync(folder)).toEqual(['store']);
  });

  it('the version that is there: each later step once, with a backup', async () => {
    const path = join(folder, 'store');
    await openStoreFolder(path, first).close();
    const ran: number[] = [];
    const third = withStep(
      withStep(first, () => void ran.push(2)),
      () => void ran.push(3),
    );
    await openStoreFolder(
      path,
      withStep(first, () => void ran.push(2)),
      {},
      clock,
    ).close();
    await openStoreFolder(path, third, {}, clock).close();
    await openStoreFolder(path, third, {}, clock).close();
    expect(ran).toEqual([2, 3]);
    expect(backups()).toEqual(['backup-1-2026-11-22T090000.000Z', 'backup-2-2026-11-22T090000.000Z']);
    const [, second = ''] = backups();
    // The copy is of version 2 and says so: the build of that version opens it as it is.
    await openStoreFolder(
      join(folder, second, 'store'),
      withStep(first, () => void ran.push(4)),
    ).close();
    expect(ran).toEqual([2, 3]);
  });
});
