import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AssetLine,
  type Cell,
  type CellRow,
  type GridContext,
  type GridQuery,
  gridLines,
} from '../../web/views/matrix/grid-model.ts';
import { netOfFees } from '../../web/views/matrix/line-costs.ts';
import { packLines, UnpackedLines, WordList } from '../../web/views/matrix/packed-lines.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const AROUND: GridContext = {
  down: new Set(['sleepy']),
  takerFeeBps: new Map(['a', 'b', 'c', 'sleepy'].map((venue) => [venue, 5])),
};
const ALL: GridQuery = {
  scale: '8h',
  period: 'now',
  columns: [],
  holdDays: 7,
  assetClass: '',
  venues: [],
  text: '',
  only: undefined,
  sort: '-spread',
  minOpenInterest: undefined,
  minVolume: undefined,
  minSpread: undefined,
  maxSpread: undefined,
};

function row(venue: string, rate8h: number | null, more: Partial<CellRow> = {}): CellRow {
  return {
    venue,
    symbol: 'BTC',
    canonical_id: 'crypto:BTC',
    asset_class: 'crypto',
    venue_symbol: 'BTCUSDT',
    rate: rate8h,
    rate_8h: rate8h,
    funding_interval_hours: 8,
    quote: 'USDT',
    volume_24h: 10,
    open_interest: 100,
    next_funding_time: null,
    rate_updated_at: new Date(NOW - 1000).toISOString(),
    ...more,
  };
}

const linesOf = (rows: readonly CellRow[], change: Partial<GridQuery> = {}): readonly AssetLine[] =>
  gridLines({ rows, now: NOW }, { ...ALL, ...change }, AROUND);
const cellOf = (of: CellRow, change?: Partial<GridQuery>): Cell | undefined =>
  linesOf([of], change)[0]?.cells.get(of.venue);

describe('a cell', () => {
  it.each([
    ['is known with a young comparable rate', row('a', 0), 'known'],
    ['is unknown without a rate', row('a', null), 'unknown'],
    [
      'is unknown without an interval, in every scale but its own',
      row('a', null, { rate: 0.001 }),
      'unknown',
    ],
    ['is stale at a venue that is not live', row('sleepy', 0.01), 'stale'],
    ['is stale after five minutes', row('a', 0.01, { rate_updated_at: '2026-11-22T11:54:59Z' }), 'stale'],
    [
      'is not compared where the service does not',
      row('a', 0.01, { uncomparable_reason: 'dead_market' }),
      'uncomparable',
    ],
  ])('%s', (_what, of, state) => {
    expect(cellOf(of)?.state).toBe(state);
  });

  it('shows the rate as the venue states it, per interval', () => {
    const of = row('a', null, { rate: 0.001, funding_interval_hours: null });
    expect(cellOf(of, { scale: 'interval' })).toMatchObject({
      state: 'known',
      value: 0.001,
    });
  });
});

describe('the legs of an asset', () => {
  it('are the lowest and the highest rate that is fresh and comparable', () => {
    const rows = [
      ...[row('a', 0.001), row('b', -0.002), row('c', 0.003)],
      ...[row('sleepy', 0.9), row('d', -0.9, { uncomparable_reason: 'price_dispersion' }), row('e', null)],
    ];
    const [line] = linesOf(rows);
    expect([line?.long?.row.venue, line?.short?.row.venue]).toEqual(['b', 'c']);
    expect(line?.spread8h).toBeCloseTo(0.005, 12);
  });

  it('one venue: none; equal rates: a spread of 0', () => {
    expect(linesOf([row('a', 0.001)])[0]).toMatchObject({ spread8h: null, long: undefined });
    const equal = linesOf([row('a', 0.001), row('b', 0.001)])[0];
    expect(equal).toMatchObject({ spread8h: 0, long: undefined, short: undefined });
  });

  it('never have a negative spread, nor a leg that is not known', () => {
    const rate = fc.option(fc.double({ min: -0.01, max: 0.01, noNaN: true }), { nil: null });
    fc.assert(
      fc.property(fc.array(rate, { maxLength: 12 }), (rates) => {
        const rows = rates.map((value, at) => row(`v${at}`, value));
        for (const line of linesOf(rows)) {
          const known = rates.filter((value) => value !== null);
          expect(line.spread8h ?? 0).toBeGreaterThanOrEqual(0);
          if (known.length < 2) expect(line.spread8h).toBeNull();
          else expect(line.spread8h).toBeCloseTo(Math.max(...known) - Math.min(...known), 12);
        }
      }),
    );
  });
});

