import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ExactScenario, exactly } from './model-exact.ts';
import { explore } from './model-explore.ts';
import type { Scenario } from './model-way.ts';

vi.mock('../../src/pay/challenge.ts', async (original) => {
  const { keepingChallenges } = await import('./model-challenges.ts');
  return keepingChallenges(await original());
});

/** `npm run check long` has 2, which take minutes of a core; 3 take some twenty times as long. */
const DEPARTURES = Number(process.env.PERPMETER_MODEL_DEPARTURES ?? 1);

const SCENARIOS: readonly ExactScenario[] = [
  { name: 'an honest facilitator', behaviours: [['honest']], proof: true },
  { name: 'an honest facilitator whose word is taken', behaviours: [['honest']], proof: false },
  { name: 'a payment identifier', behaviours: [['honest']], proof: true, id: true },
  {
    name: 'a facilitator that hangs after sending',
    behaviours: [['timeout', 'honest']],
    proof: true,
  },
  { name: 'the same, without a chain to ask', behaviours: [['timeout', 'honest']], proof: false },
  { name: 'a facilitator that hangs before sending', behaviours: [['lost', 'honest']], proof: true },
  { name: 'the same, without a chain to ask', behaviours: [['lost']], proof: false },
  { name: 'pending once', behaviours: [['pending', 'honest']], proof: true },
  { name: 'pending for ever', behaviours: [['pending']], proof: true },
  { name: 'pending, without a chain to ask', behaviours: [['pending', 'pending', 'honest']], proof: false },
  { name: 'a refusal', behaviours: [['refused']], proof: true },
  { name: 'a refusal that is settled later', behaviours: [['late_refusal']], proof: true, misreports: true },
  { name: 'a success that never was', behaviours: [['lie']], proof: true },
  { name: 'one that cannot be reached, and a second', behaviours: [['unsent'], ['honest']], proof: true },
  {
    name: 'the same, without a chain to ask',
    behaviours: [['unsent'], ['timeout', 'honest']],
    proof: false,
  },
  {
    name: 'the first hangs, the second must not be asked',
    behaviours: [['timeout'], ['honest']],
    proof: true,
  },
  { name: 'nobody can be reached', behaviours: [['unsent']], proof: true },
  { name: 'one that can be reached again', behaviours: [['unsent', 'honest']], proof: true },
  { name: 'the same, without a chain to ask', behaviours: [['unsent', 'honest']], proof: false },
  {
    name: 'a worker that hangs at verify',
    behaviours: [['honest']],
    proof: true,
    stallsAt: 'verify',
  },
  { name: 'a worker that hangs at settle', behaviours: [['honest']], proof: true, stallsAt: 'submit' },
  {
    name: 'one that hangs at settle and learns too late that nothing was sent',
    behaviours: [['unsent', 'honest']],
    proof: false,
    stallsAt: 'answer',
  },
  { name: 'hosts whose ledger fails them', behaviours: [['honest']], proof: true, hosts: true },
  { name: 'the same, without a chain to ask', behaviours: [['honest']], proof: false, hosts: true },
  {
    name: 'the same, with a payment identifier',
    behaviours: [['honest']],
    proof: true,
    hosts: true,
    id: true,
  },
  {
    name: 'the same, with a facilitator that hangs',
    behaviours: [['timeout', 'honest']],
    proof: true,
    hosts: true,
  },
  { name: 'the same, pending once', behaviours: [['pending', 'honest']], proof: true, hosts: true },
  {
    name: 'a host that hangs between the lock and the settlement',
    behaviours: [['honest']],
    proof: true,
    hosts: true,
    stallsAt: 'insert answered',
  },
  { name: 'signed anew each time', behaviours: [['honest']], proof: true, resigns: true },
  { name: 'the same, without a chain to ask', behaviours: [['honest']], proof: false, resigns: true },
  {
    name: 'signed anew, with a facilitator that hangs after sending',
    behaviours: [['timeout', 'honest']],
    proof: true,
    resigns: true,
  },
  {
    name: 'the same, without a chain to ask',
    behaviours: [['timeout', 'honest']],
    proof: false,
    resigns: true,
  },
  {
    name: 'signed anew, with one that hangs before sending',
    behaviours: [['lost', 'honest']],
    proof: true,
    resigns: true,
  },
  { name: 'signed anew after a refusal', behaviours: [['refused', 'honest']], proof: true, resigns: true },
  {
    name: 'the same, without a chain to ask',
    behaviours: [['refused', 'honest']],
    proof: false,
    resigns: true,
  },
  {
    name: 'signed anew after nothing was sent',
    behaviours: [['unsent', 'honest']],
    proof: true,
    resigns: true,
  },
  { name: 'signed anew while pending', behaviours: [['pending', 'honest']], proof: true, resigns: true },
  {
    name: 'signed anew while a worker hangs at settle',
    behaviours: [['honest']],
    proof: true,
    resigns: true,
    stallsAt: 'submit',
  },
  {
    name: 'signed anew while one hangs before its lock',
    behaviours: [['honest']],
    proof: true,
    resigns: true,
    stallsAt: 'insert',
  },
  {
    name: 'signed anew at hosts whose ledger fails them',
    behaviours: [['honest']],
    proof: true,
    hosts: true,
    resigns: true,
  },
  {
    name: 'the same, with a facilitator that hangs',
    behaviours: [['timeout', 'honest']],
    proof: true,
    hosts: true,
    resigns: true,
  },
  { name: 'a payer who cancels', behaviours: [['honest']], proof: true, thirdParty: 'cancels' },
  { name: 'a stranger who submits it', behaviours: [['lost', 'honest']], proof: true, thirdParty: 'submits' },
];

/** Stores that break their word, each in one way. */
const FAULTS: readonly (readonly [string, NonNullable<Scenario['breaks']>])[] = [
  ['forgets what it was told of', (store) => ({ ...store, replace: async () => true })],
  ['never has an answer', (store) => ({ ...store, readAnswer: () => undefined })],
  ['never finds what is due', (store) => ({ ...store, due: () => [] })],
];

/** All ends and breaches that runs with one departure come to. */
async function endsOf(scenario: ExactScenario, isWhole: boolean) {
  const ends = new Set<string>();
  const breaches = new Set<string>();
  const ended = (state: string, found: readonly string[]): void => {
    ends.add(state);
    for (const breach of found) breaches.add(breach);
  };
  const { runs } = await explore(exactly(scenario), 1, { isWhole, ended });
  return { ends: [...ends].sort(), breaches: [...breaches].sort(), runs };
}

describe('one purchase in every order of events', () => {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterAll(() => {
    vi.useRealTimers();
  });

  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    const { breach, runs } = await explore(exactly(scenario), DEPARTURES);
    expect(runs).toBeGreaterThan(20);
    expect(breach).toBeUndefined();
  });

  it('runs that end at a known state: every end of whole runs is seen', async () => {
    const hosts: ExactScenario = { name: 'hosts', behaviours: [['honest']], proof: true, hosts: true };
    const whole = await endsOf(hosts, true);
    expect(await endsOf(hosts, false)).toEqual(whole);
    expect(whole.ends.length).toBeGreaterThan(20);
  });

  it.each(FAULTS)('a store that %s: no breach of whole runs is missed', async (_name, breaks) => {
    const broken: ExactScenario = {
      name: 'a broken store',
      behaviours: [['honest']],
      proof: true,
      id: true,
      breaks,
    };
    const whole = await endsOf(broken, true);
    expect(await endsOf(broken, false)).toEqual(whole);
    expect(whole.breaches.length).toBeGreaterThan(0);
  });
});
