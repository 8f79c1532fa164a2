import { expect, it } from 'vitest';
import { contextOf } from '../../../test/venues/recordings.ts';
import { namedOrRequested } from './rows.ts';

const context = { ...contextOf(), request: { method: 'GET', path: '/book', symbol: 'BTC' } } as const;
const named = (row: object) => namedOrRequested('s')(context, undefined, [row]);

it.each([{}, { s: null }, { s: '' }])('a row %j that names no contract is of the one asked for', (row) => {
  expect(named(row)).toBe('BTC');
});

it('a row with a contract name: of that one; no text: of none', () => {
  expect(named({ s: 'ETH' })).toBe('ETH');
  expect(named({ s: { odd: 1 } })).toBeUndefined();
  expect(named({ s: 7 })).toBeUndefined();
});
