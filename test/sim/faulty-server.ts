import { request } from 'node:http';
import { createWorld } from '@perpmeter/sim/create-world';
import type { Fault, FaultRule } from '@perpmeter/sim/faults';
import { type SimServer, startSimServer } from '@perpmeter/sim/server';
import { afterEach, beforeEach, expect } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { until } from '../until.ts';
import { toyVenue } from './toy-venue.ts';

export const T0 = Date.UTC(2026, 9, 20, 12, 0, 30);
const world = createWorld(1);

let now = T0;
export let server: SimServer;

/** A server of two venues, new for each test of the file that calls it. */
export function useServer(): void {
  beforeEach(async () => {
    now = T0;
    server = await startSimServer({
      world,
      venues: [toyVenue('toy'), toyVenue('other')],
      clock: { now: () => asMs(now) },
      tickMs: 0,
    });
  });
  afterEach(() => server.close());
}

/** Lets the server's time pass. */
export function pass(ms: number): void {
  now += ms;
}

interface Outcome {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  /** `complete`, or the error that ended the answer. */
  end: string;
}

interface Pending {
  readonly outcome: Promise<Outcome>;
  /** Bytes of the body so far. */
  readonly received: () => number;
}

/** Asks the server, and says what is there so far. */
export function ask(path = '/toy/marks'): Pending {
  const chunks: Buffer[] = [];
  const partial = { status: 0, headers: {} as Outcome['headers'] };
  const outcome = new Promise<Outcome>((resolve) => {
    const end = (reason: string) => resolve({ ...partial, body: Buffer.concat(chunks), end: reason });
    const req = request(server.url + path, { agent: false }, (res) => {
      partial.status = res.statusCode ?? 0;
      partial.headers = res.headers;
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
      res.on('end', () => end('complete'));
    });
    req.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    req.end();
  });
  return { outcome, received: () => chunks.reduce((sum, chunk) => sum + chunk.length, 0) };
}

export const add = (fault: Fault, rule: Partial<FaultRule> = {}) =>
  server.faults.add({ venue: 'toy', fault, ...rule });

/** Until a fault has hit the venue. */
export const faulted = () => until(() => expect(server.log.of('toy').faulted).toBe(1));

/** The answer without any fault. */
export async function healthy(): Promise<string> {
  server.faults.clear();
  const { status, body, end } = await ask().outcome;
  expect([status, end]).toEqual([200, 'complete']);
  return String(body);
}
