import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Outbox } from '../../src/pay/facilitators/self/outbox.ts';
import { deferred } from './fakes.ts';
import { settledDown } from './model-steps.ts';
import { CALL, type FakeNode, fakeNode, outboxOf, refusal } from './outbox-rig.ts';

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
