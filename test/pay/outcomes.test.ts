import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SettleOutcome } from '../../src/pay/facilitator.ts';
import type { LedgerLimits } from '../../src/pay/ledger.ts';
import type { SettlementProof } from '../../src/pay/proof.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import { until } from '../until.ts';
import {
  deferred,
  type FakeClock,
  type FakeFacilitator,
  fakeClock,
  fakeFacilitator,
  fakeProof,
  TRANSACTION,
} from './fakes.ts';
import { type PaidServer, startPaidServer } from './paid-server.ts';
import {
  encodeHeader,
  newAccount,
  type SignedAuthorization,
  signAuthorization,
  v2Payload,
} from './wallet.ts';

const buyer = newAccount();
const PAYEE = newAccount().address;
const BASIS = '/v1/perp/basis?ticker=BTC';
const ID = { 'Idempotency-Key': 'order-0123456789abcdef' };
const TIMEOUT: SettleOutcome = {
  kind: 'unknown',
  reason: 'TimeoutError',
  pending: false,
  transaction: undefined,
};
const PENDING: SettleOutcome = {
  kind: 'unknown',
  reason: 'settlement_pending',
  pending: true,
  transaction: TRANSACTION,
};

const BAD_GATEWAY: SettleOutcome = {
  kind: 'unknown',
  reason: 'status_502',
  pending: false,
  failed: true,
  transaction: undefined,
};
const SETTLED: SettleOutcome = { kind: 'settled', transaction: TRANSACTION };

let clock: FakeClock;
let facilitator: FakeFacilitator;
let paidServer: PaidServer;

async function open(options: { proof?: SettlementProof; limits?: LedgerLimits } = {}): Promise<void> {
  clock = fakeClock();
  facilitator = fakeFacilitator();
  paidServer = await startPaidServer({ facilitator, payTo: PAYEE, clock, ...options });
}

beforeEach(() => open());
afterEach(() => paidServer.stop());

async function reopen(options: Parameters<typeof open>[0]): Promise<void> {
  await paidServer.stop();
  await open(options);
}

const sign = (): Promise<SignedAuthorization> =>
  signAuthorization(buyer, paidServer.seller, { value: '5000' });

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

async function pay(
  signed: SignedAuthorization,
  more: Record<string, string> = {},
  path = BASIS,
): Promise<Answer> {
  const headers = { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(paidServer.seller, signed)), ...more };
  const response = await fetch(paidServer.url + path, { headers });
  const text = await response.text();
  return {
    status: response.status,
    text,
    body: JSON.parse(text) as Record<string, unknown>,
    headers: response.headers,
  };
}

const state = async (): Promise<PaymentRecord | undefined> => (await paidServer.ledger.list({ limit: 1 }))[0];
const delivered = (): Promise<void> => until(async () => expect((await state())?.state).toBe('delivered'));

