import { beforeEach, describe, expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { LoadShedding, SHED_ORDER } from './load-shedding.ts';

const IDLE = { utilization: 0.2, lag: 0.01 };
const BUSY = { utilization: 0.97, lag: 0.1 };
const LATE = { utilization: 0.4, lag: 0.9 };
const HALF = { utilization: 0.8, lag: 0.1 };

let now = 0;
let shedding = new LoadShedding();
/** The levels after each of so many looks, one a second. */
function look(seconds: number, seen = IDLE): number[] {
  return Array.from({ length: seconds }, () => {
    now += 1000;
    shedding.observe(seen, now, asMs(now));
    return shedding.state.level;
  });
}
const shed = (): readonly string[] => SHED_ORDER.filter((what) => shedding.isShed(what));

beforeEach(() => {
  now = Date.UTC(2026, 9, 20);
  shedding = new LoadShedding();
});

describe('LoadShedding under overload', () => {
  it('sheds nothing in the first thirty seconds', () => {
    expect(look(30, BUSY).at(-1)).toBe(0);
    expect(shedding.state).toEqual({ level: 0, since: undefined, reason: undefined });
  });

  it('overload: one kind of work after the other is shed, every five seconds', () => {
    look(31);
    const seen: (readonly string[])[] = [];
    for (let step = 0; step < 5; step++) {
      look(5, BUSY);
      seen.push(shed());
    }
    const order = ['backfill', 'unread_books', 'book_rotation', 'sampling'];
    expect(seen).toEqual([1, 2, 3, 4, 4].map((count) => order.slice(0, count)));
    expect(shedding.state.reason).toMatch(
      /^the event loop was busy for 97 % of the time and late by 0\.10 s$/,
    );
  });

  it('sheds where the event loop is late, however little there is to do', () => {
    look(31);
    expect(look(5, LATE).at(-1)).toBe(1);
  });

  it('something else can do less: nothing is shed until it has', () => {
    look(31);
    const levels = (count: number, isPreceded: boolean) =>
      Array.from({ length: count }, () => {
        now += 1000;
        shedding.observe(BUSY, now, asMs(now), isPreceded);
        return shedding.state.level;
      });
    expect(levels(20, true).at(-1)).toBe(0);
    expect(levels(6, false)).toEqual([0, 0, 0, 0, 1, 1]);
    expect(levels(9, true).at(-1)).toBe(1);
  });

  it('sheds nothing for a late second once in a while', () => {
    look(31);
    for (let i = 0; i < 20; i++) {
      look(1, { utilization: 1, lag: 1.5 });
      look(4);
    }
    expect(shedding.state.level).toBe(0);
  });

  it('keeps its level while what is left just fits', () => {
    look(31);
    look(15, BUSY);
    expect(new Set(look(300, HALF))).toEqual(new Set([3]));
  });
});

describe('LoadShedding after overload', () => {
  it('restores everything within fifteen seconds, the last shed first', () => {
    look(31);
    look(20, BUSY);
    expect(look(15)).toEqual([4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0, 0]);
    expect(shedding.state).toEqual({ level: 0, since: now - 3000, reason: undefined });
  });

  it('a restore that was too much: waits fifteen seconds with the same room', () => {
    look(31);
    look(10, BUSY);
    const quiet = { utilization: 0.5, lag: 0.1 };
    expect(look(3, quiet).at(-1)).toBe(1);
    expect(look(9, BUSY).at(-1), 'what a beginning costs').toBe(1);
    expect(look(1, BUSY).at(-1)).toBe(2);
    expect(new Set(look(14, quiet))).toEqual(new Set([2]));
    expect(look(1, quiet).at(-1)).toBe(1);
  });

  it('a failed restore, little more room: all restored within half a minute', () => {
    look(31);
    look(20, BUSY);
    const quiet = { utilization: 0.5, lag: 0.1 };
    look(3, quiet);
    look(10, BUSY);
    expect(shedding.state.level).toBe(4);
    expect(look(27, { utilization: 0.45, lag: 0.1 }).at(-1)).toBe(0);
  });

  it('a failed restore, far more room: all restored at once', () => {
    look(31);
    look(10, BUSY);
    look(3, { utilization: 0.5, lag: 0.1 });
    look(10, BUSY);
    expect(look(6).at(-1)).toBe(0);
  });
});
