import { simBases } from '@perpmeter/sim/bases';
import { createWorld } from '@perpmeter/sim/create-world';
import type { Fault, RetryAfter } from '@perpmeter/sim/faults';
import { type SimServer, startSimServer } from '@perpmeter/sim/server';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Collector, createCollector } from '../../src/collect/collector.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { until } from '../until.ts';
import { ManualTime } from './manual-time.ts';
import { RecordingSink } from './tiny-venue.ts';

const BAD = 'derive';
const GOOD = ['orderly', 'extended'];
/** Of real time, while the rest of the test's time is made: a busy machine must not reach it. */
const DEADLINE_MS = 4000;
const world = createWorld(1);

let time: ManualTime;
let sim: SimServer;
let collector: Collector;
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => {
  unhandled.push(reason);
};

beforeEach(async () => {
  process.on('unhandledRejection', onUnhandled);
  time = new ManualTime();
  const ids = new Set([BAD, ...GOOD]);
  const venues = SIM_VENUES.filter((venue) => ids.has(venue.id));
  sim = await startSimServer({ world, venues, clock: time.clock, tickMs: 0 });
  const adapters = [BAD, ...GOOD].flatMap((id) => adapterOf(id) ?? []);
  collector = createCollector({
    venues: adapters,
    sink: new RecordingSink(),
    clock: time.clock,
    bases: Object.fromEntries(adapters.map((a) => [a.id, simBases(a.bases, sim.url, a.id)])),
    options: {
      timer: time.timer,
      http: { deadlineMs: DEADLINE_MS, maxBodyBytes: 2_000_000 },
      circuit: { restMs: 1, longestRestMs: 1, retryDelayMs: 10 },
    },
  });
  await collector.start();
  await until(async () => {
    await time.advance(200);
    expect(collector.health.all().map((h) => h.status)).toEqual(['live', 'live', 'live']);
  });
});

afterEach(async () => {
  await collector.stop();
  await sim.close();
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
  expect(time.pending).toBe(0);
});

const refusal = (retryAfter: RetryAfter): Fault => ({ kind: 'status', status: 429, retryAfter });

const underWay = (venue: string): number =>
  Object.values(collector.stats().venues[venue]?.polls ?? {}).reduce((n, p) => n + p.requests - p.rounds, 0);

const ageOf = (venue: string): number => time.now - (collector.health.of(venue)?.lastUpdateAt ?? 0);

/** Moves on by seconds; before each, the healthy venues have their answers. Returns the oldest ages seen. */
async function run(seconds: number): Promise<readonly number[]> {
  const oldest = GOOD.map(() => 0);
  for (let s = 0; s < seconds; s++) {
    await time.advance(1000);
    await until(() => expect(GOOD.map(underWay)).toEqual(GOOD.map(() => 0)));
    for (const [i, venue] of GOOD.entries()) oldest[i] = Math.max(oldest[i] ?? 0, ageOf(venue));
  }
  return oldest;
}

const faults: readonly (readonly [string, Fault, RegExp])[] = [
  ['a hang', { kind: 'hang' }, /timeout: no complete answer within 4000 ms/],
  ['resets', { kind: 'reset' }, /reset: connection broke/],
  ['a page', { kind: 'html' }, /not_json: HTML instead of JSON/],
  ['half JSON', { kind: 'truncated' }, /not_json: unreadable JSON/],
  ['an oversize body', { kind: 'oversize', bytes: 4_000_000 }, /too_large: body over 2000000 bytes/],
  ['429 for seconds', refusal({ seconds: 4 }), /HTTP 429, pausing for 4 s/],
  ['429 for milliseconds', refusal({ ms: 2500 }), /HTTP 429, pausing for \d+ s/],
  ['429 until a date', refusal({ dateInMs: 5000 }), /HTTP 429, pausing for [45] s/],
];

describe('A venue of the simulation with a fault', () => {
  it.each(faults)(
    '%s: goes stale, then down, and recovers; no other venue is affected',
    async (_name, fault, reason) => {
      const before = await run(12);
      const rule = sim.faults.add({ venue: BAD, fault });
      const during = await run(25);
      // Ages move with the cadence and its jitter of a tenth, not with the fault.
      for (const [i, age] of during.entries()) expect(age).toBeLessThanOrEqual((before[i] ?? 0) * 1.1 + 1000);
      await until(() => expect(collector.health.of(BAD)?.lastError).toMatch(reason));
      expect(collector.health.of(BAD)?.status).toBe('stale');
      expect(GOOD.map((id) => collector.health.of(id)?.lastError)).toEqual([undefined, undefined]);

      time.jump(15 * 60_000);
      expect(collector.health.of(BAD)).toMatchObject({
        status: 'down',
        lastError: expect.stringMatching(reason),
      });
      rule.cancel();
      await until(async () => {
        await time.advance(1000);
        expect(collector.health.of(BAD)).toMatchObject({ status: 'live', lastError: undefined });
      });
    },
  );

  it('timestamps that stand still: stale, although it answers', async () => {
    const rule = sim.faults.add({ venue: BAD, fault: { kind: 'stale' } });
    await run(25);
    expect(collector.health.of(BAD)).toMatchObject({
      status: 'stale',
      errorRate5m: 0,
      lastError: "the venue's own timestamps stand still",
    });
    rule.cancel();
    await until(async () => {
      await time.advance(1000);
      expect(collector.health.of(BAD)).toMatchObject({ status: 'live', lastError: undefined });
    });
  });
});
