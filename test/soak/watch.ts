/**
 * Two parts. Two processes of one host (with `--hosts 2` of two, over a PostgreSQL of its own) hold watches of several kinds over rates that are known, and are killed, stopped and paused
 * again and again: what they told is held against a recomputation from the rates. Then a service is killed while it delivers firings
 * to receivers that fail, hang, close, redirect, flood and lie, and to a name that leads inside; an hour of retries passes in half a
 * minute. `npm run soak watch -- [--kills 200] [--seed 1] [--hosts 1] [--only engine|delivery]`; exit 1 where a firing is missed, wrong, lost,
 * doubled or out of order, where a receiver that did not pass its challenge gets one, or where anything reaches the trap.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Measured, printBars } from '../../scripts/bars.ts';
import { PostgresServer } from '../pay/postgres-server.ts';
import { readOptions } from './options.ts';
import { EngineSoak, type EngineSoakReport } from './watch-engine-run.ts';
import { soakDeliveries } from './watch-run.ts';

const values = readOptions({
  kills: { type: 'string', default: '200' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  hosts: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
});
const kills = Number(values.kills);
const seed = Number(values.seed);
const none = (name: string, value: number): Measured => ({ name, value, sign: '<=', bar: 0 });

/** Over one host, or over two that share a server. */
async function soakEngine(folder: string): Promise<EngineSoakReport> {
  const options = { folder, seed, faults: kills };
  if (values.hosts === '1') return new EngineSoak(options).run();
  const server = await PostgresServer.start();
  try {
    return await new EngineSoak({ ...options, postgres: await server.database('watches') }).run();
  } finally {
    await server.stop();
  }
}

async function engine(folder: string): Promise<number> {
  const report = await soakEngine(folder);
  for (const fault of [...report.missed, ...report.wrong, ...report.misnumbered, ...report.faults].slice(
    0,
    20,
  ))
    console.log(fault);
  const missed = printBars([
    none('firings missed', report.missed.length),
    none('firings that are not true', report.wrong.length),
    none('watches with a gap in their numbers, or a wrong end', report.misnumbered.length),
    none('firings that two processes have told', report.doubled),
    none('spans without a reason', report.unfounded),
    none('faults of the engine', report.faults.length),
    { name: 'firings that are true', value: report.right, sign: '>=', bar: kills },
    { name: 'take-overs', value: report.takeOvers, sign: '>=', bar: kills / 3 },
  ]);
  console.log(
    `engine: ${kills} kills, stops and pauses of two processes of ${values.hosts} host(s), ${report.takeOvers} take-overs, ${report.watches} watches, ${report.ticks} ticks, ${report.right} firings true, ${missed} bars missed, seed ${seed}`,
  );
  return missed;
}

async function delivery(folder: string): Promise<number> {
  const report = await soakDeliveries({ folder, kills, seed, each: 3 });
  const missed = printBars([
    none('firings lost', report.lost),
    none('firings under another id', report.doubled),
    none('firings out of order', report.disordered),
    none('firings to receivers that did not prove themselves', report.unproven),
    none('connections to forbidden addresses', report.trapped),
    { name: 'attempts that the guard refused', value: report.refused, sign: '>=', bar: 1 },
  ]);
  console.log(
    `delivery: ${kills} kills, ${report.requests} requests, ${report.firings} firings: ${report.taken} taken, ${report.givenUp} given up, ${report.lost} lost, ${report.repeated} again under the same id, ${missed} bars missed, seed ${seed}`,
  );
  return missed;
}

const folder = mkdtempSync(join(tmpdir(), 'perpmeter-soak-watch-'));
try {
  let missed = 0;
  if (values.only !== 'delivery') missed += await engine(join(folder, 'engine'));
  if (values.only !== 'engine') missed += await delivery(join(folder, 'delivery'));
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
