import { describe, expect, it } from 'vitest';
import { contextOf } from '../../../test/venues/recordings.ts';
import type { ContractTerms } from '../../domain/contract-terms.ts';
import { readText } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import { type ContractTable, contractSize, readContract } from './contract.ts';
import { derived, SECONDS } from './field.ts';
import * as t from './terms.ts';

const FIELDS = {
  tick: t.tick('price.step'),
  priceDigits: t.always(5, 'five digits'),
  lot: t.inContracts('filters[type=LOT].step'),
  minSize: t.inBase('least'),
  minNotionalUsd: t.inQuote('value'),
  maxLeverage: t.leverage('tiers.0.leverage'),
  initialMargin: t.oneOver('tiers.0.leverage'),
  maintenanceMargin: t.margin('margin', 0.01),
  delistsAt: t.end('end', SECONDS),
  tradingHours: t.term('hours', 'text', (raw) => readText(raw)),
} satisfies t.TermsTable['fields'];

const TABLE: ContractTable = {
  venue: 'extended',
  symbol: 'name',
  leftOut: () => undefined,
  base: derived(({ symbol }) => symbol),
  quote: 'USD',
  contractSize: contractSize('size'),
  terms: { call: 'list', evidence: 'none', confidence: 'low', fields: FIELDS },
};

const ROW = {
  name: '1000PEPE',
  size: '10',
  price: { step: '0.0001' },
  filters: [
    { type: 'PRICE', step: '7' },
    { type: 'LOT', step: 2 },
  ],
  least: 3,
  value: '5',
  tiers: [{ leverage: '50' }, { leverage: '20' }],
  margin: '1.5',
  end: 1_800_000_000,
  hours: 'Mo-Fr',
};

function read(change: object = {}): { terms: ContractTerms | undefined; faults: (string | undefined)[] } {
  const faults: Reject[] = [];
  const found = readContract(TABLE, { ...ROW, ...change }, contextOf(), faults);
  return {
    terms: 'reason' in found ? undefined : found.terms,
    faults: faults.map(({ detail }) => detail),
  };
}

describe('terms of a contract', () => {
  it('prices per ticker unit, amounts in tickers, whatever they count', () => {
    expect(read()).toEqual({
      terms: {
        tick: 1e-7,
        priceDigits: 5,
        lot: 20_000,
        minSize: 3000,
        minNotionalUsd: 5,
        maxLeverage: 50,
        initialMargin: 0.02,
        maintenanceMargin: 0.015,
        delistsAt: 1_800_000_000_000,
        tradingHours: 'Mo-Fr',
      },
      faults: [],
    });
  });

  it.each([undefined, null, '', 0, '0', '0.000'])('%j: states none, and is no fault', (none) => {
    const { terms, faults } = read({ least: none, value: none, margin: none, tiers: [{ leverage: none }] });
    expect(faults).toEqual([]);
    expect(Object.keys(terms ?? {})).toEqual(['tick', 'priceDigits', 'lot', 'delistsAt', 'tradingHours']);
  });

  it.each([undefined, null, 0, -1, '-1', 4_133_404_800])('an end of %j: none', (end) => {
    const { terms, faults } = read({ end });
    expect([terms?.delistsAt, faults]).toEqual([undefined, []]);
  });

  it.each([
    [{ least: 'x' }, 'least'],
    [{ least: -3 }, 'least'],
    [{ price: 'x' }, 'price.step'],
    [{ filters: 'x' }, 'filters[type=LOT].step'],
    [{ margin: '101' }, 'margin'],
    [{ end: 'soon' }, 'end'],
  ])('%j cannot be read: unknown, and counted', (change, detail) => {
    expect(read(change).faults).toEqual([detail]);
  });

  it('a part that is not there: unknown, and no fault', () => {
    const { terms, faults } = read({ price: {}, filters: [], tiers: [] });
    expect([terms?.tick, terms?.lot, terms?.maxLeverage, faults]).toEqual([
      undefined,
      undefined,
      undefined,
      [],
    ]);
  });
});

describe('the step of a number of decimals', () => {
  it.each([
    [2, 0.01],
    [0, 1],
    [-3, 1000],
    [1.5, undefined],
    [undefined, undefined],
    [99, undefined],
  ])('%j: %j', (decimals, step) => {
    expect(t.stepOfDecimals(decimals)).toBe(step);
  });
});
