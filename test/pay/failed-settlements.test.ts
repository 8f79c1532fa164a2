import { describe, expect, it, vi } from 'vitest';
import type { SettleOutcome } from '../../src/pay/facilitator.ts';
import type { SettlementVerifier } from '../../src/pay/schemes/exact/proof.ts';
import { until } from '../until.ts';
import { deferred, type FakeFacilitator, fakeProof, TRANSACTION } from './fakes.ts';
import {
  BAD_GATEWAY,
  clock,
  expectUnknown,
  facilitator,
  PENDING,
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

describe('a facilitator that fails at settle', () => {
  /** The chain, on which the money has moved when the facilitator has said so: it then has one answer left. */
  const chainOf = (fake: () => FakeFacilitator): SettlementVerifier => ({
    prove: async () =>
      fake().settleWith.length === 1 && fake().settleWith[0] === SETTLED
        ? { kind: 'settled', transaction: TRANSACTION }
        : { kind: 'unused', chainTime: Math.floor(clock.now() / 1000) },
  });
  const alwaysFailing = async (proof?: SettlementVerifier): Promise<SignedAuthorization> => {
    await reopen(proof === undefined ? {} : { proof });
    facilitator.settleWith = [BAD_GATEWAY];
    const signed = await sign();
    expectUnknown(await pay(signed));
    expect(facilitator.settled).toHaveLength(5);
    return signed;
  };

  it.each([1, 2, 4])('%i times: asked again with the same payload while one waits', async (n) => {
    facilitator.settleWith = [...Array.from({ length: n }, () => BAD_GATEWAY), SETTLED];
    const answer = await pay(await sign());
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ product: 1 })]);
    expect(facilitator.settled).toHaveLength(n + 1);
    for (const request of facilitator.settled) expect(request).toEqual(facilitator.settled[0]);
  });

  it('a longer outage: asked again if the chain has not seen it', async () => {
    const signed = await alwaysFailing(chainOf(() => facilitator));
    facilitator.settleWith = [BAD_GATEWAY, SETTLED, SETTLED];
    clock.advance(2_000);
    await paidServer.paywall.reconciler.run();
    expect(await state()).toMatchObject({ state: 'unknown', reason: 'status_502' });
    clock.advance(4_000);
    await paidServer.paywall.reconciler.run();
    expect(await state()).toMatchObject({ state: 'settled', proof: 'rpc', transaction: TRANSACTION });
    expect(facilitator.settled).toHaveLength(7);
    expect((await pay(signed)).body).toMatchObject({ product: 1 });
    expect(facilitator.settled).toHaveLength(7);
  });

  it('is asked again when the buyer repeats the payment, and sells', async () => {
    const signed = await alwaysFailing(chainOf(() => facilitator));
    facilitator.settleWith = [BAD_GATEWAY, SETTLED, SETTLED];
    clock.advance(1_000);
    expectUnknown(await pay(signed));
    clock.advance(1_000);
    expect((await pay(signed)).status).toBe(200);
  });

  it('is not asked again in the last six seconds of the authorization', async () => {
    const signed = await alwaysFailing(fakeProof({ kind: 'unused', chainTime: 0 }));
    clock.advance(Number(signed.authorization.validBefore) * 1000 - clock.now() - 5_999);
    await paidServer.paywall.reconciler.run();
    expect((await state())?.state).toBe('unknown');
    expect(facilitator.settled).toHaveLength(5);
  });

  it('is not asked again over a transaction that it has named', async () => {
    await reopen({ proof: fakeProof({ kind: 'unused', chainTime: 0 }) });
    facilitator.settleWith = [{ ...PENDING, pending: false }];
    expectUnknown(await pay(await sign()));
    clock.advance(2_000);
    await paidServer.paywall.reconciler.run();
    expect(facilitator.settled).toHaveLength(1);
  });

  it('is not asked again once it has named a transaction to the reconciler', async () => {
    await alwaysFailing(fakeProof({ kind: 'unused', chainTime: 0 }));
    facilitator.settleWith = [PENDING];
    clock.advance(2_000);
    await paidServer.paywall.reconciler.run();
    expect(await state()).toMatchObject({ state: 'unknown', reason: 'status_502', transaction: TRANSACTION });
    clock.advance(4_000);
    await paidServer.paywall.reconciler.run();
    expect(facilitator.settled).toHaveLength(6);
  });

  it('longer than it is asked again for: asked once', async () => {
    const settling = deferred<SettleOutcome>();
    facilitator.settleWith = [settling.promise, SETTLED];
    const now = performance.now();
    const timer = vi.spyOn(performance, 'now');
    const answer = pay(await sign());
    await until(() => expect(facilitator.settled).toHaveLength(1));
    timer.mockReturnValue(now + 60_000);
    settling.resolve(BAD_GATEWAY);
    expectUnknown(await answer);
    timer.mockRestore();
    expect(facilitator.settled).toHaveLength(1);
  });

  it('a refusal after an error: unknown, the first may have settled', async () => {
    facilitator.settleWith = [
      BAD_GATEWAY,
      { kind: 'refused', reason: 'insufficient_funds', transaction: undefined },
    ];
    expectUnknown(await pay(await sign()));
    expect(await state()).toMatchObject({ state: 'unknown', reason: 'status_502' });
    expect(facilitator.settled).toHaveLength(2);
  });
});