describe('means of what was paid', () => {
  const paid = (day: number | null, week: number | null, more: Partial<CellRow> = {}) => ({
    settled_means: { rate_8h_1d: day, rate_8h_7d: week, rate_8h_30d: null, last_payment_at: null },
    ...more,
  });

  it('stand in the cells and make the legs, with old rates too', () => {
    const rows = [
      row('a', 0.009, paid(0.001, null)),
      row('sleepy', 0, paid(-0.001, null, { uncomparable_reason: 'stale' })),
      row('b', 0.02, paid(null, 0.9)),
      row('c', 0.02, paid(0.9, null, { uncomparable_reason: 'price_dispersion' })),
    ];
    const [line] = linesOf(rows, { period: '1d', scale: 'day' });
    expect([line?.short?.row.venue, line?.long?.row.venue]).toEqual(['a', 'sleepy']);
    expect(line?.spread8h).toBeCloseTo(0.002, 12);
    expect([...(line?.cells.values() ?? [])].map(({ state }) => state)).toEqual([
      'known',
      'known',
      'unknown',
      'uncomparable',
    ]);
    expect(line?.cells.get('a')?.value).toBeCloseTo(0.003, 12);
  });

  it('how much of a spread persists: negative if reversed', () => {
    const persists = (short: number | null, long: number) =>
      linesOf([row('a', 0.003, paid(0, short)), row('b', 0.001, paid(0, long))])[0]?.persistence;
    expect(persists(0.002, 0.001)).toBeCloseTo(0.5, 12);
    expect(persists(0, 0.002)).toBeCloseTo(-1, 12);
    expect(persists(null, 0.002)).toBeNull();
  });
});

describe('net of fees', () => {
  it('is three spreads a day in bps, less both fees in and out', () => {
    expect(netOfFees(0.0005, 7, 5, 5.5)).toBeCloseTo(5 * 21 - 21, 9);
  });
  it('is not known where a fee is not', () => {
    expect(netOfFees(0.0005, 7, null, 5)).toBeNull();
  });
  it('counts the reader’s fee, else the contract’s, else the venue’s', () => {
    const rows = [row('a', 0.001), row('b', 0)];
    const slippageBps = new Map(['a', 'b'].map((venue) => [`${venue} crypto:BTC`, 1]));
    const reasons = new Map([['crypto:BTC', '']]);
    const takerFeeBps = new Map([['a crypto:BTC', 9]]);
    const sized = { slippageBps, takerFeeBps, reasons, lack: '' };
    const costsOf = (around: Partial<GridContext>): readonly unknown[] => {
      const [line] = gridLines({ rows, now: NOW }, ALL, { ...AROUND, ...around });
      return [line?.netBps, line?.costBps];
    };
    // Seven days earn 210 bps; the venues of both legs charge 5.
    expect(costsOf({})).toEqual([190, null]);
    expect(costsOf({ sized })).toEqual([182, 32]);
    expect(costsOf({ sized, ownFeeBps: new Map([['a', 1]]) })).toEqual([198, 16]);
  });
});

