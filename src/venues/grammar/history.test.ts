import { describe, expect, it } from 'vitest';
import { contextOf } from '../../../test/venues/recordings.ts';
import { publishedFixture } from '../../domain/amount-fixture.ts';
import { ms, rate } from './field.ts';
import { settledRates, tradedHours } from './history.ts';
import { requestedRows } from './rows.ts';

const TIME = 1_790_000_000_000;

const decode = (of: typeof publishedFixture.volume, rows: readonly unknown[]) =>
  requestedRows(
    () => rows,
    () => 'BTC',
    () => ({ multiplier: 1, perContract: undefined }),
    tradedHours(ms(0), of, 1),
  )(rows, contextOf());

describe('traded hours', () => {
  it.each([
    ['one', 500],
    ['two', 250],
    ['unknown', 500],
  ] as const)('with %s side(s) count each trade once', (sides, hourUsd) => {
    const { history } = decode({ ...publishedFixture.volume, sides }, [[TIME, '500']]);
    expect(history).toEqual([{ symbol: 'BTC', time: TIME, hourUsd }]);
  });

  it('without a time or a turnover are faults', () => {
    const { history, rejects } = decode(publishedFixture.volume, [[TIME, 'x'], ['', '1'], null]);
    expect(history).toEqual([]);
    expect(rejects.map(({ reason, detail }) => [reason, detail])).toMatchObject([
      ['malformed', expect.stringContaining('hourUsd')],
      ['missing_field', expect.stringContaining('time')],
      ['malformed', 'row'],
    ]);
  });
});

describe('settled rates', () => {
  it('that were only in force are marked as observed, all others are not', () => {
    const take = settledRates({
      time: ms('at'),
      rate: rate('rate'),
      isObserved: ({ kind }) => kind === 'seen',
    });
    const rows = [
      { at: TIME, rate: '0.0001', kind: 'seen' },
      { at: TIME, rate: '0.0001', kind: 'paid' },
    ];
    const units = () => ({ multiplier: 1, perContract: undefined });
    const { funding } = requestedRows(
      () => rows,
      () => 'BTC',
      units,
      take,
    )(rows, contextOf());
    const point = { symbol: 'BTC', time: TIME, rate: 0.0001 };
    expect(funding).toEqual([{ ...point, observed: true }, point]);
  });
});
