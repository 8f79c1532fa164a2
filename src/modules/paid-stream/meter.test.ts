import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import {
  breakOff,
  DUE_MS,
  GRACE_FROM,
  GRACE_MS,
  isRunning,
  leftOf,
  type Meter,
  newMeter,
  paidUntil,
  pay,
  serve,
  shifted,
  stop,
} from './meter.ts';

/** Serves a reader that is there all the time, once a second; the seconds in which it was served. */
function serveFor(meter: Meter, seconds: number, from = 0, uses = 1) {
  let held = meter;
  let isGoing = false;
  const served: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    const now = from + second * SECOND_MS;
    const next = serve(held, uses, now, isGoing);
    isGoing = next !== undefined;
    held = next ?? held;
    if (isGoing) served.push(now);
  }
  return { meter: held, served, now: from + seconds * SECOND_MS };
}

describe('the meter of a stream', () => {
  it('five paid minutes: these and the grace are served, one is owed', () => {
    const { meter, served } = serveFor(newMeter(5), 500);
    expect(served).toHaveLength((5 * MINUTE_MS + GRACE_MS) / SECOND_MS);
    expect([meter.used, leftOf(meter)]).toEqual([6, -1]);
  });

  it('four paid minutes: no grace, and nothing is owed', () => {
    const { meter, served } = serveFor(newMeter(4), 500);
    expect(served).toHaveLength((4 * MINUTE_MS) / SECOND_MS);
    expect([meter.used, leftOf(meter)]).toEqual([4, 0]);
  });

  it('a reader that comes when nothing is left: not served, nothing owed', () => {
    const { meter } = serveFor(newMeter(1), 61);
    expect(meter.used).toBe(1);
    expect(serve(meter, 1, 500_000, false)).toBeUndefined();
  });

  it('paid within the grace: the minute that was owed goes on', () => {
    const { meter } = serveFor(newMeter(5), 305);
    const paid = pay(meter, 1, 305_000);
    expect([paid.owedAt, paid.endsAt, leftOf(paid)]).toEqual([undefined, 6 * MINUTE_MS, 0]);
  });

  it('paid after the pause: the rest of the owed minute, then the next', () => {
    const { meter } = serveFor(newMeter(5), 340);
    const paid = pay(meter, 2, 340_000);
    const { served, meter: after } = serveFor(paid, 300, 340_000);
    const seconds = (MINUTE_MS - GRACE_MS + MINUTE_MS + GRACE_MS) / SECOND_MS;
    expect(served).toHaveLength(seconds);
    expect(after.used).toBe(8);
  });

  it('a payment that does not cover what is owed: paused still', () => {
    const { meter } = serveFor(newMeter(16), 340, 0, 3);
    const paid = pay(meter, 1, 340_000);
    expect(serve(paid, 3, 340_000, true)).toBeUndefined();
    expect(serve(pay(paid, 1, 340_000), 3, 340_000, true)).toBeDefined();
  });

  it('a minute that is broken off: credited whole, and the next begins', () => {
    const begun = serve(newMeter(1), 1, 0, false) ?? newMeter(0);
    const broken = breakOff(begun, 1);
    expect([broken.credited, leftOf(broken), broken.endsAt]).toEqual([1, 1, undefined]);
    expect(isRunning(broken, 30_000)).toBe(false);
    expect(serve(broken, 1, 40_000, false)?.endsAt).toBe(40_000 + MINUTE_MS);
  });

  it('the end of what is paid: told of in time, unknown while owed', () => {
    const begun = serve(newMeter(7), 2, 0, false) ?? newMeter(0);
    expect(paidUntil(begun, 2, 1000)).toBe(3 * MINUTE_MS);
    expect(DUE_MS).toBeLessThan(MINUTE_MS);
    const { meter, now } = serveFor(newMeter(5), 302);
    expect(paidUntil(meter, 1, now)).toBeUndefined();
  });
});

type Act =
  | { readonly kind: 'pass'; readonly seconds: number; readonly isRead: boolean }
  | { readonly kind: 'pay'; readonly minutes: number }
  | { readonly kind: 'break' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'set'; readonly ms: number };

