import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Outbox } from '../../src/pay/facilitators/self/outbox.ts';
import { deferred } from './fakes.ts';
import { settledDown } from './model-steps.ts';
import { CALL, type FakeNode, fakeNode, GWEI, outboxOf, refusal } from './outbox-rig.ts';

let node: FakeNode;
let outbox: Outbox;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  node = fakeNode();
  outbox = outboxOf(node);
});
afterEach(() => {
  outbox.stop();
  vi.useRealTimers();
});

const send = () => outbox.send(CALL);
/** Until the outbox has looked after what is open once more. */
const aRound = () => vi.advanceTimersByTimeAsync(3_000);

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

  it('is replaced by one that bids a tenth more in both fields, though the tip is what it was', async () => {
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
    outbox = outboxOf(node, 30n * GWEI);
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
