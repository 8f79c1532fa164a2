import { createWorld } from '@perpmeter/sim/create-world';
import { simOkx } from '@perpmeter/sim/venues/okx';
import { expect, it } from 'vitest';
import { emptyAges, OverloadTruth } from './overload-truth.ts';

const NOW = Date.UTC(2026, 9, 20, 12);
const world = createWorld(1);
const contracts = world.contracts(simOkx.listing).slice(0, 40);
const truth = new OverloadTruth(1);

/** The findings about an answer whose marks have this age, and state `statedMs`. */
function judge(realMs: number, statedMs: number) {
  const rows = contracts.map((contract) => ({
    venue: 'okx',
    venue_symbol: contract.symbol,
    mark_price: world.mark(contract, NOW - realMs),
    mark_updated_at: new Date(NOW - statedMs).toISOString(),
  }));
  const ages = emptyAges();
  truth.judge('/v1/funding/current', { rates: rows }, NOW, ages);
  return ages;
}

it('finds nothing in marks that are as old as they say', () => {
  for (const ms of [0, 20_000, 59_000]) expect(judge(ms, ms).problems).toEqual([]);
});

it('finds what says itself that it is too old', () => {
  expect(judge(70_000, 70_000).problems).toHaveLength(contracts.length);
});

it('marks ten minutes old that look young: many are found', () => {
  expect(judge(600_000, 0).problems.length).toBeGreaterThan(contracts.length / 3);
});

it('a book older than a minute among others, or a quarter hour: found', () => {
  const problemsOf = (ms: number, answerOf: (book: object) => object): number => {
    const book = { venue: 'okx', source: 'rest', updated_at: new Date(NOW - ms).toISOString() };
    const ages = emptyAges();
    truth.judge('/v1/orderbook', answerOf(book), NOW, ages);
    return ages.problems.length;
  };
  for (const amongOthers of [
    (book: object) => ({ books: [book] }),
    (quote: object) => ({ venue: 'gate', quote }),
  ])
    expect([59_000, 70_000].map((ms) => problemsOf(ms, amongOthers))).toEqual([0, 1]);
  for (const alone of [(book: object) => book, (quote: object) => ({ venue: 'okx', quote })])
    expect([70_000, 899_000, 910_000].map((ms) => problemsOf(ms, alone))).toEqual([0, 0, 1]);
});
