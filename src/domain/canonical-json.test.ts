import { describe, expect, it } from 'vitest';
import { canonicalDigest, canonicalJson, sha256 } from './canonical-json.ts';

/** RFC 8785, appendix B: IEEE 754 bits and what they are written as; undefined is refused. */
const NUMBERS: readonly (readonly [bits: string, text: string | undefined])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['7fffffffffffffff', undefined],
  ['7ff0000000000000', undefined],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

describe('canonicalJson', () => {
  it.each(NUMBERS)('writes the number %s as RFC 8785, appendix B has it', (bits, text) => {
    const number = Buffer.from(bits, 'hex').readDoubleBE();
    if (text === undefined) expect(() => canonicalJson(number)).toThrow(RangeError);
    else expect(canonicalJson(number)).toBe(text);
  });

  it('writes the sample of RFC 8785, 3.2.2 in the bytes of 3.2.4', () => {
    const sample = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    const bytes =
      '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e333333333333' +
      '332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c22' +
      '2f227d';
    expect(Buffer.from(canonicalJson(JSON.parse(sample))).toString('hex')).toBe(bytes);
  });

  it('a value of a thousand names: the same as its parts, in their order', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({
      [`n${i}`]: i,
      '10': [{ b: 'é', a: null }],
      '9': true,
    }));
    expect(canonicalJson(rows)).toBe(`[${rows.map((row) => canonicalJson(row)).join(',')}]`);
    expect(() => canonicalJson([...rows, '\ud800'])).toThrow(RangeError);
    expect(() => canonicalJson([...rows, JSON.parse('{"__proto__":1}')])).toThrow(RangeError);
  });

  it('sorts members as RFC 8785, 3.2.3 does: by UTF-16 code units', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    const object = Object.fromEntries(names.map((name) => [name, 0]));
    expect(canonicalJson(object)).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`);
    expect(canonicalJson(JSON.parse('[{"b":1,"10":2,"9":{"a":3}},{"constructor":4}]'))).toBe(
      '[{"10":2,"9":{"a":3},"b":1},{"constructor":4}]',
    );
  });

  it('refuses half a surrogate pair, and what is no JSON', () => {
    expect(canonicalJson('\\ud800 \ud83d\ude00')).toBe('"\\\\ud800 \ud83d\ude00"');
    const inherited: unknown = JSON.parse('{"__proto__":{"a":1}}');
    for (const value of [inherited, ['\\\ud800'], '\ud800', { '\udc00': 1 }, undefined, () => 1, 1n]) {
      expect(() => canonicalJson(value)).toThrow(RangeError);
    }
  });
});

describe('canonicalDigest', () => {
  it('is one for all spellings of a value, none for ambiguous ones', () => {
    const digest = sha256('{"a":[1.5,"é:{"],"b":{}}');
    expect(canonicalDigest(Buffer.from('{"a":[1.5,"é:{"],"b":{}}'))).toBe(digest);
    expect(canonicalDigest(Buffer.from(' { "b" : {}, "a" : [15e-1, "\\u00e9:{"] }'))).toBe(digest);
    for (const text of [
      '{"a":1,"a":1}',
      '{"b":{"a":1,"\\u0061":2}}',
      '["\\ud800"]',
      '{"a":01}',
      'a,b\n1,2',
      '',
    ]) {
      expect(canonicalDigest(Buffer.from(text)), text).toBeUndefined();
    }
    expect(canonicalDigest(Buffer.from([0x22, 0xff, 0x22]))).toBeUndefined();
  });
});
