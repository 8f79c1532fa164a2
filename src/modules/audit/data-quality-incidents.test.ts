import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asMs } from '../../domain/units.ts';
import type { Incident } from '../../host/incident-board.ts';
import { pageOf } from './data-quality-incidents.ts';

const incident = (id: number, isOpen: boolean): Incident => ({
  id,
  rule: 'jump',
  venue: 'okx',
  field: 'mark_price',
  evidence: '1 -> 10',
  annotations: [],
  openedAt: asMs(id),
  ...(!isOpen && { closedAt: asMs(id + 1) }),
});

it('every incident: on one page, in order, all counted on each', () => {
  const arbitrary = fc.tuple(fc.array(fc.boolean(), { maxLength: 50 }), fc.integer({ min: 1, max: 20 }));
  fc.assert(
    fc.property(arbitrary, ([lasting, limit]) => {
      const all = lasting.map((isOpen, id) => incident(id, isOpen));
      const seen: Incident[] = [];
      let isMore = true;
      for (let offset = 0; isMore; offset += limit) {
        const { page, has_more, count, open } = pageOf(all, { limit, offset });
        expect({ count, open }).toEqual({ count: all.length, open: lasting.filter(Boolean).length });
        seen.push(...page);
        isMore = has_more;
      }
      expect(seen).toEqual(all);
    }),
    { numRuns: 200, seed: 5 },
  );
});
