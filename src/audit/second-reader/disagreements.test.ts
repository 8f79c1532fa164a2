import { expect, it } from 'vitest';
import { asMs } from '../../domain/units.ts';
import { type Finding, incidentKey } from '../incident.ts';
import { Disagreements } from './disagreements.ts';
import type { ComparedField } from './field-rules.ts';

const NOW = asMs(Date.UTC(2026, 10, 23));

/** Looks at one field that disagree, by when what was shown was stated; fields that an incident was opened of. */
function opened(field: ComparedField, statedAt: readonly number[]): readonly string[] {
  const found: Finding[] = [];
  const open = (one: Finding): string => {
    found.push(one);
    return incidentKey(one);
  };
  const disagreements = new Disagreements({ open, close: () => {} });
  for (const at of statedAt) {
    const shown = { value: 1, at: asMs(NOW + at) };
    const one = {
      ...{ venue: 'okx', symbol: 'T', way: 'klines', field, shown },
      difference: 1,
      tolerance: 0.1,
    };
    disagreements.note('okx', 'T', [{ ...one, second: { value: 2, at: NOW }, agrees: false }], NOW);
  }
  return found.map((one) => one.field);
}

it('a value that moves is wrong once two statements of it disagree, however often one is looked at', () => {
  expect(opened('funding_rate', [0, 0, 0])).toEqual([]);
  expect(opened('funding_rate', [0, 0, 1])).toEqual(['funding_rate']);
});

it('a value that does not move by itself is wrong at the second look', () => {
  expect(opened('funding_interval_hours', [0, 0])).toEqual(['funding_interval_hours']);
});
