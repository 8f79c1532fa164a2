import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { simBases } from '@perpmeter/sim/bases';
import { startChild } from '../../src/host/process/child.ts';
import { freePort } from '../../src/host/process/free-port.ts';
import { VENUES } from '../../src/venues/registry.ts';

const HOST = '127.0.0.1';
/** As the demo streams them, unless told otherwise; a service streams 100. */
export const BOOKS = process.env.BENCH_BOOKS ?? '40';
const STOP_MS = 8000;

/** A process of the service that collects or sells. */
export interface FeedMember {
  readonly pid: number;
  readonly url: string;
  readonly admin: string;
  stop(): Promise<void>;
}

/** @param env settings that differ from those with which nothing is sold and every venue is read */
export async function startMember(
  role: 'collect' | 'sell',
  nats: string,
  venues: string,
  env: Readonly<Record<string, string>> = {},
): Promise<FeedMember> {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpmeter-sellers-'));
  const port = await freePort(HOST);
  const adminPort = await freePort(HOST);
  const main = new URL('../../dist/perpmeter.js', import.meta.url);
  const ports = ['--port', String(port), '--admin-port', String(adminPort)];
  const child = startChild(role, main, ['serve', '--role', role, ...ports, '--data-dir', dataDir], {
    PERPMETER_VENUE_BASES: JSON.stringify(
      Object.fromEntries(VENUES.map(({ id, bases }) => [id, simBases(bases, venues, id)])),
    ),
    PERPMETER_NATS_URL: nats,
    PERPMETER_DATA: 'simulated',
    PERPMETER_PAYMENTS_MODE: 'off',
    PERPMETER_HISTORY: 'off',
    PERPMETER_SECOND_READER_MINUTES: '0',
    PERPMETER_FREE_PER_SECOND: '0',
    PERPMETER_LOG_LEVEL: 'error',
    PERPMETER_BOOKS_PER_VENUE: BOOKS,
    ...env,
  });
  child.process.stdout?.resume();
  const stop = async (): Promise<void> => {
    await child.stop(STOP_MS);
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { pid: child.pid, url: `http://${HOST}:${port}`, admin: `http://${HOST}:${adminPort}`, stop };
}

/** Resolved when it has so many venues, and has had them long enough for what a start costs to be over. */
export async function untilServed({ url }: FeedMember, venues = VENUES.length): Promise<void> {
  for (;;) {
    const reply = await fetch(`${url}/v1/health`).catch(() => undefined);
    const health = (await reply?.json()) as
      | { venues: { live: number }; feed: { behind: readonly string[] }; uptime_seconds: number }
      | undefined;
    const isWhole = health !== undefined && health.venues.live >= venues && health.feed.behind.length === 0;
    if (isWhole && health.uptime_seconds > 15) return;
    await wait(200);
  }
}

/** The number of messages that were in a seller's table within so many seconds, of all. */
export async function lagWithin(admin: string, seconds: number): Promise<{ inTime: number; all: number }> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const read = (end: string): number => {
    const line = text
      .split('\n')
      .find((line) => line.startsWith('perpmeter_feed_lag_seconds') && line.includes(end));
    return Number(line?.split(' ').at(-1) ?? Number.NaN);
  };
  return { inTime: read(`le="${seconds}"`), all: read('le="+Inf"') };
}
