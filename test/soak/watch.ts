/**
 * Kills a service again and again while it delivers firings of watches to receivers that fail, hang, close, redirect, flood and
 * lie, and to a name that leads inside; an hour of retries passes in half a minute. `npm run soak watch -- [--kills 200]
 * [--seed 1]`; exit 1 where a firing is lost, comes under another id or out of order, where a receiver that did not pass its
 * challenge gets one, or where anything reaches the trap.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printBars } from '../../scripts/bars.ts';
import { readOptions } from './options.ts';
import { soakDeliveries } from './watch-run.ts';

const values = readOptions({
  kills: { type: 'string', default: '200' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
});
const kills = Number(values.kills);
const seed = Number(values.seed);
const folder = mkdtempSync(join(tmpdir(), 'perpmeter-soak-watch-'));
try {
  const report = await soakDeliveries({ folder, kills, seed, each: 3 });
  const missed = printBars([
    { name: 'firings lost', value: report.lost, sign: '<=', bar: 0 },
    { name: 'firings under another id', value: report.doubled, sign: '<=', bar: 0 },
    { name: 'firings out of order', value: report.disordered, sign: '<=', bar: 0 },
    {
      name: 'firings to receivers that did not prove themselves',
      value: report.unproven,
      sign: '<=',
      bar: 0,
    },
    { name: 'connections to forbidden addresses', value: report.trapped, sign: '<=', bar: 0 },
    { name: 'attempts that the guard refused', value: report.refused, sign: '>=', bar: 1 },
  ]);
  console.log(
    `${kills} kills, ${report.requests} requests, ${report.firings} firings: ${report.taken} taken, ${report.givenUp} given up, ${report.lost} lost, ${report.repeated} again under the same id, ${missed} bars missed, seed ${seed}`,
  );
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
