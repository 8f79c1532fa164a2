import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortText } from './short-text.ts';

const words = fc
  .array(fc.stringMatching(/^[a-z0-9]{1,9}[:;,.]?$/), { minLength: 1, maxLength: 60 })
  .map((all) => all.join(' '));

describe('a description made short', () => {
  it.each([
    ['one that fits: as it is', 'Rows on a page', 'Rows on a page'],
    [
      'a colon: what it announces is left out',
      'Rates of one coin, by venue: raw and scaled to eight hours',
      'Rates of one coin, by venue',
    ],
    [
      'commas alone: whole phrases',
      'Bid and ask, mid, spread and the depth of both sides',
      'Bid and ask, mid',
    ],
    [
      'a bracket: what stands before it',
      'Open interest of a venue (counted once, in dollars)',
      'Open interest of a venue',
    ],
    [
      'numbers with commas: they stay whole',
      'Cost of 1,000 and 5,000 and 10,000 dollars',
      'Cost of 1,000 and 5,000 and…',
    ],
  ])('%s', (_, text, short) => {
    expect(shortText(text, 28)).toBe(short);
  });

  it('any text: it fits, begins alike and is not empty', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 12, max: 120 }), (text, length) => {
        const short = shortText(text, length);
        expect(short.length).toBeLessThanOrEqual(length);
        expect(text.startsWith(short.replace(/…$/, ''))).toBe(true);
        expect(short).not.toBe('');
      }),
    );
  });
});
