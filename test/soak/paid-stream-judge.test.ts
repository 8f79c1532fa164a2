import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Meter, newMeter, pay, serve } from '../../src/modules/paid-stream/meter.ts';
import { killsOf } from './paid-stream-followed.ts';
import { judge, killsOfAll, type Payment, type Witnessed } from './paid-stream-judge.ts';

const seconds = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);
const seen = (parts: Partial<Witnessed>): Witnessed => ({
  uses: 1,
  payments: [{ second: 0, minutes: 2 }],
  served: seconds(1, 121),
  paused: [],
  silent: [],
  emptyConnections: 0,
  ...parts,
});
const RIGHT = { unpaidSeconds: 0, uncredited: 0, wrongSums: 0 };
const PAID = { paid: 2, credited: 0, used: 2 };

/** Lets a reader read by a meter but for some times, and notes what is seen from outside. */
function readMeter(
  payments: readonly Payment[],
  away: readonly { readonly second: number; readonly seconds: number }[],
) {
  const served: number[] = [];
  const paused: number[] = [];
  let meter: Meter = newMeter(0);
  let isGoing = false;
  for (let second = 0; second < 1500; second += 1) {
    for (const paid of payments) if (paid.second === second) meter = pay(meter, paid.minutes, second * 1000);
    const isAway = away.some((time) => second >= time.second && second < time.second + time.seconds);
    const next: Meter | undefined =
      isAway || second === 0 ? undefined : serve(meter, 1, second * 1000, isGoing);
    if (next !== undefined) served.push(second);
    else if (isGoing && !isAway) paused.push(second);
    isGoing = next !== undefined;
    meter = next ?? meter;
  }
  return { witnessed: seen({ payments, served, paused }), stated: meter };
}

it('two paid minutes, a grace of ten seconds, then a payment: right', () => {
  expect(judge(seen({}), PAID, killsOfAll([]))).toEqual(RIGHT);
  const owed = { ...PAID, used: 3 };
  expect(judge(seen({ served: seconds(1, 132), paused: [132] }), owed, killsOfAll([]))).toEqual(RIGHT);
  const payments = [
    { second: 0, minutes: 2 },
    { second: 150, minutes: 1 },
  ];
  const served = [...seconds(1, 132), ...seconds(150, 200)];
  expect(
    judge(seen({ served, payments, paused: [132] }), { ...PAID, paid: 3, used: 3 }, killsOfAll([])),
  ).toEqual(RIGHT);
});

it.each([
  ['five seconds beyond the grace', { served: seconds(1, 137) }, 5],
  ['a third minute after a gap', { served: [...seconds(1, 121), ...seconds(200, 215)] }, 4],
  ['a payment that comes later than its minute', { payments: [{ second: 30, minutes: 2 }] }, 18],
] as const)('%s: unpaid', (_, parts, unpaid) => {
  expect(judge(seen(parts as Partial<Witnessed>), PAID, killsOfAll([])).unpaidSeconds).toBe(unpaid);
});

it('whatever is paid and read of a meter: right', () => {
  const second = fc.integer({ min: 1, max: 1400 });
  const payments = fc.array(fc.record({ second, minutes: fc.integer({ min: 1, max: 2 }) }), {
    maxLength: 20,
  });
  const aways = fc.array(fc.record({ second, seconds: fc.integer({ min: 1, max: 80 }) }), { maxLength: 6 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), payments, aways, (minutes, later, away) => {
      const { witnessed, stated } = readMeter([{ second: 0, minutes }, ...later], away);
      expect(judge(witnessed, stated, killsOfAll([]))).toEqual(RIGHT);
    }),
    { numRuns: 400 },
  );
});

it('a pause of two seconds up to a payment: the rest of its minute is paid', () => {
  const payments = [
    { second: 0, minutes: 19 },
    { second: 1153, minutes: 1 },
  ];
  const { witnessed, stated } = readMeter(payments, []);
  expect(witnessed.paused).toEqual([1151, 1213]);
  expect(judge(witnessed, stated, killsOfAll([]))).toEqual(RIGHT);
});

it('a stop by silence: the rest of its minute is no new one', () => {
  const served = [...seconds(1, 90), ...seconds(140, 171)];
  expect(judge(seen({ served, silent: [100] }), PAID, killsOfAll([]))).toEqual(RIGHT);
  expect(
    judge(seen({ served: [...served, ...seconds(171, 190)], silent: [100] }), PAID, killsOfAll([])),
  ).not.toEqual(RIGHT);
});

it('a kill in a minute: credited, or found', () => {
  const served = [...seconds(1, 30), ...seconds(40, 160)];
  const credited = { paid: 2, credited: 1, used: 3 };
  expect(judge(seen({ served }), credited, killsOfAll([30]))).toEqual(RIGHT);
  expect(judge(seen({ served }), { ...credited, credited: 0 }, killsOfAll([30])).uncredited).toBe(1);
});

it('a kill while the rest of an owed minute waits: it is served on', () => {
  const payments = [
    { second: 0, minutes: 2 },
    { second: 200, minutes: 1 },
  ];
  const served = [...seconds(1, 132), ...seconds(200, 250)];
  const owed = { paid: 3, credited: 0, used: 3 };
  const killed = killsOfAll([190]);
  expect(judge(seen({ served, payments, paused: [132] }), owed, killed)).toEqual(RIGHT);
  const beyond = [...served, ...seconds(250, 270)];
  expect(judge(seen({ served: beyond, payments, paused: [132] }), owed, killed)).not.toEqual(RIGHT);
});

it.each([
  ['a payment that is lost', { paid: 1, credited: 0, used: 1 }],
  ['a payment that counts twice', { paid: 4, credited: 0, used: 2 }],
  ['a credit without a kill', { paid: 2, credited: 1, used: 2 }],
  ['minutes that nobody was given', { paid: 9, credited: 0, used: 9 }],
])('%s: wrong', (_, stated) => {
  const payments = stated.paid === 9 ? [{ second: 0, minutes: 9 }] : [{ second: 0, minutes: 2 }];
  expect(judge(seen({ payments }), stated, killsOfAll([])).wrongSums).toBeGreaterThan(0);
});

it('a kill of one of two hosts: it counts for the streams that it served', () => {
  const kill = [{ second: 100, host: 0 }];
  const at = (second: number, host: number) => ({ second, host });
  const kills = (...servedBy: readonly { second: number; host: number }[]) =>
    killsOf({ servedBy: [...servedBy], opened: [] }, kill, false);
  expect(kills(at(50, 0), at(100, 0))).toMatchObject({ possible: [100], certain: [100] });
  expect(kills(at(50, 1), at(100, 0))).toMatchObject({ possible: [100], certain: [100] });
  expect(kills(at(50, 0), at(99, 0), at(100, 1))).toMatchObject({ possible: [100], certain: [] });
  expect(kills(at(50, 1), at(100, 1))).toMatchObject({ possible: [], certain: [] });
  const opened = killsOf({ servedBy: [], opened: [at(80, 0)] }, kill, false);
  expect(opened).toMatchObject({ possible: [100], certain: [] });
});

it('two kills within a minute: one of them is certain', () => {
  const seconds = [100, 130, 200];
  const served = seconds.map((second, at) => ({ second, host: at % 2 }));
  const { possible, certain } = killsOf({ servedBy: served, opened: [] }, served, false);
  expect({ possible, certain }).toEqual({ possible: seconds, certain: [100, 200] });
});
