import { describe, expect, it } from 'vitest';
import { asBase } from '../../src/domain/units.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { termProblems, unsoundTerms } from './terms-check.ts';
import { toyAdapter, toyDecoder } from './toy-adapter.ts';
import type { CheckInput } from './venue-checks.ts';

const toy = toyAdapter(toyDecoder({}));
const problemsOf = (adapter: CheckInput['adapter']) =>
  termProblems({ adapter, truth: [], run: { instruments: new Map() } } as unknown as CheckInput);

describe('the check of terms', () => {
  it.each(VENUES)('$id: declares what its list states', ({ terms }) => {
    expect(Object.keys(terms?.fields ?? {})).toEqual(expect.arrayContaining(['tick', 'lot']));
  });

  it('a venue with stamps and no terms: reported', () => {
    expect(problemsOf({ ...toy, stamps: {} })).toEqual(['no word on the terms of contracts']);
    expect(problemsOf(toy)).toEqual([]);
  });

  it.each([
    [{ initialMargin: 0.1, maintenanceMargin: 0.2 }, 'margins 0.1, 0.2'],
    [{ maxLeverage: 50, initialMargin: 0.1 }, 'leverage 50 beside an initial margin of 0.1'],
    [{ maxLeverage: 0.5 }, 'leverage 0.5'],
    [{ lot: asBase(2), minSize: asBase(3) }, 'least size 3 of lots of 2'],
    [{ lot: asBase(0) }, 'lot 0'],
  ])('%j: unsound', (terms, problem) => {
    expect(unsoundTerms(terms)).toEqual([problem]);
  });
});
