import { beforeEach, describe, expect, it } from 'vitest';
import type { SettleOutcome } from '../../src/pay/facilitator.ts';
import { StoreUnreachable, StoreWriteError } from '../../src/storage/remote-state.ts';
import { until } from '../until.ts';
import { TRANSACTION } from './fakes.ts';
import { createMemoryStore } from './ledger-memory.ts';
import {
  clock,
  expectUnknown,
  facilitator,
  paidServer,
  pay,
  reopen,
  SETTLED,
  sign,
  state,
  useSale,
} from './outcomes-rig.ts';
import type { SignedAuthorization } from './wallet.ts';

useSale();

const UNWRITTEN = new StoreWriteError('the ledger', new Error('no space left'));
const UNREACHABLE = new StoreUnreachable('the ledger', new Error('no route'), false);
const NONCE_USED: SettleOutcome = {
  kind: 'unknown',
  reason: 'invalid_exact_evm_nonce_already_used',
  pending: false,
  transaction: undefined,
};

describe('a payment that is settled and could not be written so, where only its facilitator can be asked', () => {
  /** The fault that prevents writing a payment as settled. */
  let fault: Error | undefined;

  beforeEach(async () => {
    fault = undefined;
    const store = createMemoryStore();
    await reopen({
      store: {
        ...store,
        replace: async (before, next, receipts) => {
          if (fault !== undefined && next.state === 'settled') throw fault;
          return store.replace(before, next, receipts);
        },
      },
    });
    facilitator.settleWith = [SETTLED, NONCE_USED];
  });

  const unwritten = async (why: Error): Promise<SignedAuthorization> => {
    fault = why;
    const signed = await sign();
    expectUnknown(await pay(signed));
    expect((await state())?.state).toBe('settling');
    return signed;
  };
  const writable = async (): Promise<void> => {
    fault = undefined;
    await until(async () => expect((await state())?.state).toBe('settled'));
  };

  it.each([
    ['is full', UNWRITTEN],
    ['does not answer', UNREACHABLE],
  ])('is written and fetched once the ledger no longer %s', async (_what, why) => {
    const signed = await unwritten(why);
    await writable();
    expect(await state()).toMatchObject({ transaction: TRANSACTION, proof: 'facilitator' });
    expect(paidServer.closed.map((record) => record.state)).toEqual(['settled']);
    expect((await pay(signed)).body).toMatchObject({ product: 1 });
    expect(facilitator.settled).toHaveLength(1);
  });

  it('is written also where it was taken up meanwhile', async () => {
    const signed = await unwritten(UNWRITTEN);
    clock.advance(121_000);
    await paidServer.paywall.reconciler.run();
    expect(await state()).toMatchObject({ state: 'unknown' });
    await writable();
    expect((await pay(signed)).body).toMatchObject({ product: 1 });
  });

  it('is not called unpaid by its request, also with a lost ledger', async () => {
    const store = createMemoryStore();
    let isLost = false;
    await reopen({
      store: {
        ...store,
        read: (key) => (isLost ? Promise.reject(UNREACHABLE) : store.read(key)),
        replace: async (before, next, receipts) => {
          if (next.state !== 'settled') return store.replace(before, next, receipts);
          isLost = true;
          return false;
        },
      },
    });
    facilitator.settleWith = [SETTLED];
    expectUnknown(await pay(await sign()));
  });

  it('is looked after until ten minutes after the end of its authorization', async () => {
    await unwritten(UNWRITTEN);
    clock.advance((60 + 13) * 1000 + 10 * 60_000 - 5_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(paidServer.paywall.inFlight).toBe(1);
    clock.advance(10_000);
    await until(() => expect(paidServer.paywall.inFlight).toBe(0));
    expect((await state())?.state).toBe('settling');
  });

  it('holds up no shutdown', async () => {
    await unwritten(UNWRITTEN);
    await paidServer.paywall.drain();
    expect(paidServer.paywall.inFlight).toBe(0);
    expect(paidServer.errors).toEqual([UNWRITTEN]);
  });
});
