import '../../../test/property-seed.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PROPERTY_RUNS } from '../../../test/property-runs.ts';
import { DueTimes } from './due-times.ts';

const event = fc.oneof(
  fc.record({ item: fc.integer({ min: 0, max: 20 }), at: fc.integer({ min: 0, max: 100 }) }),
  fc.record({ gone: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ now: fc.integer({ min: 0, max: 100 }) }),
);

it('changed, removed and taken in any order: those due, earliest first', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), (events) => {
      const due = new DueTimes<number>();
      const times = new Map<number, number>();
      for (const each of events) {
        if ('item' in each) {
          due.set(each.item, each.at);
          times.set(each.item, each.at);
        } else if ('gone' in each) {
          due.delete(each.gone);
          times.delete(each.gone);
        } else {
          const taken = due.take(each.now);
          const wanted = [...times].filter(([, at]) => at <= each.now);
          expect([...taken].sort()).toEqual(wanted.map(([item]) => item).sort());
          const order = taken.map((item) => times.get(item) ?? 0);
          expect(order).toEqual(order.toSorted((a, b) => a - b));
          for (const item of taken) times.delete(item);
        }
      }
    }),
    { numRuns: 200 * PROPERTY_RUNS.times },
  );
});

it('one whose time is changed very often: due once', () => {
  const due = new DueTimes<string>();
  for (let at = 0; at < 10_000; at += 1) due.set('one', at);
  expect(due.take(9998)).toEqual([]);
  expect(due.take(9999)).toEqual(['one']);
  expect(due.take(20_000)).toEqual([]);
});
