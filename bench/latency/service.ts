import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { simBases } from '@perpmeter/sim/bases';
import { isWire } from '../../src/domain/read.ts';
import { type Child, firstLine, startChild } from '../../src/host/process/child.ts';
import { freePort } from '../../src/host/process/free-port.ts';
import { VENUES } from '../../src/venues/registry.ts';

const HOST = '127.0.0.1';

/** The simulated venues, and the service over them with payments off. */
export interface Running {
  readonly port: number;
  readonly admin: number;
  stop(): Promise<void>;
}

/** Address of the simulated venues. */
export async function startVenues(): Promise<{ readonly child: Child; readonly url: string }> {
  const main = new URL('../../dist/sim.js', import.meta.url);
  const child = startChild('the simulated venues', main, ['--port', '0']);
  const ready = await firstLine(child);
  return { child, url: isWire(ready) ? String(ready.url) : '' };
}

/** Address of the relay. */
export async function startRelay(): Promise<{ readonly child: Child; readonly url: string }> {
  const child = startChild('the relay', new URL('./relay.ts', import.meta.url), []);
  const ready = await firstLine(child);
  return { child, url: isWire(ready) ? String(ready.url) : '' };
}

export interface Changed {
  /** Origins of venues' sockets in place of the simulated ones, by venue. */
  readonly sockets?: ReadonlyMap<string, string>;
  /** Books that are streamed of each venue. */
  readonly books?: string;
  /** True if hosts of spot alone are simulated, too; else they are not asked. */
  readonly hostsOfSpot?: boolean;
  /** Further settings, as of the environment. */
  readonly settings?: Readonly<Record<string, string>>;
}

export async function startService(
  url: string,
  { sockets, books, hostsOfSpot = false, settings = {} }: Changed = {},
): Promise<Running> {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpmeter-latency-'));
  const port = await freePort(HOST);
  const admin = await freePort(HOST);
  const bases = Object.fromEntries(
    VENUES.map(({ id, bases: own }) => {
      const simulated = simBases(hostsOfSpot ? { ...own, spot: `http://${HOST}` } : own, url, id);
      const origin = sockets?.get(id);
      if (origin === undefined) return [id, simulated];
      const through = (base: string): string =>
        base.startsWith('ws')
          ? origin + base.slice(`${url}/${id}`.length - 'http'.length + 'ws'.length)
          : base;
      return [id, Object.fromEntries(Object.entries(simulated).map(([name, base]) => [name, through(base)]))];
    }),
  );
  const main = new URL('../../dist/perpmeter.js', import.meta.url);
  const ports = ['--host', HOST, '--port', String(port), '--admin-port', String(admin)];
  const child = startChild('the service', main, ['serve', ...ports, '--data-dir', dataDir], {
    PERPMETER_VENUE_BASES: JSON.stringify(bases),
    PERPMETER_DATA: 'simulated',
    PERPMETER_PAYMENTS_MODE: 'off',
    PERPMETER_BACKFILL_DAYS: '0',
    PERPMETER_FREE_PER_SECOND: '0',
    PERPMETER_LOG_LEVEL: 'error',
    ...(books !== undefined && { PERPMETER_BOOKS_PER_VENUE: books }),
    ...settings,
  });
  child.process.stdout?.resume();
  const stop = async (): Promise<void> => {
    await child.stop(5000);
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { port, admin, stop };
}

/** Rows when all venues are live. Rejects after five minutes: a busy machine takes as long. */
export async function untilLive({ port }: Running): Promise<number> {
  for (let i = 0; i < 1500; i++) {
    await wait(200);
    const reply = await fetch(`http://${HOST}:${port}/v1/health`).catch(() => undefined);
    const health = (await reply?.json()) as { rows: number; venues: { live: number } } | undefined;
    if (health !== undefined && health.venues.live >= VENUES.length) return health.rows;
  }
  throw new Error('the venues are not all live after five minutes');
}

/** The metrics as they are now: the value of one by its name, summed over its labels. */
export async function readMetrics(admin: number): Promise<(name: string) => number> {
  const lines = (await (await fetch(`http://${HOST}:${admin}/metrics`)).text()).split('\n');
  return (name) =>
    lines
      .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