function expectUnknown(answer: Answer): void {
  expect([answer.status, answer.body.code]).toEqual([503, 'settlement_unknown']);
  expect(answer.headers.get('payment-required')).toBeNull();
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.text).not.toContain('product');
}

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

  it('answer 400 where unreadable and 402 where the terms differ', async () => {
    const signed = await signAuthorization(buyer, paidServer.seller, { value: '4999' });
    const wrong = { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(paidServer.seller, signed)) };
    for (const [headers, status] of [
      [RUBBISH, 400],
      [{ 'PAYMENT-SIGNATURE': encodeHeader({ x402Version: 2 }) }, 400],
      [wrong, 402],
    ] as const) {
      const answer = await ask(headers);
      expect([answer.status, answer.headers.has('payment-required')]).toEqual([status, true]);
    }
    expect(facilitator.verified).toHaveLength(0);
  });

  it('keep the status 402 where the facilitator gives the same reason', async () => {
    await ask({ 'PAYMENT-SIGNATURE': encodeHeader({ x402Version: 2 }) });
    facilitator.verifyWith = [{ kind: 'invalid', reason: 'invalid_payload' }];
    const answer = await pay(await sign());
    expect([answer.status, answer.body.error]).toEqual([402, 'invalid_payload']);
  });

  it('are rate-limited by client address, valid ones are not', async () => {
    for (let i = 0; i < 60; i++) expect((await ask(RUBBISH)).status).toBe(400);
    const limited = await ask(RUBBISH);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
    const signed = await signAuthorization(buyer, paidServer.seller, { value: '4999' });
    expect((await pay(signed)).status).toBe(429);
    expect((await ask({ ...RUBBISH, 'x-test-address': '192.0.2.1' })).status).toBe(400);
    expect((await ask({})).status).toBe(402);
    expect((await pay(await sign())).status).toBe(200);
    clock.advance(1_000);
    expect((await ask(RUBBISH)).status).toBe(400);
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
  it('never answers a new challenge, and returns the stored answer once settled', async () => {
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

  it('is examined when the buyer repeats the payment, before the reconciler runs', async () => {
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

  it('ends as refused when the chain says that the authorization expired unused', async () => {
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

  it('is closed as unknown ten minutes after expiry without chain access, never as refused', async () => {
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

describe('a facilitator that fails at settle', () => {
  /** The chain, on which the money has moved when the facilitator has said so: it then has one answer left. */
  const chainOf = (fake: () => FakeFacilitator): SettlementProof => ({
    prove: async () =>
      fake().settleWith.length === 1 && fake().settleWith[0] === SETTLED
        ? { kind: 'settled', transaction: TRANSACTION }
        : { kind: 'unused', chainTime: Math.floor(clock.now() / 1000) },
  });
  const alwaysFailing = async (proof?: SettlementProof): Promise<SignedAuthorization> => {
    await reopen(proof === undefined ? {} : { proof });
    facilitator.settleWith = [BAD_GATEWAY];
    const signed = await sign();
    expectUnknown(await pay(signed));
    expect(facilitator.settled).toHaveLength(5);
    return signed;
  };

  it.each([1, 2, 4])(
    '%i times is asked again with the identical payload while the buyer waits',
    async (n) => {
      facilitator.settleWith = [...Array.from({ length: n }, () => BAD_GATEWAY), SETTLED];
      const answer = await pay(await sign());
      expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ product: 1 })]);
      expect(facilitator.settled).toHaveLength(n + 1);
      for (const request of facilitator.settled) expect(request).toEqual(facilitator.settled[0]);
    },
  );

  it('is asked again over an outage longer than that, when the chain has not seen the payment', async () => {
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

  it('and then refuses is not trusted, since an earlier attempt may have settled', async () => {
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
  it('is settled once more with the identical payload', async () => {
    facilitator.settleWith = [PENDING, { kind: 'settled', transaction: TRANSACTION }];
    expect((await pay(await sign())).status).toBe(200);
    expect(facilitator.settled).toHaveLength(2);
    expect(facilitator.settled[0]).toEqual(facilitator.settled[1]);
  });

  it('that stays pending is unknown, also when the second call is refused for it', async () => {
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

describe('the private id', () => {
  it('redelivers a delivered answer for the same request only', async () => {
    const signed = await sign();
    const first = await pay(signed, ID);
    await delivered();
    const again = await pay(signed, ID);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
    expect((await pay(signed)).body.error).toBe('authorization_used');
    const other = await pay(signed, ID, '/v1/perp/basis?ticker=ETH');
    expect([other.status, other.body.code]).toEqual([409, 'payment_id_conflict']);
    expect(paidServer.produced).toBe(1);
    clock.advance(10 * 60_000);
    expect((await pay(signed, ID)).body.error).toBe('authorization_used');
    await paidServer.paywall.reconciler.run();
    expect(await state()).toMatchObject({ storedBytes: 0, dueAt: undefined });
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
    expect((await pay(signed, ID, '/v1/perp/basis?ticker=ETH')).body.code).toBe('payment_id_conflict');
    const second = pay(signed, ID);
    settling.resolve({ kind: 'settled', transaction: TRANSACTION });
    expect((await second).text).toBe((await first).text);
    expect(paidServer.produced).toBe(1);
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

describe('the store of answers', () => {
  it('refuses new payments before verify when it is full, and has room again after a delivery', async () => {
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
});
