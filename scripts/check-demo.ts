/**
 * The demo as a new user starts it: time to ready, venues and rows within the time allowed, then memory and CPU of
 * the service process at the venues' normal cadence. Prints a table and one summary line; exits 1 where a bar is missed.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { answerHelp } from './usage.ts';
import { startDemo, stopDemo } from './with-demo.ts';

answerHelp();

const BARS = {
  readyMs: 15_000,
  liveVenues: 33,
  rows: 8500,
  fullMs: 30_000,
  /** Without the pages of the history engine's library, which the system shares and reclaims. */
  ownMb: 600,
  residentMb: 800,
  cores: 0.5,
  simCores: 0.5,
  stopMs: 5000,
};
const MEASURE_MS = 30_000;

/** CPU seconds used so far and resident megabytes of a process, from /proc. */
function usage(pid: number): { readonly cpu: number; readonly mb: number; readonly ownMb: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const rss = /VmRSS:\s+(\d+)/.exec(status)?.[1];
  const anonymous = /RssAnon:\s+(\d+)/.exec(status)?.[1];
  return { cpu: ticks / 100, mb: Number(rss) / 1024, ownMb: Number(anonymous) / 1024 };
}

interface Health {
  readonly venues: { readonly live: number; readonly stale: number; readonly down: number };
  readonly rows: number;
}

async function health(base: string): Promise<Health> {
  return (await (await fetch(`${base}/v1/health`)).json()) as Health;
}

async function untilFull(base: string, began: number): Promise<{ ms: number; state: Health }> {
  for (;;) {
    const state = await health(base);
    const ms = Date.now() - began;
    if (state.venues.live >= BARS.liveVenues && state.rows >= BARS.rows) return { ms, state };
    if (ms > BARS.fullMs) return { ms, state };
    await wait(200);
  }
}

const began = Date.now();
const demo = await startDemo('0');
const { base_url: base } = JSON.parse(readFileSync('var/demo.json', 'utf8')) as { base_url: string };
const full = await untilFull(base, began);
const { service = 0, sim = 0 } = demo.pids;
const [before, simBefore] = [usage(service), usage(sim)];
await wait(MEASURE_MS);
const [after, simAfter] = [usage(service), usage(sim)];
const end = await health(base);
const { stopMs, left } = await stopDemo(demo);

const cores = (after.cpu - before.cpu) / (MEASURE_MS / 1000);
const simCores = (simAfter.cpu - simBefore.cpu) / (MEASURE_MS / 1000);
const rows: readonly (readonly [string, number, string, number, boolean])[] = [
  ['ready, ms', demo.readyMs, '<=', BARS.readyMs, demo.readyMs <= BARS.readyMs],
  ['all venues and rows, ms', full.ms, '<=', BARS.fullMs, full.ms <= BARS.fullMs],
  ['live venues', end.venues.live, '>=', BARS.liveVenues, end.venues.live >= BARS.liveVenues],
  ['rows', end.rows, '>=', BARS.rows, end.rows >= BARS.rows],
  ['service, memory of its own, MB', after.ownMb, '<', BARS.ownMb, after.ownMb < BARS.ownMb],
  ['service resident, MB', after.mb, '<', BARS.residentMb, after.mb < BARS.residentMb],
  ['service CPU, cores', cores, '<', BARS.cores, cores < BARS.cores],
  ['simulated venues CPU, cores', simCores, '<', BARS.simCores, simCores < BARS.simCores],
  ['stopped in, ms', stopMs, '<=', BARS.stopMs, stopMs <= BARS.stopMs],
  ['processes left', left.length, '<=', 0, left.length === 0],
];
for (const [name, value, sign, bar, ok] of rows) {
  console.log(
    `${name.padEnd(30)} ${value.toFixed(2).padStart(10)}  ${sign} ${String(bar).padEnd(8)} ${ok ? 'ok' : 'MISSED'}`,
  );
}
const missed = rows.filter((row) => !row[4]).length;
console.log(
  `check:demo: ready ${demo.readyMs} ms, ${end.venues.live} venues, ${end.rows} rows, ${after.mb.toFixed(0)} MB, ${cores.toFixed(2)} cores, ${missed} bars missed`,
);
process.exit(missed === 0 ? 0 : 1);
