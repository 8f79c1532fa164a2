import { describe, expect, it } from 'vitest';
import { contextOf } from '../../../test/venues/recordings.ts';
import { publishedFixture } from '../../domain/amount-fixture.ts';
import type { StampMeaning } from '../../domain/stamp.ts';
import { asMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { hours, ms, price, rate } from './field.ts';
import { openInterestSeries, settledRates, tradedHours } from './history.ts';
import { amount } from './quote.ts';
import { type RowDecoder, requestedRows } from './rows.ts';

const TIME = 1_790_000_000_000;

const stamp = <const Means extends StampMeaning>(means: Means) => ({
  means,
  evidence: 'made for tests',
  confidence: 'high' as const,
});

const decodeBy = (take: RowDecoder, rows: readonly unknown[], perContract?: number) =>
  requestedRows(
    () => rows,
    () => 'BTC',
    () => ({ multiplier: 1, perContract }),
    take,
  )(rows, contextOf());

const decode = (of: typeof publishedFixture.volume, rows: readonly unknown[]) =>
  decodeBy(tradedHours(stamp('begin'), ms(0), of, 1), rows);

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
      stamp: stamp('payment'),
      time: ms('at'),
      rate: rate('rate'),
      isObserved: ({ kind }) => kind === 'seen',
    });
    const rows = [
      { at: TIME, rate: '0.0001', kind: 'seen' },
      { at: TIME, rate: '0.0001', kind: 'paid' },
    ];
    const { funding } = decodeBy(take, rows);
    const point = { symbol: 'BTC', time: TIME, rate: 0.0001 };
    expect(funding).toEqual([{ ...point, observed: true }, point]);
  });

  it('an unreadable interval or mark: kept without it, and counted', () => {
    const take = settledRates({
      stamp: stamp('payment'),
      time: ms('at'),
      rate: rate('rate'),
      intervalHours: hours('hours'),
      markPrice: price('mark'),
    });
    const row = { at: TIME, rate: '0.0001' };
    const point = { symbol: 'BTC', time: TIME, rate: 0.0001 };
    expect(decodeBy(take, [row, { ...row, hours: null, mark: '' }])).toMatchObject({
      funding: [point, point],
      rejects: [],
    });
    const { funding, rejects } = decodeBy(take, [{ ...row, hours: 'x', mark: '-1' }]);
    expect(funding).toEqual([point]);
    expect(rejects).toEqual([
      { symbol: 'BTC', reason: 'malformed', detail: 'intervalHours' },
      { symbol: 'BTC', reason: 'out_of_range', detail: 'markPrice' },
    ]);
  });
});

describe('the stamp of a settled rate', () => {
  const HOUR = 1_789_999_200_000;
  const read = (means: StampMeaning, rows: readonly object[], receivedAt?: number) => {
    const take = settledRates({
      stamp: stamp(means),
      time: ms('at'),
      rate: rate('rate'),
      intervalHours: hours('hours'),
      madeAt: ms('made'),
    });
    const context = receivedAt === undefined ? contextOf() : { ...contextOf(), receivedAt: asMs(receivedAt) };
    const decode = requestedRows(
      () => rows,
      () => 'BTC',
      () => ({ multiplier: 1, perContract: 1 }),
      take,
    );
    return decode(rows, context);
  };
  const row = { at: HOUR, rate: '0.0001', hours: 4 };

  it.each(['payment', 'end', 'instant', 'unknown'] as const)('%s: is the time of the payment', (means) => {
    expect(read(means, [row]).funding).toMatchObject([{ time: HOUR }]);
  });

  it('begin: the payment is made an interval later', () => {
    expect(read('begin', [row]).funding).toMatchObject([{ time: HOUR + 4 * HOUR_MS, intervalHours: 4 }]);
  });

  it('begin of an interval of unknown length: no payment, and counted', () => {
    const { funding, rejects } = read('begin', [{ ...row, hours: undefined }]);
    expect(funding).toEqual([]);
    expect(rejects).toMatchObject([{ symbol: 'BTC', reason: 'missing_field' }]);
  });

  it.each([
    ['begin', HOUR + 4 * HOUR_MS - 120_000],
    ['end', HOUR - 120_000],
    ['payment', HOUR - 120_000],
  ] as const)('%s: an interval that still runs has no payment', (means, now) => {
    const running = { symbol: 'BTC', reason: 'placeholder', detail: 'interval still running' };
    expect(read(means, [row], now)).toMatchObject({ funding: [], rejects: [running] });
    expect(read(means, [{ ...row, made: now }], now + HOUR_MS)).toMatchObject({ rejects: [running] });
    expect(read(means, [row], now + HOUR_MS).funding).toHaveLength(1);
  });
});

describe('open interest of the past', () => {
  const names = { contracts: 'lots', base: 'coins', quote: 'usd' };
  const take = openInterestSeries(
    stamp('instant'),
    ms('at'),
    amount(publishedFixture.openInterest, names),
    price('mark'),
  );
  const one = (row: object) => decodeBy(take, [{ at: TIME, ...row }], 10);

  it.each([
    [{ lots: '5', coins: 'x' }, { openInterestBase: 50 }],
    [{ coins: '5', lots: 'x' }, { openInterestBase: 5 }],
    [{ coins: '5', usd: 'x' }, { openInterestBase: 5 }],
    [{ usd: '5', coins: 'x' }, { openInterestUsd: 5 }],
  ])('is taken from what %j states readably, and the rest is counted', (row, amounts) => {
    const { history, rejects } = one(row);
    expect(history).toEqual([{ symbol: 'BTC', time: TIME, ...amounts }]);
    expect(rejects).toEqual([{ symbol: 'BTC', reason: 'malformed', detail: 'openInterest' }]);
  });

  it('without any amount that can be read is one fault', () => {
    expect(one({ lots: 'x', coins: 'x' })).toMatchObject({ history: [], rejects: [{ reason: 'malformed' }] });
  });

  it('whose mark cannot be read is kept without it, and counted', () => {
    const { history, rejects } = one({ coins: '5', mark: 'x' });
    expect(history).toEqual([{ symbol: 'BTC', time: TIME, openInterestBase: 5 }]);
    expect(rejects).toEqual([{ symbol: 'BTC', reason: 'malformed', detail: 'markPrice' }]);
  });
});
