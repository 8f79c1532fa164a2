import { setTimeout as wait } from 'node:timers/promises';
import { cpuSeconds } from '../../scripts/process-cpu.ts';
import { SHED_ORDER } from '../../src/collect/load-shedding.ts';
import { type Metric, readMetrics } from './metrics-text.ts';

/** The service's report about itself, and the system's about it. */
export interface Reading {
  readonly at: number;
  readonly mb: number;
  readonly cores: number;
  readonly live: number;
  readonly waitingRows: number;
  readonly open: number;
}

interface Health {
  readonly venues: Readonly<Record<'live' | 'stale' | 'down', number>>;
  readonly event_loop_lag_seconds: number;
  readonly overload: { readonly level: number; readonly shed: readonly string[] };
}

const PATIENCE_MS = 20_000;
const POLL_MS = 500;
const HEAD = ['s', 'MB', 'cores', 'lag s', 'level', 'live', 'stale', 'books', 'waiting', 'budget', 'open'];

/** Reads health and metrics of the service under test, and prints a line for each reading. */
export class OverloadWatch {
  readonly #base: string;
  readonly #metrics: string;
  readonly #pid: number;
  readonly #began = Date.now();
  #cpu: number;
  #at = Date.now();

  constructor(base: string, metrics: string, pid: number) {
    this.#base = base;
    this.#metrics = metrics;
    this.#pid = pid;
    this.#cpu = cpuSeconds(pid);
    console.log(HEAD.map((head) => head.padStart(9)).join(''));
  }

  /** Rejects where the service does not answer in time, or is gone. */
  async read(): Promise<Reading> {
    const health = await this.#health();
    const text = await readText(this.#metrics);
    const metrics = readMetrics(text);
    const at = Date.now();
    const cpu = cpuSeconds(this.#pid);
    const cores = (cpu - this.#cpu) / ((at - this.#at) / 1000);
    this.#at = at;
    this.#cpu = cpu;
    const mb = total(metrics, 'process_resident_memory_bytes') / 2 ** 20;
    const waitingRows = total(metrics, 'perpmeter_history_waiting_rows');
    const open = total(metrics, 'perpmeter_http_open_exchanges');
    const books = metrics.filter(({ name, labels }) => name === 'perpmeter_books' && labels.state === 'live');
    const { venues, overload, event_loop_lag_seconds: lag } = health;
    const cells = [
      ...[((at - this.#began) / 1000).toFixed(0), mb.toFixed(0), cores.toFixed(2), lag.toFixed(2)],
      ...[overload.level, venues.live, venues.stale, books.reduce((sum, { value }) => sum + value, 0)],
      ...[waitingRows, total(metrics, 'perpmeter_budget_waiting_requests'), open],
    ];
    console.log(cells.map((cell) => String(cell).padStart(9)).join(''));
    return { at, mb, cores, live: venues.live, waitingRows, open };
  }

  /** Milliseconds until all venues are live and nothing is shed; as long as it was waited where they never were. */
  async untilWell(longestMs: number): Promise<number> {
    const began = Date.now();
    for (;;) {
      const { venues, overload } = await this.#health();
      const ms = Date.now() - began;
      if (ms > longestMs || (venues.stale === 0 && venues.down === 0 && overload.level === 0)) return ms;
      await wait(POLL_MS);
    }
  }

  /** The levels as they follow each other, and how often what is shed was not the first of the stated order. */
  followLevels(): { readonly levels: number[]; readonly outOfOrder: number; stop(): void } {
    const seen = { levels: [0], outOfOrder: 0, stop: () => {} };
    const timer = setInterval(async () => {
      const overload = await this.#health().then(
        (health) => health.overload,
        () => undefined,
      );
      if (overload === undefined) return;
      const { level, shed } = overload;
      if (shed.join() !== SHED_ORDER.slice(0, level).join()) seen.outOfOrder++;
      const last = seen.levels.at(-1) ?? 0;
      if (level !== last) seen.levels.push(level);
    }, 1000);
    seen.stop = () => clearInterval(timer);
    return seen;
  }

  async #health(): Promise<Health> {
    return JSON.parse(await readText(`${this.#base}/v1/health`)) as Health;
  }
}

async function readText(url: string): Promise<string> {
  return (await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })).text();
}

const total = (metrics: readonly Metric[], name: string): number =>
  metrics.filter((metric) => metric.name === name).reduce((sum, { value }) => sum + value, 0);
