import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { readDate } from '../../domain/date.ts';
import { oneOf } from '../../products/answer/schema.ts';
import { declaredParameters, type RawParameters, readParameters } from './parameters.ts';

const declared = declaredParameters(
  Type.Object({
    ticker: Type.String({ minLength: 1, maxLength: 8, examples: ['BTC'] }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    min_diff: Type.Number({ minimum: 0, default: 0.0001 }),
    flag: Type.Optional(Type.Boolean()),
    aggr: oneOf(['1h', '4h'], { default: '1h' }),
    size: Type.Optional(Type.Unsafe<number>({ type: 'integer', enum: [1000, 5000] })),
    from: Type.Optional(Type.String({ format: 'date-time' })),
    cursor: Type.Optional(Type.String({ pattern: '^[0-9]{1,3}-[0-9]$' })),
  }),
);

const read = (text: string) => readParameters(declared, [...new URLSearchParams(text)]);

function faults(text: string): readonly string[] {
  const result = read(text);
  return result.ok
    ? []
    : (result.error.errors ?? []).map(({ parameter, message }) => `${parameter} ${message}`);
}

describe('readParameters', () => {
  it('fills in defaults and leaves optional ones out', () => {
    expect(read('ticker=BTC')).toEqual({
      ok: true,
      value: { ticker: 'BTC', limit: 50, min_diff: 0.0001, aggr: '1h' },
    });
  });

  it('reads every type', () => {
    const text = 'ticker=BTC&limit=7&min_diff=1e-3&flag=false&aggr=4h&size=5000&from=2026-11-20';
    expect(read(text)).toEqual({
      ok: true,
      value: {
        ticker: 'BTC',
        limit: 7,
        min_diff: 0.001,
        flag: false,
        aggr: '4h',
        size: 5000,
        from: '2026-11-20',
      },
    });
  });

  it.each([
    ['limit=0', 'limit must be at least 1'],
    ['cursor=12', 'cursor must match ^[0-9]{1,3}-[0-9]$'],
    ['limit=101', 'limit must be at most 100'],
    ['limit=1.5', 'limit must be an integer'],
    ['limit=1e1', 'limit must be an integer'],
    ['limit=', 'limit must be an integer'],
    ['limit=%207', 'limit must be an integer'],
    ['limit=0x10', 'limit must be an integer'],
    ['min_diff=abc', 'min_diff must be a number'],
    ['min_diff=-1', 'min_diff must be at least 0'],
    ['min_diff=1e999', 'min_diff must be a number'],
    ['flag=1', 'flag must be true or false'],
    ['flag=TRUE', 'flag must be true or false'],
    ['aggr=1d', 'aggr must be one of 1h, 4h'],
    ['size=2000', 'size must be one of 1000, 5000'],
    [
      'from=yesterday',
      'from must be an ISO 8601 date or time such as 2026-11-20T21:30:00Z, or Unix time in seconds or milliseconds',
    ],
    [
      'from=17321382050',
      'from must be an ISO 8601 date or time such as 2026-11-20T21:30:00Z, or Unix time in seconds or milliseconds',
    ],
    ['ticker=BTC,ETH', 'ticker takes one value, not a list: ask once for each'],
    ['limit=1&limit=2', 'limit given more than once'],
    ['ticker=', 'ticker must not be empty'],
    ['ticker=ABCDEFGHI', 'ticker must have at most 8 characters'],
  ])('%s is refused', (text, fault) => {
    expect(faults(text.includes('ticker') ? text : `ticker=BTC&${text}`)).toEqual([fault]);
  });

  it.each([
    ['1795161600', '2026-11-20T08:00:00.000Z'],
    ['1795161600.25', '2026-11-20T08:00:00.250Z'],
    ['1795161600250', '2026-11-20T08:00:00.250Z'],
  ])('Unix time %s: read as %s', (text, from) => {
    expect(read(`ticker=BTC&from=${text}`)).toMatchObject({ ok: true, value: { from } });
  });

  it('an unknown parameter: named with the nearest one, all faults at once', () => {
    const result = read('limt=5&tickers=BTC&flag=2');
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'unknown_parameter',
        errors: [
          { parameter: 'limt', message: expect.stringContaining('did you mean limit?') },
          { parameter: 'tickers', message: expect.stringContaining('did you mean ticker?') },
          { parameter: 'flag', message: 'must be true or false' },
          { parameter: 'ticker', message: 'required' },
        ],
      },
    });
    // In letters "size" is nearer; in meaning it is not.
    expect(read('symbol=BTC')).toMatchObject({
      error: { errors: [{ message: expect.stringContaining('did you mean ticker?') }, {}] },
    });
    expect(read('')).toMatchObject({ ok: false, error: { code: 'missing_parameter' } });
  });

  it('many candidates: lists the nearest words and counts the rest', () => {
    const typed: string[] = [];
    const suggest = (word: string) => {
      typed.push(word);
      return 'ticker';
    };
    const unknown = Array.from({ length: 40 }, (_, i) => [`x${i}`, '1'] as const);
    const result = readParameters(declared, [['limit', '0'], ...unknown], suggest);
    expect(typed).toEqual(unknown.slice(0, 15).map(([name]) => name));
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'unknown_parameter', detail: expect.stringMatching(/; and 26 more$/) },
    });
    expect(result.ok ? 0 : result.error.errors?.length).toBe(16);
  });

  it('refuses more than 64 parameters without looking at one', () => {
    const suggest = () => {
      throw new Error('looked at');
    };
    const given = (count: number) => Array.from({ length: count }, (_, i) => [`x${i}`, '1'] as const);
    expect(readParameters(declared, given(65), suggest)).toMatchObject({
      ok: false,
      error: {
        code: 'invalid_parameter',
        errors: [{ parameter: 'x64', message: 'one of 65 parameters; a request has at most 64' }],
      },
    });
    expect(readParameters(declared, given(64))).toMatchObject({ error: { code: 'unknown_parameter' } });
  });

  it('takes no names from the prototype', () => {
    const raw: RawParameters = [
      ['__proto__', '1'],
      ['constructor', '1'],
      ['ticker', 'BTC'],
    ];
    expect(readParameters(declared, raw)).toMatchObject({ ok: false, error: { code: 'unknown_parameter' } });
  });

  it('refuses a schema that it cannot read, when the table is made', () => {
    expect(() => declaredParameters(Type.Object({ list: Type.Array(Type.String()) }))).toThrow(/list/);
  });
});

describe('readDate', () => {
  it.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T21:30', '2026-11-20T21:30:00.000Z'],
    ['2026-11-20 21:30:05', '2026-11-20T21:30:05.000Z'],
    ['2026-11-20T21:30:05.1Z', '2026-11-20T21:30:05.100Z'],
    ['2026-11-20t21:30:05z', '2026-11-20T21:30:05.000Z'],
    ['2026-11-20T21:30:05+02:00', '2026-11-20T19:30:05.000Z'],
    ['2026-11-20T21:30:05 02:00', '2026-11-20T19:30:05.000Z'],
    ['2026-11-20T21:30:05-0130', '2026-11-20T23:00:05.000Z'],
  ])('%s is %s', (text, time) => {
    expect(new Date(readDate(text) ?? 0).toISOString()).toBe(time);
  });

  it.each(['', '2026', '2026-13-01', '2026-11-20T25:00', '1732138205', 'now', '2026-11-20T21:30:05+99:00'])(
    '%j is no date',
    (text) => {
      expect(readDate(text)).toBeUndefined();
    },
  );
});
