import { describe, expect, it, vi } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import type { SettleOutcome } from '../../src/pay/facilitator.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { until } from '../until.ts';
import { deferred, TRANSACTION } from './fakes.ts';
import { ANSWER, claimOf } from './ledger-claims.ts';
import {
  clock,
  delivered,
  expectUnknown,
  facilitator,
  paidServer,
  pay,
  sign,
  state,
  useSale,
} from './outcomes-rig.ts';

useSale();

describe('shutting down', () => {
  it('finishes payments in flight and accepts no new ones', async () => {
    const settling = deferred<SettleOutcome>();
    facilitator.settleWith = [settling.promise];
    const first = pay(await sign());
    await until(async () => expect((await state())?.state).toBe('settling'));
    const drained = paidServer.paywall.drain();
    const late = await pay(await sign());
    expect([late.status, late.body.code]).toEqual([503, 'shutting_down']);
    settling.resolve({ kind: 'settled', transaction: TRANSACTION });
    expect((await first).status).toBe(200);
    await drained;
  });
});

describe('a ledger that fails', () => {
  it('after the money moved leaves an unknown payment, which is closed later', async () => {
    const signed = await sign();
    const real = paidServer.ledger.change.bind(paidServer.ledger);
    vi.spyOn(paidServer.ledger, 'change').mockImplementation(async (record, next, options) => {
      if (next.state === 'settled') throw new Error('disk full');
      return real(record, next, options);
    });
    expectUnknown(await pay(signed));
    expect(paidServer.errors).toHaveLength(1);
    vi.restoreAllMocks();
    expect((await pay(signed)).body.code).toBe('payment_in_flight');
    clock.advance(60_000);
    expect((await pay(signed)).body).toMatchObject({ product: 1 });
  });

  it('before the money moved charges nothing', async () => {
    const signed = await sign();
    vi.spyOn(paidServer.ledger, 'hold').mockRejectedValueOnce(new Error('disk full'));
    const failed = await pay(signed);
    expect([failed.status, failed.body.code]).toEqual([500, 'internal']);
    expect(facilitator.settled).toHaveLength(0);
    expect((await pay(signed)).status).toBe(200);
  });
});

describe('a payment whose process is gone', () => {
  it('is released when settlement had not begun', async () => {
    const verifying = deferred<{ kind: 'valid' }>();
    facilitator.verifyWith = [verifying.promise, { kind: 'valid' }];
    const signed = await sign();
    const stalled = pay(signed);
    await until(() => expect(facilitator.verified).toHaveLength(1));
    expect((await pay(signed)).body.code).toBe('payment_in_flight');
    clock.advance(30_000);
    expect((await pay(signed)).status).toBe(200);
    // The worker comes back late: its claim is no longer its own, so it must not settle.
    verifying.resolve({ kind: 'valid' });
    expect([402, 409]).toContain((await stalled).status);
    expect(facilitator.settled).toHaveLength(1);
  });

  it('is unknown when it was settling, then takes the facilitator’s outcome', async () => {
    const settling = deferred<SettleOutcome>();
    facilitator.settleWith = [settling.promise, { kind: 'settled', transaction: TRANSACTION }];
    const signed = await sign();
    const stalled = pay(signed);
    await until(async () => expect((await state())?.state).toBe('settling'));
    clock.advance(60_000);
    expect((await pay(signed)).body).toMatchObject({ product: 1 });
    await delivered();
    settling.resolve({ kind: 'settled', transaction: TRANSACTION });
    expect((await stalled).status).toBe(402);
    expect(paidServer.produced).toBe(1);
  });

  it('the word of its slow worker: settles it, told once', async () => {
    const settling = deferred<SettleOutcome>();
    const nonceUsed = 'invalid_exact_evm_nonce_already_used';
    facilitator.settleWith = [
      settling.promise,
      { kind: 'unknown', reason: nonceUsed, pending: false, transaction: undefined },
    ];
    const signed = await sign();
    const stalled = pay(signed);
    await until(async () => expect((await state())?.state).toBe('settling'));
    clock.advance(60_000);
    expectUnknown(await pay(signed));
    settling.resolve({ kind: 'settled', transaction: TRANSACTION });
    const late = await stalled;
    await until(async () => expect(await state()).toMatchObject({ transaction: TRANSACTION }));
    clock.advance(60_000);
    const again = await pay(signed);
    // The late request may be the one that gets it.
    expect([late, again].filter(({ body }) => body.product === 1)).toHaveLength(1);
  });
});

describe('a payment of a network that is not offered any more', () => {
  it('nobody is asked: unknown, and given up after seven days', async () => {
    const { ledger, paywall } = paidServer;
    const now = clock.now();
    const locked = await ledger.claim({ ...claimOf('a'), network: 'eip155:137', overAt: asMs(now + 60_000) });
    if (locked.kind !== 'claimed') throw new Error(locked.kind);
    const left = { state: 'settling', facilitator: 'fake', leaseUntil: now, dueAt: now } as const;
    await ledger.hold(locked.record, left, ANSWER);
    await paywall.reconciler.run();
    expect(await state()).toMatchObject({ state: 'unknown', reason: 'not_offered', closedAt: undefined });
    clock.advance(8 * DAY_MS);
    await paywall.reconciler.run();
    expect(await state()).toMatchObject({ state: 'unknown', closedAt: clock.now() });
    expect([facilitator.settled, paidServer.errors]).toEqual([[], []]);
  });
});
