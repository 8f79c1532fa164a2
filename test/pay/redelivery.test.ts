import { beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../src/domain/errors.ts';
import type { SettleOutcome } from '../../src/pay/facilitator.ts';
import type { PaywallReply } from '../../src/pay/types.ts';
import { until } from '../until.ts';
import { deferred, TRANSACTION } from './fakes.ts';
import {
  BASIS,
  clock,
  delivered,
  facilitator,
  ID,
  paidServer,
  pay,
  reopen,
  sign,
  state,
  useSale,
} from './outcomes-rig.ts';
import { routeOf } from './routes.ts';
import { encodeHeader, type SignedAuthorization, v2Payload } from './wallet.ts';

useSale();

describe('the payment identifier', () => {
  it('redelivers a delivered answer for the same request only', async () => {
    const signed = await sign();
    const first = await pay(signed, ID);
    await delivered();
    const again = await pay(signed, ID);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
    expect((await pay(signed)).body.error).toBe('authorization_used');
    const other = await pay(signed, ID, '/v1/perp/basis?ticker=ETH');
    expect([other.status, other.body.code]).toEqual([409, 'identifier_used']);
    expect(paidServer.produced).toBe(1);
    clock.advance(10 * 60_000);
    expect((await pay(signed, ID)).body.code).toBe('already_paid');
    await paidServer.paywall.reconciler.run();
    expect(await state()).toMatchObject({ storedBytes: 0, dueAt: undefined });
    clock.advance(24 * 60 * 60_000);
    expect((await pay(signed, ID)).body.error).toBe('authorization_used');
  });

  it('is locked after five wrong ones', async () => {
    const signed = await sign();
    await pay(signed, ID);
    await delivered();
    for (let i = 0; i < 5; i++) {
      const miss = await pay(signed, { 'Idempotency-Key': `guess-${i}-0123456789abc` });
      expect([miss.status, miss.body.error]).toEqual([402, 'authorization_used']);
    }
    expect((await pay(signed, ID)).status).toBe(402);
    expect(JSON.stringify(await paidServer.ledger.list({ limit: 10 }))).not.toContain(ID['Idempotency-Key']);
  });

  it('lets a duplicate wait for the first, and conflicts on another request', async () => {
    const settling = deferred<SettleOutcome>();
    facilitator.settleWith = [settling.promise];
    const signed = await sign();
    const first = pay(signed, ID);
    await until(async () => expect((await state())?.state).toBe('settling'));
    expect((await pay(signed)).body.code).toBe('payment_in_flight');
    expect((await pay(signed, ID, '/v1/perp/basis?ticker=ETH')).body.code).toBe('identifier_used');
    const second = pay(signed, ID);
    settling.resolve({ kind: 'settled', transaction: TRANSACTION });
    expect((await second).text).toBe((await first).text);
    expect(paidServer.produced).toBe(1);
  });

  describe('of an answer that is on its way', () => {
    let signed: SignedAuthorization;
    let first: PaywallReply;
    const present = (): Promise<PaywallReply> =>
      paidServer.paywall.pay(
        routeOf(paidServer.routes, 'perp-basis'),
        {
          method: 'GET',
          resource: BASIS,
          paymentSignature: encodeHeader(v2Payload(paidServer.seller, signed)),
          idempotencyKey: ID['Idempotency-Key'],
          address: '127.0.0.1',
        },
        {
          check: () => undefined,
          produce: () => ok({ status: 200, headers: {}, body: Buffer.from('{"product":1}') }),
        },
      );
    const noted = () => until(() => expect(paidServer.paywall.inFlight).toBe(0));

    beforeEach(async () => {
      signed = await sign();
      first = await present();
      expect(first.status).toBe(200);
    });

    it('gets it again, and nobody else does when the first is lost', async () => {
      expect((await pay(signed, ID)).status).toBe(200);
      await delivered();
      first.sent?.(false);
      await noted();
      expect((await pay(signed)).body.error).toBe('authorization_used');
      expect((await pay(signed, ID)).status).toBe(200);
    });

    it('closes it again where it arrives after the first was lost', async () => {
      const second = await present();
      first.sent?.(false);
      await noted();
      second.sent?.(true);
      await delivered();
      expect((await pay(signed)).body.error).toBe('authorization_used');
    });

    it('leaves it on its way where it is lost itself', async () => {
      const second = await present();
      second.sent?.(false);
      await noted();
      expect((await pay(signed)).body.code).toBe('payment_in_flight');
      first.sent?.(true);
      await delivered();
    });
  });

  it('lets a duplicate be charged when the first was not', async () => {
    const verifying = deferred<{ kind: 'unavailable'; reason: string }>();
    facilitator.verifyWith = [verifying.promise, { kind: 'valid' }];
    const signed = await sign();
    const first = pay(signed, ID);
    await until(() => expect(facilitator.verified).toHaveLength(1));
    const second = pay(signed, ID);
    verifying.resolve({ kind: 'unavailable', reason: 'TimeoutError' });
    expect((await first).status).toBe(503);
    expect((await second).status).toBe(200);
  });
});

describe('redelivery', () => {
  it('ends after ten minutes, and the ledger still says that it was paid', async () => {
    const signed = await sign();
    paidServer.cutPaid = true;
    await expect(pay(signed)).rejects.toThrow();
    paidServer.cutPaid = false;
    clock.advance(10 * 60_000);
    expect((await pay(signed)).body.error).toBe('authorization_used');
    await paidServer.paywall.reconciler.run();
    expect(await state()).toMatchObject({
      state: 'settled',
      deliveredAt: undefined,
      storedBytes: 0,
      dueAt: undefined,
    });
  });

  it('outlives the authorization itself, and a connection that breaks again', async () => {
    const signed = await sign();
    paidServer.cutPaid = true;
    await expect(pay(signed)).rejects.toThrow();
    clock.advance(120_000);
    await expect(pay(signed)).rejects.toThrow();
    paidServer.cutPaid = false;
    expect((await pay(signed)).body).toMatchObject({ product: 1 });
    expect(facilitator.settled).toHaveLength(1);
  });
});

describe('an answer that was handed out again because the first took too long', () => {
  const present = (signed: SignedAuthorization): Promise<PaywallReply> =>
    paidServer.paywall.pay(
      routeOf(paidServer.routes, 'perp-basis'),
      {
        method: 'GET',
        resource: BASIS,
        paymentSignature: encodeHeader(v2Payload(paidServer.seller, signed)),
        address: '127.0.0.1',
      },
      { check: () => undefined, produce: () => ok({ status: 200, headers: {}, body: Buffer.from('{}') }) },
    );

  it('is not handed out a third time when the first is lost', async () => {
    const signed = await sign();
    const first = await present(signed);
    clock.advance(60_000);
    const second = await present(signed);
    expect([first.status, second.status]).toEqual([200, 200]);
    first.sent?.(false);
    await until(() => expect(paidServer.paywall.inFlight).toBe(0));
    expect((await present(signed)).status).toBe(409);
    second.sent?.(true);
    await delivered();
  });
});

describe('the store of answers', () => {
  it('full: refused before verify; after a delivery: room again', async () => {
    await reopen({ limits: { maxAnswerBytes: 1_500, reserveBytes: 1_000 } });
    const settling = deferred<SettleOutcome>();
    facilitator.settleWith = [settling.promise, { kind: 'settled', transaction: TRANSACTION }];
    const produced = {
      ok: true,
      value: { status: 200, headers: {}, body: Buffer.from(`{"pad":"${'x'.repeat(900)}"}`) },
    } as const;
    paidServer.produce = () => produced;
    const first = pay(await sign());
    await until(async () => expect((await state())?.state).toBe('settling'));
    const full = await pay(await sign());
    expect([full.status, full.body.code]).toEqual([503, 'answer_store_full']);
    expect(facilitator.verified).toHaveLength(1);
    settling.resolve({ kind: 'settled', transaction: TRANSACTION });
    expect((await first).status).toBe(200);
    await delivered();
    expect((await pay(await sign())).status).toBe(200);
  });

  it('refuses an answer that does not fit before it is settled', async () => {
    await reopen({ limits: { maxAnswerBytes: 1_500, reserveBytes: 100 } });
    paidServer.produce = () => ({
      ok: true,
      value: { status: 200, headers: {}, body: Buffer.alloc(2_000, 0x20) },
    });
    const answer = await pay(await sign());
    expect([answer.status, answer.body.code]).toEqual([503, 'answer_store_full']);
    expect(facilitator.settled).toHaveLength(0);
    expect(await paidServer.ledger.list({ limit: 10 })).toEqual([]);
  });
});
