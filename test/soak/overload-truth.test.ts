import { expect, it } from 'vitest';
import { createWorld } from '../../src/sim/create-world.ts';
import { simOkx } from '../../src/sim/venues/okx.ts';
import { emptyAges, OverloadTruth } from './overload-truth.ts';

const NOW = Date.UTC(2026, 9, 20, 12);
const world = createWorld(1);
const contracts = world.contracts(simOkx.listing).slice(0, 40);
const truth = new OverloadTruth(1);

/** What is found in an answer whose marks are so old, and say that they are of `statedMs` ago. */
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

it('finds many of those that say that they are young, and are ten minutes old', () => {
  expect(judge(600_000, 0).problems.length).toBeGreaterThan(contracts.length / 3);
});
