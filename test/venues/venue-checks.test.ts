import { readFileSync } from 'node:fs';
import { createWorld } from '@perpmeter/sim/create-world';
import { simTemplate } from '@perpmeter/sim/venues/_template';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { afterAll, describe, expect, it } from 'vitest';
import { template } from '../../src/venues/_template/index.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { truthOf } from '../truth/contract-truth.ts';
import { ALL_CHECKS, ERROR_CHECK, LIMIT_CHECK } from './all-checks.ts';
import { errorBodyProblems } from './payload-checks.ts';
import { type Pairing, pairingsOf, type Run, runAdapter } from './sim-run.ts';
import type { CheckInput } from './venue-checks.ts';

/** Twenty minutes into an hour that is not a settlement of any schedule. */
const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const world = createWorld(1);
/** The template is no venue of the service, but it must be a good pattern for one. */
const pairings = pairingsOf([...VENUES, template], [...SIM_VENUES, simTemplate], world, AT);

/** Problems shown in a failure. */
const SHOWN = 12;

function expectNone(problems: readonly string[]): void {
  const more = problems.length > SHOWN ? [`… and ${problems.length - SHOWN} more`] : [];
  expect([...problems.slice(0, SHOWN), ...more]).toEqual([]);
}

function inputOf({ adapter, sim }: Pairing, run: Run): CheckInput {
  const contracts = new Map(world.contracts(sim.listing).map((contract) => [contract.symbol, contract]));
  const topOf = (symbol: string) => {
    const contract = contracts.get(symbol);
    return contract === undefined ? undefined : world.book(contract, AT, 1);
  };
  return { adapter, run, truth: truthOf(world, sim.listing, AT), at: AT, topOf };
}

/** Of each run only its weight is kept: what all venues said at once would be copied again and again. */
const weights = new Map<Pairing, number>();

function runOf(pairing: Pairing): Run {
  const run = runAdapter(pairing, world, AT);
  weights.set(pairing, run.weightPerSecond);
  return run;
}

const weightOf = (pairing: Pairing): number => weights.get(pairing) ?? runOf(pairing).weightPerSecond;

it('covers every registered venue', () => {
  const checked = new Set(pairings.map(({ adapter }) => adapter.id));
  expect(VENUES.filter(({ id }) => !checked.has(id)).map(({ id }) => id)).toEqual([]);
});

describe.each(pairings)('$adapter.id', (pairing) => {
  let input: CheckInput | undefined;
  const lazyInput = () => {
    input ??= inputOf(pairing, runOf(pairing));
    return input;
  };
  afterAll(() => {
    input = undefined;
  });

  it.each(ALL_CHECKS)('$name', ({ problems }) => expectNone(problems(lazyInput())));
  it(ERROR_CHECK, () => {
    expectNone(errorBodyProblems(lazyInput(), pairing.sim.limit.body));
  });
});

/** Venues by the address that counts their weight. */
const hosts = [...new Set(pairings.map(({ served }) => served[0]))].filter((host) => host !== undefined);

describe.each(hosts)('limit of $id', (host) => {
  it(LIMIT_CHECK, () => {
    const sharing = pairings.filter(({ served }) => served[0] === host);
    const perSecond = sharing.reduce((sum, pairing) => sum + weightOf(pairing), 0);
    const { weight, perMs } = host.limit;
    expect((perSecond * perMs) / 1000).toBeLessThanOrEqual(weight);
  });
});

it('docs/contributing/venue-checks.md: lists the checks as they are run', () => {
  const guide = readFileSync(new URL('../../docs/contributing/venue-checks.md', import.meta.url), 'utf8');
  const listed = [...guide.matchAll(/^(\d+\. .*)$/gm)].map(([, check]) => check);
  const input = [...ALL_CHECKS.map(({ name }) => name), ERROR_CHECK, LIMIT_CHECK];
  expect(listed.filter((line) => input.some((check) => line === check))).toEqual(input);
});