describe('a pending settlement', () => {
  const OTHER = `0x${'cd'.repeat(32)}`;

  it('is settled once more with the identical payload', async () => {
    facilitator.settleWith = [PENDING, { kind: 'settled', transaction: TRANSACTION }];
    expect((await pay(await sign())).status).toBe(200);
    expect(facilitator.settled).toHaveLength(2);
    expect(facilitator.settled[0]).toEqual(facilitator.settled[1]);
  });

  it('pending throughout: unknown, also when refused the second time', async () => {
    facilitator.settleWith = [
      PENDING,
      { kind: 'refused', reason: 'insufficient_funds', transaction: undefined },
    ];
    expectUnknown(await pay(await sign()));
    expect(await state()).toMatchObject({
      state: 'unknown',
      reason: 'settlement_pending',
      transaction: TRANSACTION,
    });
  });

  it('that was reverted is refused', async () => {
    facilitator.settleWith = [
      PENDING,
      { kind: 'refused', reason: 'invalid_exact_evm_transaction_failed', transaction: TRANSACTION },
    ];
    expect((await pay(await sign())).status).toBe(402);
  });

  it.each([
    ['another transaction than the first', TRANSACTION, TRANSACTION],
    ['a transaction where the first named none', undefined, OTHER],
  ])('a repetition refused with %s: unknown, either may be mined', async (_what, named, kept) => {
    facilitator.settleWith = [
      { ...PENDING, transaction: named },
      { kind: 'refused', reason: 'invalid_exact_evm_transaction_failed', transaction: OTHER },
    ];
    expectUnknown(await pay(await sign()));
    expect(await state()).toMatchObject({ state: 'unknown', transaction: kept });
  });
});

describe('the proof of a settlement', () => {
  it('overrules a facilitator that says success', async () => {
    await reopen({ proof: fakeProof({ kind: 'unused', chainTime: Math.floor(Date.now() / 1000) }) });
    expectUnknown(await pay(await sign()));
    expect(await state()).toMatchObject({
      state: 'unknown',
      reason: 'not_seen_on_chain',
      transaction: TRANSACTION,
    });
  });

  it('overrules a facilitator that says refused', async () => {
    await reopen({ proof: fakeProof({ kind: 'settled', transaction: TRANSACTION }) });
    facilitator.settleWith = [{ kind: 'refused', reason: 'insufficient_funds', transaction: undefined }];
    expect((await pay(await sign())).status).toBe(200);
    expect(await state()).toMatchObject({ proof: 'rpc' });
  });
});