describe('filters and order', () => {
  const rows = [
    ...[row('a', 0.001), row('b', 0.003)],
    row('a', 0.002, { canonical_id: 'crypto:ETH', symbol: 'ETH', open_interest: null, volume_24h: 0 }),
    row('b', 0.001, { canonical_id: 'crypto:ETH', symbol: 'ETH', open_interest: null, volume_24h: 0 }),
    row('a', 0.01, { canonical_id: 'index:SPX', symbol: 'SPX', asset_class: 'index' }),
  ];
  const tickers = (change: Partial<GridQuery>): string[] => linesOf(rows, change).map(({ ticker }) => ticker);

  it.each<[string, Partial<GridQuery>, string[]]>([
    ['widest first, unknown last', {}, ['BTC', 'ETH', 'SPX']],
    ['narrowest first, unknown still last', { sort: 'spread' }, ['ETH', 'BTC', 'SPX']],
    ['by a venue, descending', { sort: '-a' }, ['SPX', 'ETH', 'BTC']],
    ['by a class', { assetClass: 'index' }, ['SPX']],
    ['unknown open interest is not above a bound', { minOpenInterest: 1 }, ['BTC', 'SPX']],
    ['zero volume is data', { minVolume: 0 }, ['BTC', 'ETH', 'SPX']],
    ['a range of spreads, in bps', { minSpread: 5, maxSpread: 15 }, ['ETH']],
    ['a part of a name', { text: ' et' }, ['ETH']],
    ['named ones', { only: new Set(['crypto:BTC']) }, ['BTC']],
    ['one venue alone has no spread', { venues: ['a'], sort: 'asset' }, ['BTC', 'ETH', 'SPX']],
  ])('%s', (_what, change, expected) => {
    expect(tickers(change)).toEqual(expected);
  });
});

/** A line with what its rows have of the means beside the cells, where alone they pass. */
function withoutMeans(line: AssetLine | undefined): unknown {
  const bare = (cell: Cell): unknown => ({ ...cell, row: { ...cell.row, settled_means: undefined } });
  const legs = { long: line?.long && bare(line.long), short: line?.short && bare(line.short) };
  return { ...line, ...legs, cells: [...(line?.cells.values() ?? [])].map(bare) };
}

describe('lines between threads', () => {
  const number = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: null });
  const rowOf = fc.record({
    venue: fc.constantFrom('a', 'b', 'c', 'sleepy'),
    canonical_id: fc.constantFrom('crypto:BTC', 'crypto:ETH', 'index:SPX'),
    rate: number,
    rate_8h: number,
    open_interest: number,
    volume_24h: number,
    funding_interval_hours: fc.constantFrom(null, 1, 8),
    next_funding_time: fc.constantFrom(null, '2026-11-22T16:00:00.000Z'),
    settled_means: fc.record({
      rate_8h_1d: number,
      rate_8h_7d: number,
      rate_8h_30d: number,
      last_payment_at: fc.constant(null),
    }),
  });

  it('come out as they went in, also with reused words', () => {
    const words = new WordList();
    const passed = [''];
    fc.assert(
      fc.property(fc.array(rowOf, { maxLength: 20 }), (rows) => {
        const lines = linesOf(rows.map(({ venue, ...more }) => row(venue, null, more)));
        const packed = packLines(lines, words);
        passed.push(...packed.newWords);
        const unpacked = new UnpackedLines(packed, passed);
        expect(unpacked.length).toBe(lines.length);
        lines.forEach((line, at) => {
          expect(withoutMeans(unpacked.at(at))).toEqual(withoutMeans(line));
          expect(unpacked.withId(line.id)).toBe(unpacked.at(at));
        });
        expect(unpacked.at(lines.length)).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });

  it('say each reason for which nothing is known of what was paid once', () => {
    const means = { rate_8h_1d: null, rate_8h_7d: 0, rate_8h_30d: null, last_payment_at: null };
    const null_reasons = { rate_8h_1d: 'past_too_short', rate_8h_30d: 'past_too_short' } as const;
    const packed = packLines(
      linesOf([row('a', 0, { settled_means: { ...means, null_reasons } })]),
      new WordList(),
    );
    const cell = new UnpackedLines(packed, ['', ...packed.newWords]).at(0)?.cells.get('a');
    expect(cell?.means).toEqual({ ...means, null_reasons: { all: 'past_too_short' } });
  });
});
