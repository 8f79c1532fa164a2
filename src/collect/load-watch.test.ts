import { expect, it } from 'vitest';
import { ManualTime } from '../../test/collect/manual-time.ts';
import { HOUR_MS } from '../runtime/duration.ts';
import { LoadWatch } from './load-watch.ts';

const BUSY = { utilization: 1, lag: 2 };
const IDLE = { utilization: 0.1, lag: 0 };

it('each change of the level is one line of the log and visible at once', () => {
  const time = new ManualTime();
  const lines: unknown[] = [];
  const line = (fields: object, text: string) => lines.push([text, fields]);
  const watch = new LoadWatch(time.clock, { info: line, warn: line });
  const look = (seconds: number, seen: typeof BUSY): void => {
    for (let i = 0; i < seconds; i++) {
      time.jump(1000);
      watch.observe(seen);
    }
  };
  look(30, IDLE);
  look(10, BUSY);
  expect([watch.isShed('backfill'), watch.isShed('unread_books'), watch.isShed('book_rotation')]).toEqual([
    ...[true, true],
    false,
  ]);
  look(3, IDLE);
  expect([watch.isShed('backfill'), watch.isShed('unread_books')]).toEqual([true, false]);
  const reason = 'the event loop was busy for 100 % of the time and late by 2.00 s';
  expect(lines).toEqual([
    ['load is shed', { overload: 1, shed: 'backfill', reason }],
    ['load is shed', { overload: 2, shed: 'unread_books', reason }],
    ['load is taken up again', { overload: 1, restored: 'unread_books' }],
  ]);
  expect(watch.state()).toEqual({ level: 1, since: time.now, reason, lagSeconds: 0 });
});

it('a precedent: it hears looks after the start, and is waited for', () => {
  const time = new ManualTime();
  const watch = new LoadWatch(time.clock, { info: () => {}, warn: () => {} });
  const heard: number[] = [];
  let canYield = true;
  watch.precededBy({ observe: ({ lag }, level) => heard.push(lag + level), canYield: () => canYield });
  const look = (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      time.jump(1000);
      watch.observe(BUSY);
    }
  };
  look(30);
  expect(heard).toEqual([]);
  look(10);
  expect([watch.state().level, heard]).toEqual([0, Array.from({ length: 10 }, () => BUSY.lag)]);
  canYield = false;
  look(5);
  expect([watch.state().level, heard.at(-1)]).toEqual([1, BUSY.lag + 1]);
});

/** A watch whose clock the test sets, and the levels after each of so many looks, one a second. */
function scene() {
  const time = new ManualTime();
  const watch = new LoadWatch(time.clock, { info: () => {}, warn: () => {} });
  const look = (seconds: number, seen: typeof BUSY): number[] =>
    Array.from({ length: seconds }, () => {
      time.jump(1000);
      watch.observe(seen);
      return watch.state().level;
    });
  return { time, watch, look };
}

it('a clock set back since the start: sheds after half a minute', () => {
  const { time, watch, look } = scene();
  look(20, IDLE);
  time.setBack(HOUR_MS);
  look(11, IDLE);
  expect(look(6, BUSY).at(-1)).toBe(1);
  expect(watch.state().since).toBe(time.clock.now() - 1000);
});

it('a clock set back after a failed restore: restores as soon as without', () => {
  const { time, look } = scene();
  const quiet = { utilization: 0.5, lag: 0.1 };
  look(30, IDLE);
  look(10, BUSY);
  look(3, quiet);
  expect(look(10, BUSY).at(-1)).toBe(2);
  time.setBack(HOUR_MS);
  expect(new Set(look(15, quiet))).toEqual(new Set([2]));
  expect(look(1, quiet)).toEqual([1]);
});
