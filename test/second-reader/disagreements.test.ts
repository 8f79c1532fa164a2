import { expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { type Finding, incidentKey } from '../../src/host/incident-board.ts';
import { Incidents } from '../../src/modules/audit/incidents/incidents.ts';
import { Disagreements } from '../../src/modules/second-reader/disagreements.ts';
import type { ComparedField } from '../../src/modules/second-reader/readings/field-rules.ts';
import { memoryIncidentStore } from '../audit/memory-incidents.ts';

const NOW = asMs(Date.UTC(2026, 10, 23));

/** Looks at one field that disagree, by when what was shown was stated; fields that an incident was opened of. */
function opened(field: ComparedField, statedAt: readonly number[]): readonly string[] {
  const found: Finding[] = [];
  const open = (finding: Finding): string => {
    found.push(finding);
    return incidentKey(finding);
  };
  const disagreements = new Disagreements({ open, close: () => {}, lasting: () => [] });
  for (const at of statedAt) {
    const shown = { value: 1, at: asMs(NOW + at) };
    const one = {
      venue: 'okx',
      symbol: 'T',
      way: 'klines',
      field,
      shown,
      difference: 1,
      tolerance: 0.1,
    };
    disagreements.note('okx', 'T', [{ ...one, second: { value: 2, at: NOW }, agrees: false }], NOW);
  }
  return found.map((reading) => reading.field);
}

it('a moving value: wrong once two statements of it disagree', () => {
  expect(opened('funding_rate', [0, 0, 0])).toEqual([]);
  expect(opened('funding_rate', [0, 0, 1])).toEqual(['funding_rate']);
});

it('a value that does not move by itself is wrong at the second look', () => {
  expect(opened('funding_interval_hours', [0, 0])).toEqual(['funding_interval_hours']);
});

/** Incidents that a process before this one left open, and what this one makes of them. */
function afterRestart() {
  const incidents = new Incidents(memoryIncidentStore());
  const open = (rest: Partial<Finding>) =>
    incidents.open(
      {
        rule: 'second_reader',
        venue: 'okx',
        field: 'mark_price',
        contract: 'GONE',
        evidence: '',
        ...rest,
      },
      NOW,
    );
  const lasting = () =>
    [...incidents.lasting()].map(({ rule, venue, field, contract }) =>
      [rule, venue, field, contract].join(' '),
    );
  return { open, lasting, disagreements: new Disagreements(incidents) };
}

it('a contract that is gone: all its incidents close, also older ones', () => {
  const { open, lasting, disagreements } = afterRestart();
  open({});
  open({ field: 'open_interest' });
  open({ rule: 'jump' });
  disagreements.forget('okx', 'GONE', NOW);
  expect(lasting()).toEqual(['jump okx mark_price GONE']);
});

it('a contract gone between two starts: gone once the venue lists', () => {
  const { open, lasting, disagreements } = afterRestart();
  open({});
  open({ contract: 'STAYS' });
  open({ rule: 'jump' });
  open({ venue: 'gate' });
  disagreements.keepOnly('okx', new Set(['STAYS']), NOW);
  expect(lasting()).toEqual([
    'second_reader okx mark_price STAYS',
    'jump okx mark_price GONE',
    'second_reader gate mark_price GONE',
  ]);
});
