import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TransactionQueue } from '../../src/modules/self-settle/transaction-queue.ts';
import { deferred } from './fakes.ts';
import { settledDown } from './model-steps.ts';
import { CALL, type FakeNode, fakeNode, GWEI, refusal, transactionQueueOf } from './outbox-rig.ts';

let node: FakeNode;
let outbox: TransactionQueue;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  node = fakeNode();
  outbox = transactionQueueOf(node);
});
afterEach(() => {
  outbox.stop();
  vi.useRealTimers();
});

/** @param usefulMs for so long from now on */
const send = (usefulMs = 60_000) => outbox.send(CALL, performance.now() + usefulMs);
/** Until the outbox has looked after what is open once more. */
const aRound = () => vi.advanceTimersByTimeAsync(3_000);

describe('an error that a node answers to a transaction', () => {
  it.each([
    'insufficient funds for gas * price + value: balance 1, tx cost 2, overshot 1',
    'intrinsic gas too low: gas 1, minimum needed 21000',
    'exceeds block gas limit',
    'invalid sender',
    'txpool is full',
    'rate limit exceeded',
    'Too Many Requests',
  ])('refuses it where it says "%s": nothing is on its way', async (message) => {
    node.answers.push(refusal(message));
    expect(await send()).toEqual({ kind: 'rejected', message });
    await aRound();
    expect(node.sent).toHaveLength(1);
  });

  it.each([
    ['the method eth_sendRawTransaction does not exist/is not available', -32601],
    ['limit exceeded', -32005],
    ['capacity exceeded', 429],
  ])('refuses it where its code says so: %s', async (message, code) => {
    node.answers.push(refusal(message, code));
    expect(await send()).toEqual({ kind: 'rejected', message });
  });

  it.each(['nonce too low: next nonce 1, tx nonce 0', 'replacement transaction underpriced'])(
    'has it sent under the next number where it says "%s"',
    async (message) => {
      node.answers.push(refusal(message));
      expect(await send()).toMatchObject({ kind: 'sent', sending: { nonce: 1 } });
    },
  );

  it.each([
    'internal error',
    'Internal JSON-RPC error.',
    'request timed out',
    'upstream request failed',
    'header not found',
    'already known',
  ])('"%s": its fate stays open, and it is sent again', async (message) => {
    node.answers.push(refusal(message, -32603));
    expect(await send()).toMatchObject({ kind: 'sent', sending: { nonce: 0 } });
    await aRound();
    expect(node.sent.map(({ hash }) => hash)).toEqual(['hash 1', 'hash 1']);
  });
});

describe('transactions that an outage has left open', () => {
  it('all are sent again, in order, once the node takes the first', async () => {
    node.answers.push(...Array.from({ length: 4 }, () => refusal('no backend is healthy', -32011)));
    for (let i = 0; i < 3; i++) await send();
    await aRound();
    expect(node.sent.map(({ nonce }) => nonce)).toEqual([0, 1, 2, 0]);
    await aRound();
    expect(node.sent.map(({ nonce }) => nonce)).toEqual([0, 1, 2, 0, 0, 1, 2]);
    await aRound();
    expect(node.sent.map(({ nonce }) => nonce)).toEqual([0, 1, 2, 0, 0, 1, 2, 0]);
  });
});

describe('a transaction that no node takes', () => {
  it('holds up others only while useful: another takes its number', async () => {
    const broken = Array.from({ length: 4 }, () => refusal('internal error'));
    node.answers.push(...broken);
    await send(7_000);
    await aRound();
    await aRound();
    await aRound();
    const [first, , , last] = node.sent;
    expect(node.sent.map(({ call }) => call.data)).toEqual([CALL.data, CALL.data, CALL.data, '0x']);
    expect(last).toMatchObject({ nonce: 0, call: { to: node.wallet.address } });
    expect(last?.fees.maxFeePerGas).toBeGreaterThan(first?.fees.maxFeePerGas ?? 0n);
    await aRound();
    expect(node.sent.at(-1)).toBe(last);
    node.used = 1;
    await aRound();
    await aRound();
    expect(node.sent).toHaveLength(5);
  });
});

describe('a number that the node turned away', () => {
  it('is filled later where the node does not say at once what gas costs', async () => {
    const answer = deferred<Error>();
    node.answers.push(answer.promise);
    const first = send();
    await settledDown();
    await send();
    answer.resolve(refusal('insufficient funds for gas * price + value'));
    expect(await first).toMatchObject({ kind: 'rejected' });
    node.isPriceless = true;
    await aRound();
    expect(node.sent.map(({ nonce }) => nonce)).toEqual([0, 1]);
    node.isPriceless = false;
    await aRound();
    expect(node.sent.at(-1)).toMatchObject({ nonce: 0, call: { to: node.wallet.address, data: '0x' } });
  });
});

describe('a transaction that waits while gas becomes dearer', () => {
  const bids = () => node.sent.map(({ fees }) => [fees.maxFeePerGas / GWEI, fees.maxPriorityFeePerGas]);

  it('is replaced by a tenth more in both fields, at an equal tip', async () => {
    await send();
    node.baseFee = 20n * GWEI;
    await aRound();
    const [before, after] = node.sent.map(({ fees }) => fees);
    expect(after?.maxFeePerGas).toBe(41n * GWEI);
    expect((after?.maxPriorityFeePerGas ?? 0n) * 10n).toBeGreaterThanOrEqual(
      (before?.maxPriorityFeePerGas ?? 0n) * 11n,
    );
    await aRound();
    expect(node.sent.at(-1)).toBe(node.sent[1]);
  });

  it('never bids more than the cap', async () => {
    outbox = transactionQueueOf(node, 30n * GWEI);
    await send();
    node.baseFee = 20n * GWEI;
    node.tip = 100n * GWEI;
    await aRound();
    expect(bids()).toEqual([
      [21n, GWEI],
      [30n, 30n * GWEI],
    ]);
  });

  it('stays the one that is sent again where its replacement is refused', async () => {
    const sent = await send();
    if (sent.kind !== 'sent') throw new Error(sent.kind);
    node.baseFee = 20n * GWEI;
    node.answers.push(refusal('replacement transaction underpriced'));
    await aRound();
    expect(bids().map(([most]) => most)).toEqual([21n, 41n, 21n]);
    expect(sent.sending.hashes).toEqual([node.sent[0]?.hash]);
    await aRound();
    expect(bids().map(([most]) => most)).toEqual([21n, 41n, 21n, 41n]);
    expect(sent.sending.hashes).toEqual([node.sent[0]?.hash, node.sent[3]?.hash]);
  });
});
