import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { uniform } from '@perpmeter/sim/noise';
import { openStore } from '../../src/history/open-store.ts';
import { bundle } from '../bundle.ts';

const WRITER = new URL('./history-writer.ts', import.meta.url);
/** Monday; every run has an hour of times of its own. */
const BASE_S = Date.UTC(2026, 9, 5) / 1000;
const SPAN_S = 3600;

export interface KillOptions {
  readonly path: string;
  readonly kills: number;
  readonly seed: number;
  /** Rows of a batch, and ms between batches: 900 and 100 are a minute's 9,000 rows each second. */
  readonly rows: number;
  readonly everyMs: number;
}

export interface KillReport {
  readonly kills: number;
  /** Batches that were confirmed to the writer as safe. */
  readonly acknowledged: number;
  /** Times of acknowledged batches of which a row is missing. */
  readonly lost: readonly number[];
  /** Times of batches of which a row is there twice. */
  readonly twice: readonly number[];
  /** Times of batches that are there in part. */
  readonly partial: readonly number[];
  readonly storedRows: number;
  /** From the start of the process to the first batch it takes. */
  readonly readyMs: readonly number[];
}

/** One life of the writer: from its start to a kill at a random moment. */
async function killOnce(options: KillOptions, turn: number, safe: Set<number>): Promise<number> {
  const { path, rows, everyMs, seed } = options;
  const started = performance.now();
  const args = [BASE_S + turn * SPAN_S, rows, everyMs].map(String);
  const child = spawn(process.execPath, [await bundle(WRITER), path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-1000);
  });
  const gone = once(child, 'exit');
  const killAfter = 1 + Math.floor(uniform(seed, turn) * 6);
  let ready = 0;
  let batches = 0;
  let killed = false;
  const kill = async () => {
    killed = true;
    await after(uniform(seed ^ 1, turn) * 2 * everyMs);
    child.kill('SIGKILL');
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, from, to] = line.split(' ');
    if (word === 'ready') ready = performance.now() - started;
    if (word !== 'safe') continue;
    for (let at = Number(from); at <= Number(to); at++) safe.add(at);
    batches += 1;
    if (batches >= killAfter && !killed) void kill();
  }
  await gone;
  if (!killed) throw new Error(`the writer ended by itself: ${complaint}`);
  return ready;
}

/** Kills a writer again and again, then looks at what is there. */
export async function runKills(options: KillOptions): Promise<KillReport> {
  const safe = new Set<number>();
  const readyMs: number[] = [];
  for (let turn = 0; turn < options.kills; turn++) readyMs.push(await killOnce(options, turn, safe));
  const opened = await openStore({ engine: 'embedded', path: options.path });
  if (!opened.ok) throw new Error(opened.fault.message);
  const found = await opened.value.select({
    sql: 'SELECT toUnixTimestamp(ts), count(), uniqExact(canonical_id, venue, symbol) FROM samples GROUP BY ts',
    params: {},
  });
  await opened.value.close();
  if (!found.ok) throw new Error(found.fault.message);
  const batches = new Map(
    found.value.map(([at, count, different]) => [
      Number(at),
      { count: Number(count), different: Number(different) },
    ]),
  );
  const times = (fits: (batch: { count: number; different: number }) => boolean): readonly number[] =>
    [...batches].filter(([, batch]) => fits(batch)).map(([at]) => at);
  return {
    kills: options.kills,
    acknowledged: safe.size,
    lost: [...safe].filter((at) => batches.get(at)?.different !== options.rows),
    twice: times(({ count, different }) => count > different),
    partial: times(({ different }) => different !== options.rows),
    storedRows: [...batches.values()].reduce((sum, { count }) => sum + count, 0),
    readyMs,
  };
}
