/**
 * Kills a process that writes history at 50 random moments, while it writes 9,000 rows a second (a minute's rows at 60
 * times speed). `npm run soak history -- [--kills 50] [--seed 1]`; exit 1 where an acknowledged batch is missing,
 * anything is there twice, or a start takes 5 s.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runKills } from './history-kills.ts';
import { readOptions } from './options.ts';

const READY_BAR_MS = 5000;
const values = readOptions({
  kills: { type: 'string', default: '50' },
  seed: { type: 'string', default: '1' },
});
const dir = mkdtempSync(join(tmpdir(), 'perpmeter-soak-history-'));
try {
  const report = await runKills({
    path: join(dir, 'history'),
    kills: Number(values.kills),
    seed: Number(values.seed),
    rows: 900,
    everyMs: 100,
  });
  const slowest = Math.max(...report.readyMs);
  process.stdout.write(
    `${report.kills} kills, ${report.acknowledged} acknowledged batches, ${report.storedRows} rows stored\n` +
      `lost ${report.lost.length}, twice ${report.twice.length}, in part ${report.partial.length}\n` +
      `ready again after ${(slowest / 1000).toFixed(1)} s at most\n`,
  );
  const held = report.lost.length + report.twice.length + report.partial.length === 0;
  process.stdout.write(held && slowest < READY_BAR_MS ? 'held\n' : 'NOT held\n');
  process.exitCode = held && slowest < READY_BAR_MS ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
