import { describe, expect, it } from 'vitest';
import { contextOf } from '../../../test/venues/recordings.ts';
import { publishedFixture } from '../../domain/amount-fixture.ts';
import { ms } from './field.ts';
import { tradedHours } from './history.ts';
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
