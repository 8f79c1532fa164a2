import { beforeEach, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { LedgerWatch } from '../../src/modules/ledger-check/chain-watch.ts';
import { AUTHORIZATION_USED, addressWord, TRANSFER } from '../../src/pay/abi.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import type { Rpc } from '../../src/pay/rpc.ts';
import { SETTLEMENT_CONTRACT } from '../../src/pay/schemes/batch-settlement/contract.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { claimOf } from './ledger-claims.ts';
import { createMemoryStore } from './ledger-memory.ts';
import { sellerAt } from './routes.ts';

const START = 1_790_000_000_000;
const { asset, payTo, payer } = claimOf('any');

interface Moved {
  readonly at: number;
  readonly transaction: string;
  readonly nonce: string;
  readonly amount: bigint;
  /** The payer, if it is not set. */
  readonly by?: string;
}

let now: number;
let moved: Moved[];
let isDown: boolean;
/** The node shows the chain as it was so long ago. */
let lagMs: number;
let ledger: Ledger;
let watch: LedgerWatch;
const clock = { now: () => asMs(now) };

const hex = (value: number | bigint): string => `0x${value.toString(16)}`;
const hash = (name: string): string => `0x${Buffer.from(name).toString('hex').padStart(64, '0')}`;
/** A block a second, numbered from an hour before the start. */
const ORIGIN = START / 1000 - 3600;
const blockAt = (ms: number): number => Math.floor(ms / 1000) - ORIGIN;

function logsOf({ at, transaction, nonce, amount, by = payer }: Moved) {
  const shared = { address: asset, transactionHash: hash(transaction), blockNumber: hex(blockAt(at)) };
  const from = `0x${addressWord(by)}`;
  return [
    { ...shared, topics: [AUTHORIZATION_USED, from, hash(nonce)], data: '0x', logIndex: '0x0' },
    {
      ...shared,
      topics: [TRANSFER, from, `0x${addressWord(payTo)}`],
      data: `0x${amount.toString(16).padStart(64, '0')}`,
      logIndex: '0x1',
    },
  ];
}

/** An Ethereum node's answers: its blocks, the transfers of a range, one receipt. */
const rpc: Rpc = async (method, [first]) => {
  if (isDown) throw new Error('no answer');
  if (method === 'eth_getBlockByNumber') {
    const number = first === 'latest' ? blockAt(now - lagMs) : Number(first);
    return { number: hex(number), timestamp: hex(number + ORIGIN) };
  }
  if (method === 'eth_getLogs') {
    const { fromBlock, toBlock } = first as { fromBlock: string; toBlock: string };
    return moved
      .filter(({ at }) => blockAt(at) >= Number(fromBlock) && blockAt(at) <= Number(toBlock))
      .map((block) => logsOf(block)[1]);
  }
  return { logs: moved.filter(({ transaction }) => hash(transaction) === first).flatMap(logsOf) };
};

/** A payment that the ledger has settled now, and its transfer where the chain has one. */
async function settle(name: string, amount?: bigint): Promise<void> {
  const claimed = await ledger.claim({ ...claimOf(name), nonce: hash(name) });
  if (claimed.kind !== 'claimed') throw new Error(claimed.kind);
  const answer = { status: 200, headers: {}, body: Buffer.from('{}') };
  const held = await ledger.hold(claimed.record, { state: 'settling' }, answer);
  if (held === undefined || held === 'full') throw new Error(String(held));
  await ledger.change(held, { state: 'settled', settledAt: clock.now(), transaction: hash(name) });
  if (amount !== undefined) moved.push({ at: now, transaction: name, nonce: name, amount });
}

async function lookAfter(ms: number): Promise<Record<string, number>> {
  now += ms;
  await watch.look();
  return Object.fromEntries([...watch.state().differences].filter(([, count]) => count > 0));
}

beforeEach(() => {
  now = START;
  moved = [];
  isDown = false;
  lagMs = 0;
  ledger = new Ledger({ store: createMemoryStore(), clock, owner: 'test' });
  watch = new LedgerWatch({ rpc, ledger, seller: { ...sellerAt(), asset, payTo }, clock, isLocal: false });
});

it('a node that is behind: not compared until it follows again', async () => {
  await settle('one', 5000n);
  lagMs = 10 * MINUTE_MS;
  const before = watch.state().comparedTo;
  await expect(lookAfter(8 * MINUTE_MS)).rejects.toThrow('behind its chain');
  expect(watch.state().comparedTo).toBe(before);
  lagMs = 0;
  expect(await lookAfter(0)).toEqual({});
});

it('payments on the chain: no difference, also between checks', async () => {
  for (let i = 0; i < 8; i++) {
    now += MINUTE_MS;
    await settle(`paid ${i}`, 5000n);
    expect(await lookAfter(0)).toEqual({});
  }
  expect(await lookAfter(10 * MINUTE_MS)).toEqual({});
  expect(watch.state().comparedTo).toBe(now - 3 * MINUTE_MS);
});

it('a payment that only the facilitator calls settled is counted once', async () => {
  now += MINUTE_MS;
  await settle('unpaid');
  expect(await lookAfter(2 * MINUTE_MS)).toEqual({});
  expect(await lookAfter(5 * MINUTE_MS)).toEqual({ not_on_chain: 1 });
  expect(await lookAfter(5 * MINUTE_MS)).toEqual({ not_on_chain: 1 });
});

it('a transfer without a payment, or of another sum: counted', async () => {
  now += MINUTE_MS;
  moved.push({ at: now, transaction: 'stranger', nonce: 'stranger', amount: 9000n });
  await settle('short', 4000n);
  expect(await lookAfter(5 * MINUTE_MS)).toEqual({ not_in_ledger: 1, amount: 1 });
});

it('what the channel contract pays out: no payment, and no difference', async () => {
  now += MINUTE_MS;
  const by = SETTLEMENT_CONTRACT;
  moved.push({ at: now, transaction: 'claims', nonce: 'claims', amount: 90_000n, by });
  expect(await lookAfter(5 * MINUTE_MS)).toEqual({});
});

it('transfers before the service started are ignored', async () => {
  moved.push({ at: START - MINUTE_MS, transaction: 'earlier', nonce: 'earlier', amount: 1n });
  expect(await lookAfter(10 * MINUTE_MS)).toEqual({});
});

it('a node that does not answer leaves its blocks to the next check', async () => {
  now += MINUTE_MS;
  await settle('unpaid');
  isDown = true;
  await expect(lookAfter(10 * MINUTE_MS)).rejects.toThrow('no answer');
  expect(watch.state().comparedTo).toBe(START);
  isDown = false;
  expect(await lookAfter(MINUTE_MS)).toEqual({ not_on_chain: 1 });
});
