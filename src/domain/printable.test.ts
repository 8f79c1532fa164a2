import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../test/code-point.ts';
import { printable } from './printable.ts';
import { isReadableSymbol } from './symbol.ts';

describe('readable symbols', () => {
  it.each([
    ['BTCUSDT'],
    ['BTC-USD_PERP'],
    ['xyz:NVDA'],
    ['BTC/USDT:USDT'],
    ['@107'],
    ['币安人生-USDT'],
    ['1000PEPE_USDT.P*?'],
    ['बिटकॉइन'],
    ['x'.repeat(64)],
  ])('%s: taken', (text) => {
    expect(isReadableSymbol(text)).toBe(true);
  });

  it.each([
    ['a blank at the beginning', ' BTC'],
    ['a blank within', 'B TC'],
    ['a right-to-left override', 'BTC\u202eTDSU'],
    ['a zero-width space', 'B\u200bTC'],
    ['a control character', 'BTC\u0007'],
    ['an escape of a terminal', '\u001b[31mBTC'],
    ['a lone surrogate', 'BTC\ud800'],
    ['a tilde', 'b~tc'],
    ['a line end', 'BTC\n'],
    ['markup', '<b>BTC</b>'],
    ['a formula', '=1+1'],
    ['65 characters', 'x'.repeat(65)],
    ['2000 bytes', 'x'.repeat(2000)],
    ['nothing', ''],
  ])('%s: not taken', (_what, text) => {
    expect(isReadableSymbol(text)).toBe(false);
  });

  it('characters that a venue declares: taken there alone', () => {
    const name = 'FARTCOIN,RAYDIUM,9BB6NFECJBCTNNLFKO2FQVQBQ8HHM13KCYYCDQBGPUMP-USD';
    const declared = { also: ',', maxCharacters: 96 };
    expect([isReadableSymbol(name), isReadableSymbol(name, declared)]).toEqual([false, true]);
    expect(isReadableSymbol('1000 PEPE', { also: ' ' })).toBe(true);
    expect(isReadableSymbol('PEPE ', { also: ' ' })).toBe(false);
  });
});

describe('printable texts', () => {
  it('any text: well-formed, short, and without what cannot be seen', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 300 }), fc.nat({ max: 100 }), (text, max) => {
        const shown = printable(text, max);
        expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(shown.length).toBeLessThanOrEqual(10 * max + 1);
      }),
    );
  });

  it('hidden characters: shown by their code points', () => {
    expect(printable('a\u202eb\ud800c\u0000')).toBe('a\\u{202e}b\\u{d800}c\\u{0}');
  });

  it('a plain text: unchanged', () => {
    expect(printable('币安人生 40% off, "now"')).toBe('币安人生 40% off, "now"');
  });

  it('a long text: cut off', () => {
    expect(printable('x'.repeat(9), 3)).toBe('xxx…');
  });
});
