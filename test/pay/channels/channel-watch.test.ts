import { beforeEach, describe, expect, it } from 'vitest';
import { ChannelWatch } from '../../../src/modules/ledger-check/channel-watch.ts';
import { uintWord } from '../../../src/pay/abi.ts';
import { Ledger } from '../../../src/pay/ledger.ts';
import { MULTICALL3 } from '../../../src/pay/multicall.ts';
import type { Rpc } from '../../../src/pay/rpc.ts';
import { createChannelDigests } from '../../../src/pay/schemes/batch-settlement/digests.ts';
import { foundChannel } from '../../../src/pay/schemes/batch-settlement/lifecycle.ts';
import { type FakeClock, fakeClock } from '../fakes.ts';
import { createMemoryStore } from '../ledger-memory.ts';
import { newAccount } from '../wallet.ts';
import { configOf } from './buyer.ts';
import { SELLER, TERMS } from './channel-rig.ts';

let clock: FakeClock;
let ledger: Ledger;
let watch: ChannelWatch;
/** Claimed for the seller on the chain. */
let claimed: bigint;

const rpc: Rpc = async (_, [call]) => {
  if ((call as { to: string }).to === MULTICALL3) return '0x';
  return `0x${uintWord(claimed)}${uintWord(0n)}`;
};

beforeEach(() => {
  clock = fakeClock();
  claimed = 0n;
  ledger = new Ledger({ store: createMemoryStore(), clock, owner: 'test' });
  watch = new ChannelWatch({ rpc, ledger, seller: SELLER, clock });
});

/** A channel of the ledger; amounts as they were last seen, and what is charged. */
async function keep(of: { balance: bigint; claimed: bigint; charged: bigint }, payTo = SELLER.payTo) {
  const config = configOf(newAccount().address, { ...SELLER, payTo }, TERMS);
  const id = createChannelDigests(SELLER.network.chainId).channelId(config);
  const view = {
    balance: of.balance.toString(),
    claimed: of.claimed.toString(),
    withdrawAt: 0,
    refundNonce: '0',
    seenAt: clock.now(),
  };
  const row = JSON.stringify({ ...foundChannel(config, view), charged: of.charged.toString() });
  await ledger.accounts?.write({ id, version: 0, row });
}

async function look(): Promise<Record<string, number>> {
  clock.advance(300_000);
  await watch.look();
  return Object.fromEntries([...watch.state().differences].filter(([, count]) => count > 0));
}

describe('channels beside the contract while a service runs', () => {
  it('claims of known channels, noted a look later: no difference', async () => {
    for (let i = 0; i < 4; i++) {
      claimed += 5_000n;
      expect(await look()).toEqual({});
      await keep({ balance: 50_000n, claimed: 5_000n, charged: 10_000n });
    }
    expect(watch.state().comparedTo).toBe(clock.now());
  });

  it('claims of channels that the ledger does not have: counted once', async () => {
    expect(await look()).toEqual({});
    expect(await look()).toEqual({});
    claimed = 7_000n;
    expect(await look()).toEqual({});
    expect(await look()).toEqual({ not_in_ledger: 1 });
    expect(await look()).toEqual({ not_in_ledger: 1 });
  });

  it('claims from before the start, and of another seller: left out', async () => {
    claimed = 7_000n;
    await keep({ balance: 50_000n, claimed: 9_000n, charged: 9_000n }, newAccount().address);
    for (let i = 0; i < 3; i++) expect(await look()).toEqual({});
  });

  it('charged more than a channel holds: counted once', async () => {
    await keep({ balance: 1_000n, claimed: 0n, charged: 2_000n });
    expect(await look()).toEqual({});
    await keep({ balance: 5_000n, claimed: 0n, charged: 5_000n });
    await keep({ balance: 5_000n, claimed: 0n, charged: 5_001n });
    expect(await look()).toEqual({ not_on_chain: 1 });
    expect(await look()).toEqual({ not_on_chain: 1 });
  });
});