const acts = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('pass' as const),
      seconds: fc.integer({ min: 1, max: 90 }),
      isRead: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('pay' as const), minutes: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ kind: fc.constant('break' as const) }),
    fc.record({ kind: fc.constant('stop' as const) }),
    fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -86_400_000, max: 86_400_000 }) }),
  ),
  { maxLength: 60 },
);

/** Plays what happens to a stream; hears each second with what was served in it. */
function play(
  list: readonly Act[],
  uses: number,
  paid: number,
  hear: (meter: Meter, served: number) => void,
) {
  let meter = newMeter(paid);
  let now = 0;
  let served = 0;
  let isGoing = false;
  const pass = (isRead: boolean): void => {
    const next = isRead ? serve(meter, uses, now, isGoing) : undefined;
    isGoing = next !== undefined;
    if (next !== undefined) served += 1;
    meter = next ?? meter;
    now += SECOND_MS;
    hear(meter, served);
  };
  for (const act of list) {
    if (act.kind === 'pay') meter = pay(meter, act.minutes, now);
    if (act.kind === 'break' && isRunning(meter, now)) meter = breakOff(meter, uses);
    if (act.kind === 'stop') meter = stop(meter, now);
    if (act.kind === 'set') {
      now += act.ms;
      meter = shifted(meter, act.ms);
    }
    if (act.kind === 'pass') for (let second = 0; second < act.seconds; second += 1) pass(act.isRead);
    hear(meter, served);
  }
  return { meter, now };
}

describe('whatever happens to a stream', () => {
  const uses = fc.integer({ min: 1, max: 10 });
  const bought = fc.integer({ min: 10, max: 30 });

  it('it owes one minute at most, and no more is credited than used', () => {
    fc.assert(
      fc.property(acts, uses, bought, (list, each, paid) => {
        play(list, each, paid, (meter) => {
          expect(meter.used).toBeLessThanOrEqual(meter.paid + meter.credited + each);
          expect(meter.credited).toBeLessThanOrEqual(meter.used);
          expect(meter.owedAt !== undefined).toBe(leftOf(meter) < 0);
        });
      }),
    );
  });

  it('no second is served outside of the minutes that were begun', () => {
    fc.assert(
      fc.property(acts, uses, bought, (list, each, paid) => {
        play(list, each, paid, (meter, served) => {
          expect(served * SECOND_MS).toBeLessThanOrEqual((meter.used / each) * MINUTE_MS);
        });
      }),
    );
  });

  it('a clock that was set unseen: no minute or grace has more left', () => {
    fc.assert(
      fc.property(acts, uses, bought, fc.integer({ max: 86_400_000 }), (list, each, paid, backMs) => {
        const { meter, now } = play(list, each, paid, () => {});
        const back = now - Math.abs(backMs);
        const whole = Math.max(0, Math.floor(leftOf(meter) / each)) * MINUTE_MS;
        const { served } = serveFor(meter, 80 * 60, back, each);
        expect(served.length * SECOND_MS).toBeLessThanOrEqual(MINUTE_MS + meter.restMs + whole + GRACE_MS);
      }),
      { numRuns: 40 },
    );
  });

  it('then a reader stays: all that is left is served, to the second', () => {
    fc.assert(
      fc.property(acts, uses, bought, (list, each, paid) => {
        const played = play(list, each, paid, () => {});
        const { now } = played;
        const meter = pay(played.meter, each, now);
        const running = isRunning(meter, now) ? (meter.endsAt ?? now) - now : 0;
        const whole = Math.floor(leftOf(meter) / each) * MINUTE_MS;
        const { served, meter: after } = serveFor(meter, 80 * 60, now, each);
        const grace = after.used - after.credited > GRACE_FROM * each ? GRACE_MS : 0;
        expect(served.length * SECOND_MS).toBe(running + meter.restMs + whole + grace);
      }),
      { numRuns: 40 },
    );
  });
});
