import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import type { Finding } from '../../src/host/incident-board.ts';
import { openIncidentStore } from '../../src/modules/audit/incidents/incident-store.ts';
import { Incidents } from '../../src/modules/audit/incidents/incidents.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { memoryIncidentStore } from './memory-incidents.ts';

const T0 = asMs(Date.UTC(2026, 10, 20));
const at = (ms: number) => asMs(T0 + ms);
const finding = (contract: string | undefined, rest: Partial<Finding> = {}): Finding => ({
  rule: 'jump',
  venue: 'binance',
  field: 'mark_price',
  evidence: '1 -> 100',
  ...(contract !== undefined && { contract }),
  ...rest,
});
const all = { from: asMs(0), to: asMs(T0 + 1000 * DAY_MS) };

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('incidents', () => {
  it('are opened once while a finding lasts, and again after it was closed', () => {
    const incidents = new Incidents(memoryIncidentStore());
    const key = incidents.open(finding('BTCUSDT'), at(0));
    expect(incidents.open(finding('BTCUSDT', { evidence: 'other' }), at(5))).toBe(key);
    expect(incidents.between(all)).toMatchObject([{ id: 1, evidence: '1 -> 100', openedAt: at(0) }]);
    incidents.close(key, at(10));
    incidents.close(key, at(20));
    expect(incidents.between(all)).toMatchObject([{ id: 1, closedAt: at(10) }]);
    incidents.open(finding('BTCUSDT'), at(30));
    expect(incidents.between(all).map(({ id }) => id)).toEqual([2, 1]);
    expect(incidents.counts()).toMatchObject({ open: 1, opened: new Map([['jump', 2]]) });
  });

  it('are found by what they overlap of a window, and by venue', () => {
    const incidents = new Incidents(memoryIncidentStore());
    incidents.close(incidents.open(finding('A'), at(10)), at(20));
    incidents.open(finding('B', { venue: 'okx' }), at(30));
    const ids = (from: number, to: number, venue?: string) =>
      incidents.between({ from: at(from), to: at(to), venue }).map(({ id }) => id);
    expect([ids(0, 10), ids(0, 11), ids(20, 30), ids(21, 30), ids(99, 100)]).toEqual([[], [1], [1], [], [2]]);
    expect(ids(0, 100, 'okx')).toEqual([2]);
  });

  it('more contracts than are named: one of the venue, until few', () => {
    const incidents = new Incidents(memoryIncidentStore());
    const keys = Array.from({ length: 80 }, (_, i) => incidents.open(finding(`C${i}`), at(0)));
    const open = () => [...incidents.lasting()].filter(({ contract }) => contract === undefined);
    expect(incidents.counts()).toMatchObject({ open: 51, folded: 30 });
    expect(open()).toMatchObject([{ evidence: 'more than 50 contracts' }]);
    for (const key of keys.slice(0, 30)) incidents.close(key, at(1));
    expect(open()).toEqual([]);
    expect(incidents.counts().open).toBe(20);
  });

  it('take what an operator says, whether they last or not', () => {
    const incidents = new Incidents(memoryIncidentStore());
    const key = incidents.open(finding('A'), at(0));
    expect(incidents.annotate(1, 'the venue announced it', at(1))).toBe(true);
    incidents.close(key, at(2));
    expect(incidents.annotate(1, 'mended', at(3))).toBe(true);
    expect(incidents.annotate(7, 'nothing', at(3))).toBe(false);
    expect(incidents.between(all)[0]).toMatchObject({
      closedAt: at(2),
      annotations: [
        { at: at(1), text: 'the venue announced it' },
        { at: at(3), text: 'mended' },
      ],
    });
  });

  it('go when they are closed and older than answers reach', () => {
    const store = memoryIncidentStore();
    const incidents = new Incidents(store);
    incidents.close(incidents.open(finding('A'), at(0)), at(1));
    incidents.open(finding('B'), at(2));
    incidents.flush(at(3));
    expect(store.kept.size).toBe(2);
    incidents.flush(at(92 * DAY_MS));
    expect([...store.kept.keys()]).toEqual([2]);
    expect(incidents.between(all)).toHaveLength(1);
  });

  it('survive a restart, open ones as open', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'incidents-'));
    folders.push(folder);
    const first = new Incidents(openIncidentStore(folder));
    first.close(first.open(finding('A'), at(0)), at(1));
    const key = first.open(finding(undefined), at(2));
    first.annotate(2, 'seen', at(3));
    await first.stop(at(4));
    const second = new Incidents(openIncidentStore(folder));
    expect(second.open(finding(undefined), at(5))).toBe(key);
    expect(second.between(all)).toMatchObject([
      { id: 2, annotations: [{ text: 'seen' }] },
      { id: 1, closedAt: at(1) },
    ]);
    second.close(key, at(6));
    second.open(finding('C'), at(7));
    expect(second.between(all)[0]).toMatchObject({ id: 3 });
    await second.stop(at(8));
  });
});
