import { describe, expect, it } from 'vitest';
import { parseFrame } from '../../src/modules/events/parse-frame.ts';
import { Random } from '../soak/random.ts';

describe('parseFrame', () => {
  it('whole numbers above 2^53: text, digit by digit', () => {
    expect(parseFrame('{"i":2104498792354025474,"n":[-9007199254740993, 12]}')).toEqual({
      i: '2104498792354025474',
      n: ['-9007199254740993', 12],
    });
  });

  it('long numbers within texts, fractions and exponents: as they are', () => {
    const text =
      '{"a":"x: 2104498792354025474, \\" 2104498792354025474","b":0.1234567890123456789,"c":1234567890123456789e2}';
    expect(parseFrame(text)).toEqual(JSON.parse(text));
  });

  it('a safe number of sixteen digits: a number', () => {
    expect(parseFrame('[9007199254740991]')).toEqual([9_007_199_254_740_991]);
  });

  it('random documents of short numbers: as JSON.parse', () => {
    const random = new Random(5);
    const value = (depth: number): unknown => {
      const kind = Math.floor(random.next() * (depth > 3 ? 3 : 5));
      if (kind === 0) return Math.round((random.next() - 0.5) * 2e15) / 10 ** Math.floor(random.next() * 9);
      if (kind === 1) return String.fromCharCode(...Array.from({ length: 9 }, () => 32 + random.next() * 90));
      if (kind === 2) return random.next() < 0.5;
      const children = Array.from({ length: 3 }, () => value(depth + 1));
      return kind === 3 ? children : Object.fromEntries(children.map((child, at) => [`k"${at}`, child]));
    };
    for (let i = 0; i < 500; i++) {
      const text = JSON.stringify(value(0));
      expect(parseFrame(text)).toEqual(JSON.parse(text));
    }
  });

  it('no JSON: throws as JSON.parse does', () => {
    expect(() => parseFrame('{"i":2104498792354025474')).toThrow(SyntaxError);
  });
});
