import { expect, it } from 'vitest';
import { ManualTime } from '../../test/collect/manual-time.ts';
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
