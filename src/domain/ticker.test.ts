import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BASE_NAMES } from './base-names.ts';
import { baseName } from './ticker.ts';

const ruled = (ticker: string, multiplier: number) => ({
  ticker,
  multiplier,
  nameReading: 'ruled_multiplier',
});

describe('base name', () => {
  test.each([
    ['1MCHEEMS', 'CHEEMS', 1_000_000],
    ['1000000CHEEMS', 'CHEEMS', 1_000_000],
    ['1000CHEEMS', 'CHEEMS', 1000],
    ['1000SATS', 'SATS', 1000],
    ['1MBABYDOGE', 'BABYDOGE', 1_000_000],
    ['kPEPE', 'PEPE', 1000],
    ['SHIB1000', 'SHIB', 1000],
    ['XBT', 'BTC', 1],
  ])('%s is known: as it stands in the table', (base, ticker, multiplier) => {
    expect(baseName(base)).toEqual({ ticker, multiplier });
  });

  test.each([
    ['1000FOO', 1000],
    ['10000FOO', 10_000],
    ['1000000FOO', 1_000_000],
    ['1KFOO', 1000],
    ['10KFOO', 10_000],
    ['100kFOO', 100_000],
    ['1MFOO', 1_000_000],
    ['10MFOO', 10_000_000],
    ['1MLNFOO', 1_000_000],
    ['kFOO', 1000],
    ['100FOO', 100],
    ['10FOO', 10],
    ['FOO1000', 1000],
  ])('%s is not known: so many FOO, by rule', (base, multiplier) => {
    expect(baseName(base)).toEqual(ruled('FOO', multiplier));
  });

  test.each('1INCH KAS KNC PERP 2Z 0G 4 42 A2Z 10SET 005930 US500 XYZ100 RUSSELL1000'.split(' '))(
    '%s is a name as it is: it counts nothing',
    (base) => {
      expect(baseName(base)).toEqual({ ticker: base, multiplier: 1 });
    },
  );

  test.each(['3KINGS', '500FOO', '25XYZ'])('%s begins with another number: itself, not known', (base) => {
    expect(baseName(base)).toEqual({ ticker: base, multiplier: 1, nameReading: 'unknown_number' });
  });

  test('letters that only look like ASCII keep their case', () => {
    expect(baseName('ſol').ticker).toBe('ſOL');
  });

  test('any coin under any unit: read alike, said to be by rule unless known', () => {
    // Behind a unit these letters would be a part of it, such as MLN of 1MLNFOO.
    const coin = fc.stringMatching(/^[A-Z]{3,8}$/).filter((name) => !/^(K|M|LN)/.test(name));
    const unit = fc.constantFrom<[string, number]>(
      ...([
        ['1000', 1e3],
        ['10000', 1e4],
        ['100000', 1e5],
        ['1000000', 1e6],
        ['10000000', 1e7],
        ['1K', 1e3],
        ['10K', 1e4],
        ['1M', 1e6],
        ['1MLN', 1e6],
        ['k', 1e3],
      ] as [string, number][]),
    );
    fc.assert(
      fc.property(coin, unit, (name, [prefix, multiplier]) => {
        const read = baseName(prefix + name);
        expect(read).toMatchObject({ ticker: name, multiplier });
        expect(read.nameReading).toBe(BASE_NAMES.has(prefix + name) ? undefined : 'ruled_multiplier');
      }),
    );
  });
});
