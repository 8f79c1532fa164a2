import { describe, expect, it } from 'vitest';
import type { VerifyOutcome } from '../../src/pay/facilitator.ts';
import { until } from '../until.ts';
import { deferred, fakeProof, TRANSACTION } from './fakes.ts';
import {
  BASIS,
  buyer,
  clock,
  delivered,
  expectUnknown,
  facilitator,
  paidServer,
  pay,
  reopen,
  sign,
  state,
  TIMEOUT,
  useSale,
} from './outcomes-rig.ts';
import { encodeHeader, signAuthorization, v2Payload } from './wallet.ts';

useSale();

describe('the request to the facilitator', () => {
  it('is strict x402 version 2 with our terms and the discovery extension', async () => {
    const signed = await sign();
    const echo = {
      resource: { url: `${paidServer.url}/v1/perp/basis`, description: 'bought elsewhere' },
      extensions: { evil: true },
    };
    const headers = { 'X-PAYMENT': encodeHeader(v2Payload(paidServer.seller, signed, echo)) };
    expect((await fetch(paidServer.url + BASIS, { headers })).status).toBe(200);
    expect(facilitator.settled).toEqual(facilitator.verified);
    expect(facilitator.settled[0]).toMatchObject({
      requirement: { scheme: 'exact', network: 'eip155:8453', amount: '5000', maxTimeoutSeconds: 60 },
      resource: { url: `${paidServer.url}/v1/perp/basis`, serviceName: 'Perpmeter' },
      bazaar: { info: { input: { type: 'http', method: 'GET' } } },
    });
    expect(JSON.stringify(facilitator.settled)).not.toMatch(/evil|elsewhere/);
  });
});

describe('invalid payments', () => {
  const RUBBISH = { 'PAYMENT-SIGNATURE': 'rubbish!' };
  const ask = async (headers: Record<string, string>): Promise<Response> => {
    const response = await fetch(paidServer.url + BASIS, { headers });
    await response.arrayBuffer();
    return response;
  };

  it('unreadable, incomplete or on other terms: 402 with the challenge', async () => {
    const signed = await signAuthorization(buyer, paidServer.seller, { value: '4999' });
    const wrong = { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(paidServer.seller, signed)) };
    const incomplete = { 'PAYMENT-SIGNATURE': encodeHeader({ x402Version: 2 }) };
    for (const headers of [RUBBISH, incomplete, wrong]) {
      const answer = await ask(headers);
      expect([answer.status, answer.headers.has('payment-required')]).toEqual([402, true]);
    }
    expect(facilitator.verified).toHaveLength(0);
  });

  it('are rate-limited by client address, valid ones are not', async () => {
    for (let i = 0; i < 60; i++) expect((await ask(RUBBISH)).status).toBe(402);
    const limited = await ask(RUBBISH);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
    const signed = await signAuthorization(buyer, paidServer.seller, { value: '4999' });
    expect((await pay(signed)).status).toBe(429);
    expect((await ask({ ...RUBBISH, 'x-test-address': '192.0.2.1' })).status).toBe(402);
    expect((await ask({})).status).toBe(402);
    expect((await pay(await sign())).status).toBe(200);
    clock.advance(1_000);
    expect((await ask(RUBBISH)).status).toBe(402);
  });
});

describe('payments that are found invalid', () => {
  it('too many at once: each waits, and all are counted', async () => {
    const verifying = deferred<VerifyOutcome>();
    facilitator.verifyWith = [verifying.promise];
    const attempts = Array.from({ length: 30 }, async () => pay(await sign()));
    await until(() => expect(facilitator.verified).toHaveLength(30));
    verifying.resolve({ kind: 'invalid', reason: 'insufficient_funds' });
    expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual(attempts.map(() => 402));
    const limited = await pay(await sign());
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '33']);
    expect(facilitator.verified).toHaveLength(30);
    expect((await pay(await sign(), { 'x-test-address': '192.0.2.1' })).status).toBe(402);
    clock.advance(33_000);
    expect((await pay(await sign())).status).toBe(402);
  });

  it('do not count good ones, however many come at once', async () => {
    const verifying = deferred<VerifyOutcome>();
    facilitator.verifyWith = [verifying.promise];
    const sales = Array.from({ length: 100 }, async () => pay(await sign()));
    await until(() => expect(facilitator.verified).toHaveLength(100));
    verifying.resolve({ kind: 'valid' });
    expect((await Promise.all(sales)).map(({ status }) => status)).toEqual(sales.map(() => 200));
  });
});

