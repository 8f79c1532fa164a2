import { describe, expect, it } from 'vitest';
import { contextOf } from '../../../test/venues/recordings.ts';
import type { Reject } from '../../domain/reject.ts';
import { type ContractTable, readContract } from './contract.ts';
import { bound, boundIn, derived } from './field.ts';
import { quotes } from './quote.ts';
import { requestedRows } from './rows.ts';

const take = quotes({
  fundingCap: bound('limit'),
  fundingFloor: bound('limit', -1),
});

const read = (row: object) =>
  requestedRows(
    () => [row],
    () => 'BTC',
    () => ({ multiplier: 1, perContract: 1 }),
    take,
  )([row], contextOf());

const TABLE: ContractTable = {
  venue: 'extended',
  symbol: 'name',
  leftOut: () => undefined,
  base: derived(({ symbol }) => symbol),
  quote: 'USD',
  contractSize: 1,
  fundingCap: boundIn('terms', 'cap', 0.01),
};

describe('a bound of the rate', () => {
  it('one figure for both sides: cap and floor', () => {
    expect(read({ limit: '0.02' }).quotes).toEqual([
      { symbol: 'BTC', fundingCap: 0.02, fundingFloor: -0.02 },
    ]);
  });

  it.each([0, '0', '0.00', null, '', undefined])('%j: none, and no fault', (limit) => {
    expect(read({ limit }).quotes).toEqual([]);
    expect(read({ limit }).rejects.map(({ detail }) => detail)).toEqual(['no metric']);
  });

  it('that cannot be read: unknown, and counted', () => {
    expect(read({ limit: 'x' }).rejects).toMatchObject([
      { reason: 'malformed', detail: 'fundingCap' },
      { reason: 'malformed', detail: 'fundingFloor' },
    ]);
  });

  it('in an object of the row: read in its unit', () => {
    const raw = boundIn('terms', 'cap', 0.01);
    const row = { symbol: 'BTC', units: { multiplier: 1, perContract: 1 }, context: contextOf() };
    const of = (wire: object) => raw.read(raw.raw(wire as never), { ...row, wire: wire as never });
    expect([of({ terms: { cap: '0.25' } }), of({ terms: { cap: 0 } }), of({ terms: null }), of({})]).toEqual([
      0.0025,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([{ unexpected: [1] }, { cap: 'x' }, '0.25', true, [], 7])('in a part %j: a fault', (terms) => {
    const faults: Reject[] = [];
    const found = readContract(TABLE, { name: 'BTC', terms }, contextOf(), faults);
    expect(found).not.toHaveProperty('fundingCap');
    expect(faults).toMatchObject([{ symbol: 'BTC', detail: 'cap' }]);
  });

  it.each([undefined, null, '', { cap: null }, { cap: '0' }])('in a part %j: none, no fault', (terms) => {
    const faults: Reject[] = [];
    const found = readContract(TABLE, { name: 'BTC', terms }, contextOf(), faults);
    expect([found, faults]).toEqual([expect.not.objectContaining({ fundingCap: expect.anything() }), []]);
  });
});
