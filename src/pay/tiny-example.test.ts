import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tinyExample } from './tiny-example.ts';

const ANSWER = {
  ticker: 'BTC',
  rates: [
    { venue: 'binance', rate: 0.0001, legs: { mark: 1, index: null } },
    { venue: 'okx', rate: 0.0002 },
  ],
  count: 2,
};

describe('a tiny example', () => {
  it('room for all: one entry of each list', () => {
    expect(tinyExample(ANSWER, 500)).toEqual({ ...ANSWER, rates: ANSWER.rates.slice(0, 1) });
  });

  it('less room: fields in their order, and what is small after them', () => {
    expect(tinyExample(ANSWER, 56)).toEqual({ ticker: 'BTC', rates: [{ venue: 'binance' }], count: 2 });
  });

  it('no room for one field of a row: the list is left out, not emptied', () => {
    expect(tinyExample(ANSWER, 32)).toEqual({ ticker: 'BTC', count: 2 });
  });

  it('any answer: it fits, and says nothing that the answer does not', () => {
    fc.assert(
      fc.property(fc.object(), fc.integer({ min: 2, max: 200 }), (answer, bytes) => {
        const json: unknown = JSON.parse(JSON.stringify(answer));
        const tiny = tinyExample(json, bytes);
        expect(Buffer.byteLength(JSON.stringify(tiny))).toBeLessThanOrEqual(bytes);
        expect(Object.keys(json ?? {})).toEqual(expect.arrayContaining(Object.keys(tiny ?? {})));
      }),
    );
  });
});
