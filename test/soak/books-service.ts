import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simBases } from '@perpmeter/sim/bases';
import { isWire } from '../../src/domain/read.ts';
import { type Child, firstLine, startChild } from '../../src/host/process/child.ts';
import { freePort } from '../../src/host/process/free-port.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { readMetrics } from './metrics-text.ts';

const HOST = '127.0.0.1';
const READY_MS = 120_000;
const PATIENCE_MS = 5000;

/** The service's report about itself at a moment; counts are over all venues since start. */
export interface Sample {
  readonly at: number;
  readonly messages: number;
  readonly breaks: number;
  readonly streamed: number;
  readonly live: number;
  /** Streamed books of each venue that are not in order and for which there is room. */
  readonly astray: ReadonlyMap<string, number>;
  readonly same: number;
  readonly different: number;
}

export interface Watched {
  sample(): Promise<Sample>;
  /** CPU seconds of the simulated venues since start. */
  readonly simPid: number;
  readonly servicePid: number;
  stop(): Promise<void>;
}

/** Starts the simulated venues and the service over them. Rejects when it does not answer in time. */
export async function startWatched(rate: string, history: 'on' | 'off'): Promise<Watched> {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpmeter-books-'));
  const children: Child[] = [];
  const stop = async (): Promise<void> => {
    for (const child of [...children].reverse()) await child.stop(PATIENCE_MS);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const simMain = new URL('../../packages/sim/src/main.ts', import.meta.url);
    const rateArgs = rate === '' ? [] : ['--book-rate', rate];
    const sim = startChild('the simulated venues', simMain, ['--port', '0', ...rateArgs]);
    children.push(sim);
    const ready = await firstLine(sim);
    const url = isWire(ready) ? String(ready.url) : '';
    const port = await freePort(HOST);
    const admin = await freePort(HOST);
    // The build is measured: the loader of the sources would count as the service's memory.
    const main = new URL('../../dist/perpmeter.js', import.meta.url);
    const ports = ['--host', HOST, '--port', String(port), '--admin-port', String(admin)];
    const service = startChild('the service', main, ['serve', ...ports, '--data-dir', dataDir], {
      PERPMETER_VENUE_BASES: JSON.stringify(
        Object.fromEntries(VENUES.map(({ id, bases }) => [id, simBases(bases, url, id)])),
      ),
      PERPMETER_DATA: 'simulated',
      PERPMETER_PAYMENTS_MODE: 'off',
      PERPMETER_HISTORY: history,
      PERPMETER_BACKFILL_DAYS: '0',
      PERPMETER_LOG_LEVEL: 'error',
    });
    service.process.stdout?.resume();
    children.push(service);
    const sample = (): Promise<Sample> => readSample(`http://${HOST}:${admin}/metrics`);
    await untilLive(sample, service);
    return { sample, simPid: sim.pid, servicePid: service.pid, stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

async function untilLive(sample: () => Promise<Sample>, service: Child): Promise<void> {
  const until = Date.now() + READY_MS;
  while (Date.now() < until) {
    if (service.process.exitCode !== null) throw new Error('the service ended by itself');
    const now = await sample().catch(() => undefined);
    if (now !== undefined && now.live > 0) return;
    await new Promise((next) => setTimeout(next, 500));
  }
  throw new Error('no book was live in time');
}

async function readSample(address: string): Promise<Sample> {
  const metrics = readMetrics(await (await fetch(address)).text());
  const sum = (name: string, labels: Readonly<Record<string, string>> = {}): number =>
    metrics
      .filter((metric) => metric.name === name)
      .filter((metric) => Object.entries(labels).every(([key, text]) => metric.labels[key] === text))
      .reduce((total, { value }) => total + value, 0);
  const venues = new Set(metrics.flatMap(({ name, labels }) => (name === 'perpmeter_books' ? [labels] : [])));
  const astray = new Map<string, number>();
  for (const venue of new Set([...venues].map(({ venue = '' }) => venue))) {
    const count = (state: string): number => sum('perpmeter_books', { venue, state });
    const lost = count('waiting') - count('no_room');
    if (lost > 0) astray.set(venue, lost);
  }
  return {
    at: Date.now(),
    messages:
      sum('perpmeter_book_messages_total', { read: 'scanned' }) +
      sum('perpmeter_book_messages_total', { read: 'decoded' }),
    breaks: sum('perpmeter_book_breaks_total'),
    streamed: sum('perpmeter_books', { state: 'streamed' }),
    live: sum('perpmeter_books', { state: 'live' }),
    astray,
    same: sum('perpmeter_book_comparisons_total', { result: 'same' }),
    different: sum('perpmeter_book_comparisons_total', { result: 'different' }),
  };
}
