import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { explore } from '../model-explore.ts';
import { byChannel, type ChannelScenario } from './model-channel.ts';

/** Each answer of a ledger that hosts share is a step of its own, so that these have many times the orders of one host. */
const SCENARIOS: readonly ChannelScenario[] = [
  { name: 'hosts whose ledger fails them', asks: ['first', 'second'], hosts: true },
  { name: 'hosts, and a deposit', asks: ['deposit', 'second'], deposits: ['honest'], hosts: true },
];

describe('two sales by one channel at two hosts in every order of events', () => {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterAll(() => {
    vi.useRealTimers();
  });

  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    const { breach, runs } = await explore(byChannel(scenario), 1);
    expect(breach ?? []).toEqual([]);
    expect(runs).toBeGreaterThan(20);
  });
});
