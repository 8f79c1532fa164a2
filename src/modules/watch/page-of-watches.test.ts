import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageOfWatches } from './page-of-watches.ts';
import type { WatchRecord } from './watch-record.ts';

const recordOf = (id: string, beganAt: number) => ({ id, beganAt }) as WatchRecord;

it('pages one after the other: each watch once, the newest first', () => {
  const moments = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 30 });
  fc.assert(
    fc.property(moments, fc.integer({ min: 1, max: 7 }), (times, most) => {
      const watches = times.map((beganAt, at) => recordOf(`w${at}`, beganAt));
      const found: WatchRecord[] = [];
      let after: string | undefined;
      for (let isLast = false; !isLast; ) {
        const page = pageOfWatches(watches, after, most);
        if (!page.ok) throw new Error(page.error.detail);
        expect(page.value.records.length).toBeLessThanOrEqual(most);
        found.push(...page.value.records);
        after = page.value.next;
        isLast = after === undefined;
        // One that is sold meanwhile is newer than all of them.
        watches.push(recordOf(`new${watches.length}`, 100));
      }
      const old = found.filter(({ id }) => id.startsWith('w'));
      expect(old).toHaveLength(times.length);
      expect(new Set(old).size).toBe(times.length);
      expect(old.map(({ beganAt }) => beganAt)).toEqual(times.toSorted((a, b) => b - a));
    }),
  );
});

it('an id that is none of the list: refused', () => {
  expect(pageOfWatches([recordOf('w1', 1)], 'w2', 10)).toMatchObject({
    error: { code: 'invalid_parameter', detail: expect.stringContaining('after') },
  });
});
