import { expect, test } from 'vitest';
import file from './base-names.json' with { type: 'json' };
import { BASE_NAMES, PLAIN_NAMES } from './base-names.ts';

const ascending = (keys: readonly string[]): readonly string[] =>
  keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, K: 1e3, M: 1e6 };

/** Units that a prefix or suffix says: `10K` are 10,000. */
function unitsOf(affix: string): number {
  const [, figures = '', letter = ''] = /^(\d*)([kKM]?)$/.exec(affix) ?? [];
  return Number(figures || 1) * (UNITS[letter] ?? Number.NaN);
}

test('a block of multipliers: its prefix or suffix says the same number', () => {
  for (const block of file.multipliers) {
    const affix = block.prefix ?? block.suffix ?? '';
    expect(block.prefix === undefined, affix).toBe(block.suffix !== undefined);
    expect(unitsOf(affix), affix).toBe(block.multiplier);
  }
});

test('the file: sorted, and each name in one place', () => {
  const names = file.multipliers.flatMap(({ prefix = '', suffix = '', tickers }) =>
    tickers.map((ticker) => `${prefix}${ticker}${suffix}`),
  );
  for (const { multiplier, tickers } of file.multipliers)
    expect(tickers, String(multiplier)).toEqual(ascending(tickers));
  expect(file.plainNames).toEqual(ascending(file.plainNames));
  const all = [...names, ...file.otherNames.map(({ name }) => name), ...file.plainNames];
  expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  expect(BASE_NAMES.size + PLAIN_NAMES.size).toBe(all.length);
});
