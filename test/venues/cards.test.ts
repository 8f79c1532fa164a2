import { describe, expect, it } from 'vitest';
import { createWorld } from '../../src/sim/create-world.ts';
import { truthOf } from '../../src/sim/truth.ts';
import { SIM_VENUES } from '../../src/sim/venues/index.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { CARDS, type Dealt } from './cards.ts';
import { errorBodyProblems, PAYLOAD_CARDS } from './payload-cards.ts';
import { type Pairing, pairingsOf, runAdapter } from './sim-run.ts';

/** Twenty minutes into an hour that is not a settlement of any schedule. */
const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const world = createWorld(1);
const pairings = pairingsOf(VENUES, SIM_VENUES, world, AT);

/** Problems shown in a failure. */
const SHOWN = 12;

function expectNone(problems: readonly string[]): void {
  const more = problems.length > SHOWN ? [`… and ${problems.length - SHOWN} more`] : [];
  expect([...problems.slice(0, SHOWN), ...more]).toEqual([]);
}

function deal({ adapter, sim }: Pairing, run: Dealt['run']): Dealt {
  const contracts = new Map(world.contracts(sim.listing).map((one) => [one.symbol, one]));
  const topOf = (symbol: string) => {
    const contract = contracts.get(symbol);
    return contract === undefined ? undefined : world.book(contract, AT, 1);
  };
  return { adapter, run, truth: truthOf(world, sim.listing, AT), at: AT, topOf };
}

describe.each(pairings)('$adapter.id', (pairing) => {
  let dealt: Dealt | undefined;
  const hand = () => {
    dealt ??= deal(pairing, runAdapter(pairing, world, AT));
    return dealt;
  };

  it.each(CARDS)('$name', ({ problems }) => expectNone(problems(hand())));
  it.each(PAYLOAD_CARDS)('$name', ({ problems }) => expectNone(problems(hand())));
  it('rejects error bodies that come with HTTP 200', () => {
    expectNone(errorBodyProblems(hand(), pairing.sim.limit.body));
  });
});
