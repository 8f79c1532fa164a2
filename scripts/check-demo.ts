/**
 * The demo as a new user starts it: time until all venues are live and the first bought answer is there, on the
 * machine as it is and beside a busy loop for each of two cores; memory at the venues' normal cadence (`bench
 * cpu` judges the service's CPU); venues that are not live beside eight busy loops; every way to stop it; and a start
 * after one that was killed. Prints a table and one summary line; exits 1 where a bar is missed. Its figures for a quiet
 * machine hold only where nothing else runs.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../src/host/process/free-port.ts';
import { type Measured, printBars } from './bars.ts';
import { watchBusyDemo } from './busy-demo.ts';
import { besideBusyLoops } from './busy-loops.ts';
import { loadingCpu } from './loading-cpu.ts';
import { cpuSeconds } from './process-cpu.ts';
import { answerHelp } from './usage.ts';
import { isAlive, type RunningDemo, type Stop, startDemo, stopDemo } from './with-demo.ts';

answerHelp();

const BARS = {
  quietMs: 8000,
  busyMs: 20_000,
  /** CPU that the service has used when it first answers, times that of a process that loads viem. */
  listeningLoads: 5.5,
  liveVenues: 33,
  rows: 8500,
  fullMs: 30_000,
  residentMb: 600,
  simCores: 0.5,
  /** Beside eight busy loops. */
  staleVenues: 2,
  earlySteps: 0,
  stopMs: 3000,
};
const MEASURE_MS = 30_000;

/** CPU seconds used so far and resident megabytes of a process, from /proc. */
function usage(pid: number): { readonly cpu: number; readonly mb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const rss = /VmRSS:\s+(\d+)/.exec(status)?.[1];
  return { cpu: cpuSeconds(pid), mb: Number(rss) / 1024 };
}

interface Health {
  readonly venues: { readonly live: number; readonly stale: number; readonly down: number };
  readonly rows: number;
}

async function health(): Promise<Health> {
  const { base_url: base } = JSON.parse(readFileSync('var/demo.json', 'utf8')) as { base_url: string };
  return (await (await fetch(`${base}/v1/health`)).json()) as Health;
}

async function untilFull(began: number): Promise<number> {
  for (;;) {
    const { venues, rows } = await health();
    const ms = Date.now() - began;
    if ((venues.live >= BARS.liveVenues && rows >= BARS.rows) || ms > BARS.fullMs) return ms;
    await wait(100);
  }
}

/** CPU seconds that the service has used when it answers for the first time. */
async function cpuWhenListening(port: number): Promise<number> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/health`).catch(() => undefined);
    if (answer?.ok === true) {
      const { pids } = JSON.parse(readFileSync('var/demo.json', 'utf8')) as DemoPids;
      return usage(pids.service).cpu;
    }
    await wait(10);
  }
}

interface DemoPids {
  readonly pids: { readonly service: number };
}

interface Start {
  readonly demo: RunningDemo;
  readonly listeningCpu: number;
  /** Until it said that it was ready, until all venues were live, and until an answer was bought. */
  readonly fullMs: number;
  readonly boughtMs: number;
  readonly cpu: number;
}

async function start(): Promise<Start> {
  const began = Date.now();
  const port = await freePort('127.0.0.1');
  const [demo, listeningCpu] = await Promise.all([startDemo(String(port)), cpuWhenListening(port)]);
  const parts = [demo.pids.service ?? 0, demo.pids.sim ?? 0];
  const cpu = parts.reduce((sum, pid) => sum + usage(pid).cpu, 0);
  const buy = ['run', '--silent', 'perpmeter', '--', 'buy', '/v1/funding/current?symbol=BTC'];
  const bought = promisify(execFile)('npm', buy).then(
    () => Date.now() - began,
    () => Number.POSITIVE_INFINITY,
  );
  const [fullMs, boughtMs] = await Promise.all([untilFull(began), bought]);
  return { demo, listeningCpu, fullMs, boughtMs, cpu };
}

const rows: Measured[] = [];
const atMost = (name: string, value: number, bar: number) => rows.push({ name, value, sign: '<=', bar });
const atLeast = (name: string, value: number, bar: number) => rows.push({ name, value, sign: '>=', bar });

async function stop(name: string, demo: RunningDemo, how: Stop): Promise<void> {
  const { stopMs, left } = await stopDemo(demo, how);
  atMost(`stopped by ${name}, ms`, stopMs, BARS.stopMs);
  atMost(`  and left, processes (${left.join(', ') || 'none'})`, left.length, 0);
}

/** Kills the demo alone; what it started must end by itself, and the next must start. */
async function killAndStart(): Promise<RunningDemo> {
  const { pids } = await startDemo('0');
  process.kill(pids.demo ?? 0, 'SIGKILL');
  const next = await startDemo('0');
  atMost('left of one that was killed, processes', Object.values(pids).filter(isAlive).length, 0);
  return next;
}

const load = loadavg()[0] ?? 0;
const viemCpu = loadingCpu();
const quiet = await start();
const { service = 0, sim = 0 } = quiet.demo.pids;
const before = usage(service);
const simBefore = usage(sim);
await wait(MEASURE_MS);
const after = usage(service);
const simAfter = usage(sim);
const end = await health();
const coresOf = (from: { cpu: number }, to: { cpu: number }): number =>
  (to.cpu - from.cpu) / (MEASURE_MS / 1000);
const cores = coresOf(before, after);
const simCores = coresOf(simBefore, simAfter);
atMost('all venues live, first answer bought, ms', Math.max(quiet.fullMs, quiet.boughtMs), BARS.quietMs);
atMost('service, CPU at its first answer, loads of viem', quiet.listeningCpu / viemCpu, BARS.listeningLoads);
atLeast('live venues', end.venues.live, BARS.liveVenues);
atLeast('rows', end.rows, BARS.rows);
atMost('service resident, MB', after.mb, BARS.residentMb);
atMost('simulated venues CPU, cores', simCores, BARS.simCores);
const crowded = await watchBusyDemo();
atMost('eight busy loops: venues not live', crowded.stale, BARS.staleVenues);
atMost('  steps shed before the world was at its slowest', crowded.early, BARS.earlySteps);
await stop('SIGTERM to npm', quiet.demo, ['SIGTERM', 'npm']);
const busy = await besideBusyLoops(async () => {
  const started = await start();
  await stop('Ctrl-C, both cores busy', started.demo, ['SIGINT', 'terminal']);
  return started;
});
atMost('both cores busy: the same, ms', Math.max(busy.fullMs, busy.boughtMs), BARS.busyMs);
await stop('SIGTERM to node', await startDemo('0'), ['SIGTERM', 'demo']);
await stop('a closed terminal', await killAndStart(), ['SIGHUP', 'terminal']);

const missed = printBars(rows);
console.log(
  `check demo: ready ${quiet.demo.readyMs} ms at load ${load.toFixed(1)} (${quiet.cpu.toFixed(1)} s of CPU), ` +
    `${busy.demo.readyMs} ms beside two busy loops, ${crowded.stale} venues not live and ${crowded.shed} steps shed beside eight (${crowded.early} before the world was at its slowest), ${end.venues.live} venues, ${end.rows} rows, ` +
    `${after.mb.toFixed(0)} MB, ${cores.toFixed(2)} cores, simulated venues ${simCores.toFixed(2)}, ${missed} bars missed`,
);
process.exit(missed === 0 ? 0 : 1);