describe('a facilitator that cannot be reached', () => {
  it('at verify charges nothing and leaves the payment usable', async () => {
    facilitator.verifyWith = [{ kind: 'unavailable', reason: 'ECONNREFUSED' }, { kind: 'valid' }];
    const signed = await sign();
    const failed = await pay(signed);
    expect([failed.status, failed.body.code]).toEqual([503, 'facilitator_unavailable']);
    expect(failed.headers.get('retry-after')).toBe('5');
    expect(paidServer.produced).toBe(0);
    expect((await pay(signed)).status).toBe(200);
  });

  it('at settle charges nothing and leaves the payment usable', async () => {
    facilitator.settleWith = [
      { kind: 'unsent', reason: 'ECONNREFUSED' },
      { kind: 'settled', transaction: TRANSACTION },
    ];
    const signed = await sign();
    const failed = await pay(signed);
    expect([failed.status, failed.body.code]).toEqual([503, 'facilitator_unavailable']);
    expect(failed.text).not.toContain('product');
    expect((await pay(signed)).status).toBe(200);
  });
});

describe('an unknown settlement', () => {
  it('a new challenge: not answered, the stored answer once settled', async () => {
    facilitator.settleWith = [TIMEOUT];
    const signed = await sign();
    expectUnknown(await pay(signed));
    expectUnknown(await pay(signed));
    expectUnknown(await pay(signed, {}, '/v1/perp/carry?ticker=BTC'));
    expect((await state())?.state).toBe('unknown');

    facilitator.settleWith = [{ kind: 'settled', transaction: TRANSACTION }];
    clock.advance(60_000);
    expect(await paidServer.paywall.reconciler.run()).toBe(1);
    expect(await state()).toMatchObject({ state: 'settled', transaction: TRANSACTION, proof: 'facilitator' });
    expect(paidServer.closed).toHaveLength(1);
    expect((await pay(signed, {}, '/v1/perp/carry?ticker=BTC')).body.error).toBe('authorization_used');
    expect((await pay(signed)).body).toMatchObject({ product: 1 });
    await delivered();
    expect((await pay(signed)).body.error).toBe('authorization_used');
    expect(paidServer.produced).toBe(1);
  });

  it('repeated by the buyer: examined before the reconciler runs', async () => {
    const proof = fakeProof({ kind: 'unknown', reason: 'RpcError' });
    await reopen({ proof });
    facilitator.settleWith = [TIMEOUT];
    const signed = await sign();
    expectUnknown(await pay(signed));
    proof.result = { kind: 'settled', transaction: TRANSACTION };
    clock.advance(1_000);
    expect((await pay(signed)).body).toMatchObject({ product: 1 });
    expect(facilitator.settled).toHaveLength(1);
  });

  it('expired unused on the chain: ends as refused', async () => {
    const chainTime = Math.floor(Date.now() / 1000);
    const proof = fakeProof({ kind: 'unused', chainTime });
    await reopen({ proof });
    facilitator.settleWith = [TIMEOUT];
    const signed = await sign();
    expectUnknown(await pay(signed));
    clock.advance(70_000);
    await paidServer.paywall.reconciler.run();
    expect((await state())?.state).toBe('unknown');
    proof.result = { kind: 'unused', chainTime: Number(signed.authorization.validBefore) + 12 };
    clock.advance(70_000);
    await paidServer.paywall.reconciler.run();
    expect(await state()).toMatchObject({ state: 'refused', reason: 'authorization_unused', storedBytes: 0 });
    const again = await pay(signed);
    expect([again.status, again.body.error]).toEqual([402, 'authorization_unused']);
  });

  it('no chain for ten minutes after expiry: unknown, never refused', async () => {
    facilitator.settleWith = [TIMEOUT];
    const signed = await sign();
    expectUnknown(await pay(signed));
    facilitator.settleWith = [{ kind: 'refused', reason: 'insufficient_funds', transaction: undefined }];
    clock.advance(60_000);
    await paidServer.paywall.reconciler.run();
    expect((await state())?.state).toBe('unknown');
    clock.advance(11 * 60_000);
    await paidServer.paywall.reconciler.run();
    expect(await state()).toMatchObject({
      state: 'unknown',
      reason: 'unproven',
      dueAt: undefined,
      storedBytes: 0,
    });
    expect(paidServer.closed.map((record) => record.state)).toEqual(['unknown']);
    const again = await pay(signed);
    expectUnknown(again);
    expect(again.headers.get('retry-after')).toBe('3600');
    expect(await paidServer.paywall.reconciler.run()).toBe(0);
  });

  it('is examined with a growing pause, and at expiry at the latest', async () => {
    facilitator.settleWith = [TIMEOUT];
    const signed = await sign();
    await pay(signed);
    const pauses: number[] = [];
    for (let i = 0; i < 5; i++) {
      const due = (await state())?.dueAt ?? 0;
      pauses.push(due - clock.now());
      clock.advance(due - clock.now());
      expect(await paidServer.paywall.reconciler.run()).toBe(1);
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
    expect((await state())?.dueAt).toBe((Number(signed.authorization.validBefore) + 13) * 1000);
    clock.advance(60_000);
    expect(await paidServer.paywall.reconciler.run()).toBe(1);
    expect(((await state())?.dueAt ?? 0) - clock.now()).toBe(60_000);
  });
});
