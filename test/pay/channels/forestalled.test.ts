import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SettlementRequest, SettleOutcome } from '../../../src/pay/facilitator.ts';
import { FacilitatorList } from '../../../src/pay/facilitator-list.ts';
import { RpcError } from '../../../src/pay/rpc.ts';
import { Channels } from '../../../src/pay/schemes/batch-settlement/channels.ts';
import { ChannelClaims } from '../../../src/pay/schemes/batch-settlement/claims.ts';
import { createChannelDigests } from '../../../src/pay/schemes/batch-settlement/digests.ts';
import { FacilitatorRequests } from '../../../src/pay/schemes/batch-settlement/facilitator-requests.ts';
import { loadSign } from '../../../src/pay/sign.ts';
import { type FakeClock, fakeClock, fakeFacilitator, TRANSACTION } from '../fakes.ts';
import { createMemoryStore } from '../ledger-memory.ts';
import { newAccount } from '../wallet.ts';
import { AUTHORIZER_KEY, buyersChannel, fakeChain, SELLER, TERMS } from './channel-rig.ts';

const MINUTE_MS = 60_000;
const digests = createChannelDigests(SELLER.network.chainId);
const owner = newAccount();
const CHANNELS = 12;

/** Ways of a facilitator that does not claim. */
const FAULTS: readonly (SettleOutcome | undefined)[] = [
  { kind: 'unsent', reason: 'away' },
  { kind: 'unknown', reason: 'timeout', pending: false, failed: true, transaction: undefined },
  { kind: 'refused', reason: 'claim_simulation_failed', transaction: undefined },
  { kind: 'settled', transaction: TRANSACTION },
];

interface Plan {
  readonly delay: number;
  /** Minutes: away, then there, again and again. */
  readonly stretches: readonly (readonly [number, number])[];
  readonly fault: number;
  /** Minutes after which a process ends and another one begins. */
  readonly restarts: readonly number[];
  /** Minute in which each channel is left. */
  readonly leaves: readonly number[];
  readonly isNodeAway: boolean;
}

/** Half of the time away, and never for longer than a quarter of the delay. */
const plan: fc.Arbitrary<Plan> = fc.constantFrom(900, 1_800, 7_200).chain((delay) => {
  const most = Math.floor(delay / 60 / 4);
  const stretch = fc.integer({ min: 1, max: most }).map((minutes) => [minutes, minutes] as const);
  return fc.record({
    delay: fc.constant(delay),
    stretches: fc.array(stretch, { minLength: 1, maxLength: 6 }),
    fault: fc.nat(FAULTS.length - 1),
    restarts: fc.array(fc.integer({ min: delay / 180, max: delay / 30 }), { minLength: 1, maxLength: 3 }),
    leaves: fc.array(fc.nat(delay / 30), { minLength: CHANNELS, maxLength: CHANNELS }),
    isNodeAway: fc.boolean(),
  });
});

/** True where what was planned is away in that minute. */
function isAway(stretches: Plan['stretches'], minute: number): boolean {
  const cycle = stretches.reduce((sum, [away, there]) => sum + away + there, 0);
  let at = minute % cycle;
  for (const [away, there] of stretches) {
    if (at < away) return true;
    at -= away + there;
    if (at < 0) return false;
  }
  return false;
}

async function run({ delay, stretches, fault, restarts, leaves, isNodeAway }: Plan): Promise<void> {
  const clock: FakeClock = fakeClock(1_800_000_000_000);
  const chain = fakeChain();
  const { accounts } = createMemoryStore();
  if (accounts === undefined) throw new Error('no accounts');
  let minute = 0;
  const settle = async ({ payload }: SettlementRequest): Promise<SettleOutcome> => {
    const said = isAway(stretches, minute) ? FAULTS[fault] : undefined;
    if (said !== undefined) return said;
    for (const { voucher, totalClaimed } of (payload as { claims?: never[] }).claims ?? []) {
      const id = digests.channelId((voucher as { channel: never }).channel);
      const known = chain.channels.get(id);
      if (known !== undefined) chain.channels.set(id, { ...known, claimed: totalClaimed });
    }
    return { kind: 'settled', transaction: TRANSACTION };
  };
  const sign = await loadSign(AUTHORIZER_KEY);
  const opened = (name: string) => {
    const channels = new Channels(accounts, clock);
    const facilitators = new FacilitatorList([{ ...fakeFacilitator(), settle }]);
    const requests = new FacilitatorRequests({
      seller: SELLER,
      terms: TERMS,
      facilitators,
      digests,
      signAs: () => sign,
    });
    const readChannels = async (ids: readonly string[]) => {
      if (isNodeAway && isAway(stretches, minute)) throw new RpcError('eth_call: failed');
      const none = { balance: '0', claimed: '0', withdrawAt: 0, refundNonce: '0' };
      return ids.map((id) => ({ ...(chain.channels.get(id) ?? none), seenAt: clock.now() }));
    };
    const readUnsettled = async () => [];
    const payments = { get: async () => undefined };
    const parts = { channels, payments, requests, readChannels, readUnsettled, clock, owner: name };
    return { channels, claims: new ChannelClaims({ ...parts, withdrawDelay: delay }) };
  };
  let process = opened('0');
  const ids: string[] = [];
  for (let i = 0; i < CHANNELS; i++) {
    const config = { ...buyersChannel(owner, i.toString(16)).config, withdrawDelay: delay };
    const id = digests.channelId(config);
    ids.push(id);
    chain.channels.set(id, { balance: '900', claimed: '0', withdrawAt: 0, refundNonce: '0' });
    await process.channels.see(id, { ...none(), balance: '900', seenAt: clock.now() });
    const voucher = { total: '7', signature: `0x${'11'.repeat(65)}` };
    await process.channels.update(id, { kind: 'sold', voucher, price: 7n, at: clock.now() }, config);
  }
  const leftAt = new Map<string, number>();
  let nextRestart = restarts[0] ?? delay;
  for (; minute <= delay / 30 + delay / 60; minute++) {
    for (const [i, id] of ids.entries()) {
      const known = chain.channels.get(id);
      if (known === undefined || leaves[i] !== minute) continue;
      leftAt.set(id, minute);
      chain.channels.set(id, { ...known, withdrawAt: Math.floor(clock.now() / 1_000) });
    }
    if (minute >= nextRestart) {
      process = opened(String(minute));
      nextRestart += restarts[minute % restarts.length] ?? delay;
    }
    await process.claims.look().catch(() => undefined);
    for (const [id, left] of leftAt) {
      const isOver = (minute - left) * 60 >= delay;
      if (isOver) expect(chain.channels.get(id)?.claimed).toBe('7');
    }
    clock.advance(MINUTE_MS);
  }
  expect(leftAt.size).toBe(ids.length);
}

const none = () => ({ balance: '0', claimed: '0', withdrawAt: 0, refundNonce: '0' });

it('outages half of the time, and restarts: withdrawals forestalled', async () => {
  await fc.assert(fc.asyncProperty(plan, run), { numRuns: 60 });
});
