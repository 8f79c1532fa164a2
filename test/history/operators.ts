import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkHistory } from '../../src/cli/history-check.ts';
import { asMs } from '../../src/domain/units.ts';
import { ALL_VENUES, gapBatch } from '../../src/history/status-watch.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { backUp } from '../../src/modules/backup/back-up.ts';
import { MANIFEST } from '../../src/modules/backup/dump.ts';
import { differences, restore } from '../../src/modules/backup/restore.ts';
import { addCorrection } from '../../src/modules/corrections/command.ts';
import { readCorrections, recordDeclared } from '../../src/modules/corrections/correction-log.ts';
import { DAY_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { describeEngines } from './engines.ts';
import { loadLog, loadSamples, valueIn } from './load.ts';
import { simLog } from './sim-log.ts';

const STEP = 60;
const log = simLog(3, asMs(Date.UTC(2026, 9, 25)), 1, STEP);
const own = log.samples.filter(({ value }) => value.origin === 'sampled');
const idOf = ({ value }: (typeof own)[number]): string =>
  [value.canonicalId, value.venue, value.symbol, value.listedAt].join('|');
const dayOf = ({ value }: (typeof own)[number]): number => (Math.floor(value.at / DAY_MS) * DAY_MS) / 1000;

/** The store, of which every query goes through another function. */
const readBy = (store: HistoryStore, select: HistoryStore['select']): HistoryStore => ({
  engine: store.engine,
  select,
  insert: (rows) => store.insert(rows),
  run: (query, role) => store.run(query, role),
  runOnNodes: (sql) => store.runOnNodes(sql),
  selectOnNodes: (query) => store.selectOnNodes(query),
  deliver: (table) => store.deliver(table),
  close: () => store.close(),
});

describeEngines('operators', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'perpmeter-backup-'));
  let store: HistoryStore;
  beforeAll(async () => {
    store = await engine.open('kept');
    await loadLog(store, log);
    const gap = {
      venue: ALL_VENUES,
      from: log.from,
      to: asMs(log.from + 5 * MINUTE_MS),
      reason: 'no_space',
      rows: 7,
    };
    valueIn(await store.insert(gapBatch(gap, log.to)));
    valueIn(await recordDeclared(store, log.to));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('see missing minutes, duplicates and gaps', async () => {
    const { days, gaps } = valueIn(await checkHistory(store));
    const spans = new Map<string, [number, number]>();
    for (const row of own) {
      const [first, last] = spans.get(idOf(row)) ?? [row.value.at, row.value.at];
      spans.set(idOf(row), [Math.min(first, row.value.at), Math.max(last, row.value.at)]);
    }
    expect(days.length).toBeGreaterThanOrEqual(3);
    for (const day of days) {
      const there = own.filter((row) => row.value.venue === day.venue && dayOf(row) === day.day);
      const minutes = new Set(there.map((row) => `${idOf(row)} ${row.value.at}`)).size;
      const stamps = new Set(there.map((row) => `${idOf(row)} ${row.value.at} ${row.recordedAt}`)).size;
      let expected = 0;
      for (const [id, [first, last]] of spans) {
        if (id.split('|')[1] !== day.venue) continue;
        const from = Math.max(first, day.day * 1000);
        const to = Math.min(last, day.day * 1000 + DAY_MS - 1);
        if (from <= to) expected += Math.floor(to / MINUTE_MS) - Math.floor(from / MINUTE_MS) + 1;
      }
      expect(day).toMatchObject({
        expected,
        minutes,
        revisions: stamps - minutes,
        duplicates: there.length - stamps,
      });
    }
    expect(days.some(({ duplicates }) => duplicates > 0)).toBe(true);
    expect(gaps).toEqual([
      {
        venue: '*',
        from: log.from / 1000,
        until: log.from / 1000 + 300,
        reason: 'no_space',
        rows: 7,
      },
    ]);
  });

  it('back up, restore and verify every row', async () => {
    const manifest = valueIn(await backUp(store, folder));
    expect(manifest.chunks.reduce((sum, { rows }) => sum + rows, 0)).toBe(
      log.samples.length + log.settlements.length + 1,
    );
    const other = await engine.open('restored');
    valueIn(await restore(other, folder));
    expect(valueIn(await differences(other, manifest))).toEqual([]);
    expect(valueIn(await readCorrections(other))).toEqual(valueIn(await readCorrections(store)));
    const differing = { ...manifest, corrections: manifest.corrections?.slice(1) };
    expect(valueIn(await differences(other, differing))).toEqual(['the corrections differ']);
    const again = await restore(other, folder);
    expect(again).toMatchObject({ ok: false, fault: { kind: 'refused' } });
    expect(await backUp(store, folder)).toMatchObject({ ok: false, fault: { kind: 'refused' } });
  });

  it('back up what was recorded by then while a service goes on writing', async () => {
    const busy = mkdtempSync(join(tmpdir(), 'perpmeter-busy-'));
    const real = await engine.open('busy');
    await loadLog(real, log);
    const last = own.at(-1)?.value;
    const newest = Math.max(...log.samples.map(({ recordedAt }) => recordedAt));
    const write = async (recordedAt: number): Promise<void> => {
      if (last !== undefined) await loadSamples(real, [{ value: last, recordedAt: asMs(recordedAt) }]);
    };
    let writes = 0;
    let counts = 0;
    const select: HistoryStore['select'] = async (query, role) => {
      const rows = await real.select(query, role);
      if (query.sql.includes('max(recorded_at)) FROM samples')) writes = 1;
      if (writes > 0) await write(newest + writes++);
      // Once, rows that waited to be written lie among those that were counted already.
      if (query.sql.includes('count()') && query.sql.includes('FROM samples') && counts++ === 0)
        await write(newest - 1);
      return rows;
    };
    const manifest = valueIn(await backUp(readBy(real, select), busy));
    expect(writes).toBeGreaterThan(20);
    expect(counts).toBe(2);
    const samples = manifest.chunks.filter(({ table }) => table === 'samples');
    expect(samples.reduce((sum, { rows }) => sum + rows, 0)).toBe(log.samples.length + 1);
    const other = await engine.open('busy_restored');
    valueIn(await restore(other, busy));
    expect(valueIn(await differences(other, manifest))).toEqual([]);
    rmSync(busy, { recursive: true });
  });

  it('leave out a span that is dropped while they back up', async () => {
    const dropping = mkdtempSync(join(tmpdir(), 'perpmeter-dropping-'));
    const real = await engine.open('dropping');
    await loadLog(real, log);
    let isDropped = false;
    const select: HistoryStore['select'] = async (query, role) => {
      const rows = await real.select(query, role);
      if (!isDropped && query.sql.includes('count()') && query.sql.includes('FROM settlements')) {
        isDropped = true;
        valueIn(await real.runOnNodes((local) => `TRUNCATE TABLE ${local('settlements')}`));
      }
      return rows;
    };
    const manifest = valueIn(await backUp(readBy(real, select), dropping));
    const tables = new Set(manifest.chunks.map(({ table }) => table));
    expect([...tables]).toEqual(['samples']);
    rmSync(dropping, { recursive: true });
  });

  it('restore a backup of a build without corrections, and corrections apply', async () => {
    const earlier = mkdtempSync(join(tmpdir(), 'perpmeter-earlier-'));
    const { corrections, ...manifest } = valueIn(await backUp(store, earlier));
    writeFileSync(join(earlier, MANIFEST), JSON.stringify(manifest));
    const other = await engine.open('earlier');
    valueIn(await recordDeclared(other, log.from));
    valueIn(await restore(other, earlier));
    rmSync(earlier, { recursive: true });
    valueIn(await recordDeclared(other, asMs(log.to + DAY_MS)));
    expect(corrections?.length).toBeGreaterThan(5);
    expect(new Set(valueIn(await readCorrections(other)).map(({ before }) => before))).toEqual(
      new Set([log.to + DAY_MS]),
    );
  });

  it.each([
    [{ venue: "x' OR 1" }, '--venue'],
    [{ metric: 'price' }, '--metric'],
    [{ factor: '0' }, '--factor'],
    [{ withdraw: true }, '--withdraw'],
    [{ before: '2026-02-30T00:00:00Z' }, '--before'],
    [{ before: '2126-02-20T00:00:00Z' }, '--before'],
    [{ origin: 'settled' }, '--origin'],
  ])('are refused a correction with %j, and nothing is noted', async (wrong, named) => {
    const right = { venue: 'htx', metric: 'volume_24h', factor: '0.5', reason: 'twice', yes: true };
    const noted = valueIn(await readCorrections(store));
    const refused = await addCorrection(store, 'one', {
      ...right,
      before: '2026-01-02T00:00:00Z',
      ...wrong,
    });
    expect(refused).toMatchObject({ ok: false, fault: { message: expect.stringContaining(named) } });
    expect(valueIn(await readCorrections(store))).toEqual(noted);
  });

  it('see where a backup was modified', async () => {
    const manifest = valueIn(await restoreChanged());
    const other = await engine.open('changed');
    expect(valueIn(await differences(other, manifest))).toEqual([
      expect.stringMatching(/^settlements-\d+\.tsv\.gz: the rows differ$/),
    ]);
  });

  /** Loads the backup after one rate of it was changed. */
  async function restoreChanged() {
    const text = readFileSync(join(folder, MANIFEST), 'utf8');
    const file = /settlements-\d+\.tsv\.gz/.exec(text)?.[0] ?? '';
    const lines = gunzipSync(readFileSync(join(folder, file)))
      .toString()
      .split('\n');
    const cells = (lines[0] ?? '').split('\t');
    lines[0] = cells.with(-2, '0.123').join('\t');
    writeFileSync(join(folder, file), gzipSync(lines.join('\n')));
    return restore(await engine.open('changed'), folder);
  }
});
