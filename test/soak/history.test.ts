import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KillReport, runKills } from './history-kills.ts';

describe('history after three kills', () => {
  const dir = mkdtempSync(join(tmpdir(), 'perpmeter-kills-'));
  let report: KillReport;
  beforeAll(async () => {
    report = await runKills({ path: join(dir, 'history'), kills: 3, seed: 3, rows: 900, everyMs: 100 });
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('has every acknowledged batch', () => {
    expect(report.acknowledged).toBeGreaterThanOrEqual(report.kills);
    expect(report.lost).toEqual([]);
  });

  it('has no batch twice or in part', () => {
    expect(report.storedRows).toBeGreaterThan(0);
    expect(report.twice).toEqual([]);
    expect(report.partial).toEqual([]);
  });
});
