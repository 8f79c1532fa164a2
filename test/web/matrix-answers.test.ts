import { describe, expect, it } from 'vitest';
import type { StreamRow } from '../../web/data/funding.ts';
import { afterLook, type Live } from '../../web/data/live.ts';
import type { GridQuery } from '../../web/views/matrix/grid-model.ts';
import { MatrixAnswers, type PackedView, type TimedQuestion } from '../../web/views/matrix/matrix-answers.ts';

const KEY = 'a crypto:BTC';
const QUERY: GridQuery = {
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
const question = (change: Partial<TimedQuestion> = {}): TimedQuestion => ({
  query: QUERY,
  around: { down: new Set<string>(), takerFeeBps: new Map<string, number>() },
  aheadMs: 0,
  ...change,
});

const rowOf = (ageMs: number): ReadonlyMap<string, StreamRow> => {
  const row = {
    venue: 'a',
    source_id: 1,
    symbol: 'BTC',
    canonical_id: 'crypto:BTC',
    asset_class: 'crypto',
    venue_symbol: 'BTCUSDT',
    rate: 0.01,
    rate_8h: 0.01,
    funding_interval_hours: 8,
    quote: 'USDT',
    volume_24h: 10,
    open_interest: 100,
    next_funding_time: null,
    rate_updated_at: new Date(Date.now() - ageMs).toISOString(),
  };
  return new Map([[KEY, row as unknown as StreamRow]]);
};

function made() {
  const told: PackedView[] = [];
  return { told, answers: new MatrixAnswers((view) => told.push(view)) };
}

describe('the matrix of a stream', () => {
  it('rows that came: said so, not for other questions', () => {
    const { told, answers } = made();
    answers.ask(question());
    expect(told).toEqual([]);
    answers.takeRows(rowOf(0));
    answers.ask(question({ query: { ...QUERY, sort: 'asset' } }));
    answers.takeMeans(new Map());
    answers.takeRows(rowOf(0));
    expect(told.map(({ isOfNewRows }) => isOfNewRows)).toEqual([true, false, false, true]);
    expect(told.map(({ query }) => query.sort)).toEqual(['-spread', 'asset', 'asset', 'asset']);
  });

  it("counts ages by the service's clock as the last question says it", () => {
    const { told, answers } = made();
    answers.ask(question());
    answers.takeRows(rowOf(0));
    // The page has learned from an answer that this machine's clock is an hour behind.
    answers.ask(question({ aheadMs: 3_600_000 }));
    const [young, old] = told.map(({ lines }) => [...lines.cellWords.state]);
    expect(young).not.toEqual(old);
  });
});

describe('what is shown of a stream, after its rows were looked at in another way', () => {
  const cut: Live<string> = { body: 'before', at: 5, isCut: true };

  it('is as old as before, and as cut off', () => {
    expect(afterLook(cut, 'after')).toEqual({ body: 'after', at: 5, isCut: true });
  });

  it.each([['off' as const], [undefined]])('is still %s where there was none', (before) => {
    expect(afterLook<string>(before, 'after')).toBe(before);
  });
});
