import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { explore } from '../model-explore.ts';
import { byChannel, type ChannelScenario } from './model-channel.ts';

/** `npm run check channels` has 2. */
const DEPARTURES = Number(process.env.PERPMETER_MODEL_DEPARTURES ?? 1);

const SCENARIOS: readonly ChannelScenario[] = [
  { name: 'one voucher twice', asks: ['first', 'first'] },
  { name: 'a voucher and the next', asks: ['first', 'second'] },
  { name: 'one total for two requests', asks: ['first', 'elsewhere'] },
  { name: 'one base, two prices', asks: ['first', 'cheap'] },
  { name: 'a total that leaps', asks: ['first', 'leap'] },
  { name: 'an answer that cannot be made', asks: ['first', 'first'], failures: 1 },
  { name: 'a buyer who leaves', asks: ['first', 'second'], leaves: true },
  { name: 'a node that goes away', asks: ['first', 'second'], node: 'away' },
  { name: 'a node that falls behind', asks: ['first', 'second'], node: 'behind' },
  { name: 'a claim that is lost', asks: ['first', 'second'], claims: ['lost', 'honest'] },
  { name: 'a claim that hangs', asks: ['first', 'second'], claims: ['timeout', 'honest'] },
  { name: 'a claim that never was', asks: ['first', 'second'], claims: ['lie', 'honest'] },
  { name: 'a claim refused, and made', asks: ['first', 'second'], claims: ['late_refusal', 'honest'] },
  {
    name: 'a claim unsent, of one who leaves',
    asks: ['first', 'first'],
    claims: ['unsent', 'honest'],
    leaves: true,
  },
  { name: 'a deposit twice', asks: ['deposit', 'deposit'], deposits: ['honest'] },
  { name: 'a deposit and another', asks: ['deposit', 'other deposit'], deposits: ['honest'] },
  { name: 'a deposit and the next voucher', asks: ['deposit', 'second'], deposits: ['honest'] },
  { name: 'a deposit that hangs', asks: ['deposit', 'deposit'], deposits: ['timeout', 'honest'] },
  { name: 'a deposit that is lost', asks: ['deposit', 'deposit'], deposits: ['lost', 'honest'] },
  { name: 'a deposit that is pending', asks: ['deposit', 'deposit'], deposits: ['pending', 'honest'] },
  { name: 'a refused deposit', asks: ['deposit', 'other deposit'], deposits: ['refused', 'honest'] },
  { name: 'a deposit refused, and made', asks: ['deposit', 'second'], deposits: ['late_refusal', 'honest'] },
  { name: 'a deposit unsent', asks: ['deposit', 'deposit'], deposits: ['unsent', 'honest'] },
  { name: 'a deposit that never was', asks: ['deposit', 'first'], deposits: ['lie', 'honest'] },
  { name: 'a deposit of one who leaves', asks: ['deposit', 'second'], deposits: ['honest'], leaves: true },
  { name: 'a deposit, and a node away', asks: ['deposit', 'deposit'], deposits: ['honest'], node: 'away' },
  { name: 'a deposit, and a node behind', asks: ['deposit', 'second'], deposits: ['honest'], node: 'behind' },
  { name: 'a worker that hangs before its voucher is stored', asks: ['first', 'first'], stallsAt: 'insert' },
  {
    name: 'a worker that hangs before a deposit',
    asks: ['deposit', 'deposit'],
    deposits: ['honest'],
    stallsAt: 'submit',
  },
  { name: 'all back, while it buys', asks: ['first', 'all back'] },
  { name: 'a part back, while it buys', asks: ['first', 'part back'] },
  { name: 'a part back of little, while it buys', asks: ['first', 'part back'], funds: 1.5 },
  { name: 'the same, by a slow node', asks: ['first', 'part back'], funds: 1.5, node: 'slow' },
  {
    name: 'a part back of little, and one node behind',
    asks: ['part back', 'first'],
    funds: 1.5,
    node: 'one behind',
  },
  { name: 'too little for the next', asks: ['first', 'second'], funds: 1.5 },
  { name: 'all back twice', asks: ['all back', 'all back'] },
  { name: 'a part back, and a purchase', asks: ['part back', 'first'] },
  { name: 'a refund that hangs', asks: ['first', 'all back'], claims: ['timeout', 'honest'] },
  { name: 'a refund that is lost', asks: ['first', 'part back'], claims: ['lost', 'honest'] },
  { name: 'a refund that never was', asks: ['part back', 'first'], claims: ['lie', 'honest'] },
  { name: 'a refund refused, and made', asks: ['all back', 'first'], claims: ['late_refusal', 'honest'] },
  { name: 'a refund unsent', asks: ['all back', 'first'], claims: ['unsent', 'honest'] },
  { name: 'a refund that is pending', asks: ['first', 'all back'], claims: ['pending', 'honest'] },
  { name: 'a refund of one who leaves', asks: ['first', 'part back'], leaves: true },
  { name: 'a refund, and a node behind', asks: ['first', 'all back'], node: 'behind' },
  { name: 'a refund, and a node away', asks: ['part back', 'first'], node: 'away' },
];

describe('two sales by one channel in every order of events', () => {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterAll(() => {
    vi.useRealTimers();
  });

  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    const { breach, runs } = await explore(byChannel(scenario), DEPARTURES);
    expect(breach ?? []).toEqual([]);
    expect(runs).toBeGreaterThan(20);
  });
});
