import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { makeBudget, signal } from '../../test/collect/budget-rig.ts';
import { type Loopback, serve } from '../../test/collect/loopback.ts';
import { systemTimer } from '../runtime/timer.ts';
import { emptyCallStats } from './call-stats.ts';
import type { CircuitOptions } from './circuit.ts';
import { HttpClient } from './http-client.ts';
import { PRIORITY } from './priority.ts';
import { type Exchange, VenueCaller } from './venue-caller.ts';

const CIRCUIT: CircuitOptions = { timer: systemTimer, random: () => 0 };
const REQUEST = { method: 'GET', path: '/a' } as const;

let server: Loopback | undefined;
const http = new HttpClient();
afterEach(() => server?.close());

async function callerOf(listener: RequestListener, circuit?: CircuitOptions) {
  let hits = 0;
  server = await serve((req, res) => {
    hits++;
    listener(req, res);
  });
  const { time, budget } = makeBudget({ pools: [{ name: 'default', limit: 1000, perMs: 1000 }] });
  const bases = { rest: server.url };
  const caller = new VenueCaller({ venue: 'v', bases, http, budget, clock: time.clock, circuit });
  const seen: Exchange[] = [];
  const terms = {
    pool: undefined,
    weight: 1,
    priority: PRIORITY.bulk,
    maxBytes: 1000,
    signal,
    stats: emptyCallStats(),
    observe: (exchange: Exchange) => void seen.push(exchange),
  };
  return { caller, terms, seen, hits: () => hits, now: time.clock.now };
}

const statusesOf = (seen: readonly Exchange[]) =>
  seen.map(({ outcome: { result } }) => (result.ok ? 200 : result.failure.status));

describe('the observer of a call', () => {
  it('a call that is retried: gets each exchange, headers and body', async () => {
    let fails = 2;
    const { caller, terms, seen, now } = await callerOf((_req, res) => {
      if (fails-- > 0) res.writeHead(503, { 'x-seen': 'yes' }).end('resting');
      else res.end('[1]');
    }, CIRCUIT);
    const answer = await caller.call(REQUEST, terms);
    expect(answer).toEqual({ ok: true, value: { payload: [1], receivedAt: now() } });
    expect(statusesOf(seen)).toEqual([503, 503, 200]);
    expect(seen[0]).toMatchObject({
      outcome: { errorBody: 'resting', headers: { 'x-seen': 'yes' } },
      askedAt: now(),
      answeredAt: now(),
      pauseMs: undefined,
    });
  });

  it.each([
    [429, 'rate_limited'],
    [400, 'status'],
  ])('status %d that asks to wait: gets the pause and kind %s', async (status, kind) => {
    const { caller, terms, seen } = await callerOf((_req, res) =>
      res.writeHead(status, { 'retry-after': '7' }).end(),
    );
    const answer = await caller.call(REQUEST, terms);
    expect(answer).toMatchObject({ failure: { kind: 'rate_limited', status } });
    expect(seen).toMatchObject([{ pauseMs: 7000, outcome: { result: { failure: { kind, status } } } }]);
  });

  it('a call that is not sent: gets nothing', async () => {
    const { caller, terms, seen, hits } = await callerOf((_req, res) => res.end('[]'));
    expect(await caller.call({ ...REQUEST, base: 'none' }, terms)).toMatchObject({ ok: false });
    expect(await caller.call({ ...REQUEST, path: 'a' }, terms)).toMatchObject({ ok: false });
    const stopped = { ...terms, signal: AbortSignal.abort() };
    expect(await caller.call(REQUEST, stopped)).toMatchObject({ failure: { kind: 'aborted' } });
    expect(seen).toEqual([]);
    expect(hits()).toBe(0);
  });
});

describe('a caller without a circuit', () => {
  it('a host that fails: every call goes out, and once', async () => {
    const { caller, terms, seen, hits } = await callerOf((_req, res) => res.writeHead(502).end());
    const calls = 8;
    for (let made = 0; made < calls; made++)
      expect(await caller.call(REQUEST, terms)).toMatchObject({ failure: { kind: 'status', status: 502 } });
    expect(hits()).toBe(calls);
    expect(statusesOf(seen)).toEqual(Array(calls).fill(502));
    expect(caller.circuits()).toEqual({});
  });
});
