import { describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import type { SettleOutcome } from '../../src/pay/facilitator.ts';
import { formerPaymentIdHash, paymentKey, resourceHash } from '../../src/pay/payment.ts';
import { EXACT_FORMAT } from '../../src/pay/schemes/exact/format.ts';
import { DAY_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { until } from '../until.ts';
import { deferred, TRANSACTION } from './fakes.ts';
import { claimOf } from './ledger-claims.ts';
import {
  type Answer,
  BASIS,
  buyer,
  clock,
  delivered,
  facilitator,
  ID,
  paidServer,
  pay,
  SETTLED,
  sign,
  state,
  TIMEOUT,
  useSale,
} from './outcomes-rig.ts';
import { newAccount, paymentOf, type SignedAuthorization, signAuthorization } from './wallet.ts';

useSale();

const ETH = '/v1/perp/basis?ticker=ETH';

/** A purchase as common clients repeat it: under its identifier, with a signature of its own. */
const buy = async (path?: string): Promise<Answer> => pay(await sign(), ID, path);

/** The first answer is lost on its way. */
async function lose(): Promise<void> {
  paidServer.cutPaid = true;
  await expect(buy()).rejects.toThrow();
  paidServer.cutPaid = false;
}

/** Counts of requests about payments. */
const asked = (): readonly [verified: number, settled: number] => [
  facilitator.verified.length,
  facilitator.settled.length,
];

describe('a purchase that is signed for again under its identifier', () => {
  it('lost answer: the same bytes and receipts, nothing asked or charged', async () => {
    await lose();
    const again = await buy();
    expect([again.status, again.body.product]).toEqual([200, 1]);
    await delivered();
    const third = await buy();
    expect(third.text).toBe(again.text);
    expect(third.headers.get('payment-response')).toBe(again.headers.get('payment-response'));
    expect(third.headers.get('x-payment-response')).toBe(again.headers.get('x-payment-response'));
    expect([paidServer.produced, asked()]).toEqual([1, [1, 1]]);
    expect(await paidServer.ledger.list({ limit: 10 })).toHaveLength(1);
  });

  it('ten at once, each signed anew: one is charged, all get its bytes', async () => {
    const texts = await Promise.all(Array.from({ length: 10 }, async () => (await buy()).text));
    expect(new Set(texts).size).toBe(1);
    expect([paidServer.produced, asked()]).toEqual([1, [1, 1]]);
  });

  it('while the first settles: it waits, and another request conflicts', async () => {
    const settling = deferred<SettleOutcome>();
    facilitator.settleWith = [settling.promise];
    const first = buy();
    await until(async () => expect((await state())?.state).toBe('settling'));
    expect((await buy(ETH)).body.code).toBe('identifier_used');
    const second = buy();
    settling.resolve(SETTLED);
    expect((await second).text).toBe((await first).text);
    expect(asked()).toEqual([1, 1]);
  });

  it('another request: identifier_used, and nothing is charged', async () => {
    await buy();
    const other = await buy(ETH);
    expect([other.status, other.body.code]).toEqual([409, 'identifier_used']);
    expect(other.headers.get('payment-required')).toBeNull();
    expect(asked()).toEqual([1, 1]);
  });

  it('answer no longer kept: already_paid with transaction and time', async () => {
    const paidAt = new Date(clock.now()).toISOString();
    await buy();
    await delivered();
    clock.advance(10 * MINUTE_MS);
    await paidServer.paywall.reconciler.run();
    const signed = await signLater();
    const again = await pay(signed, ID);
    expect([again.status, again.body]).toMatchObject([
      409,
      { code: 'already_paid', transaction: TRANSACTION, paid_at: paidAt },
    ]);
    expect(again.headers.get('payment-required')).toBeNull();
    expect((await pay(signed, ID, ETH)).body.code).toBe('identifier_used');
    expect(asked()).toEqual([1, 1]);
  });

  it('after 24 hours: the identifier is free, also for another request', async () => {
    await buy();
    await delivered();
    clock.advance(DAY_MS - 1);
    expect((await pay(await signLater(), ID)).body.code).toBe('already_paid');
    clock.advance(1);
    const fresh = await pay(await signLater(), ID, ETH);
    expect([fresh.status, fresh.body.product]).toEqual([200, 2]);
    expect((await pay(await signLater(), ID)).body.code).toBe('identifier_used');
  });

  it('unknown outcome: settlement_unknown until it is found, then the answer', async () => {
    facilitator.settleWith = [TIMEOUT, TIMEOUT, SETTLED];
    expect((await buy()).body.code).toBe('settlement_unknown');
    expect((await buy()).body.code).toBe('settlement_unknown');
    expect((await buy(ETH)).body.code).toBe('identifier_used');
    clock.advance(2_000);
    expect((await buy()).body.product).toBe(1);
    expect([paidServer.produced, facilitator.verified.length]).toEqual([1, 1]);
  });

  it.each([
    ['refused at settling', () => facilitator.settleWith.unshift(REFUSED), 402],
    ['invalid', () => facilitator.verifyWith.unshift({ kind: 'invalid', reason: 'insufficient_funds' }), 402],
    ['unsent', () => facilitator.settleWith.unshift({ kind: 'unsent', reason: 'ECONNREFUSED' }), 503],
  ] as const)('first %s: the identifier is free for a fresh payment', async (_, fail, status) => {
    fail();
    expect((await buy()).status).toBe(status);
    const fresh = await buy();
    expect([fresh.status, fresh.headers.get('payment-response')]).toEqual([200, expect.any(String)]);
    expect((await buy()).text).toBe(fresh.text);
  });

  it('a query that cannot be sold: nothing stands under the identifier', async () => {
    paidServer.check = () => ({ code: 'unknown_ticker', detail: 'no' });
    expect((await buy()).status).toBe(404);
    paidServer.check = undefined;
    expect((await buy(ETH)).status).toBe(200);
  });

  it('found again though its query could not be sold now', async () => {
    await lose();
    paidServer.check = () => ({ code: 'unknown_ticker', detail: 'no' });
    expect((await buy()).body.product).toBe(1);
  });

  it('five wrong ids of somebody who has seen it: its payer still has it', async () => {
    const signed = await sign();
    const { text } = await pay(signed, ID);
    await delivered();
    for (let i = 0; i < 5; i++) await pay(signed, { 'Idempotency-Key': `guess-${i}-0123456789abc` });
    expect((await buy()).text).toBe(text);
    expect(asked()).toEqual([1, 1]);
  });
});

describe('the same identifier of somebody else', () => {
  const bySomebody = (): Promise<SignedAuthorization> =>
    signAuthorization(newAccount(), paidServer.seller, { value: '5000' });
  /** Names the buyer, whose key did not sign it. */
  const forged = (): Promise<SignedAuthorization> =>
    signAuthorization(newAccount(), paidServer.seller, { value: '5000', from: buyer.address });

  it('another payer: a purchase of its own', async () => {
    const mine = await buy();
    const other = await pay(await bySomebody(), ID, ETH);
    expect([other.status, other.body.product]).toEqual([200, 2]);
    expect((await buy()).text).toBe(mine.text);
  });

  it.each([
    ['the same request', BASIS],
    ['another', ETH],
  ])('a forged payer, %s: learns nothing of the purchase', async (_, path) => {
    facilitator.verifyWith = [{ kind: 'invalid', reason: 'invalid_signature' }];
    const before = await pay(await forged(), ID, path);
    facilitator.verifyWith = [{ kind: 'valid' }];
    await buy();
    await delivered();
    facilitator.verifyWith = [{ kind: 'invalid', reason: 'invalid_signature' }];
    const after = await pay(await forged(), ID, path);
    expect([after.status, after.body.error]).toEqual([402, 'invalid_signature']);
    expect(after.text.length).toBe(before.text.length);
    expect(after.body).toEqual(before.body);
    expect(facilitator.settled).toHaveLength(1);
  });

  it('a contract wallet, whom only the chain can prove: it gets its answer', async () => {
    const first = await pay(await forged(), ID);
    expect([first.status, asked()]).toEqual([200, [1, 1]]);
    await delivered();
    const again = await pay(await forged(), ID);
    expect(again.text).toBe(first.text);
    expect(asked()).toEqual([2, 1]);
  });

  it('a forged payer while nobody can be asked: learns nothing', async () => {
    await buy();
    facilitator.verifyWith = [{ kind: 'unavailable', reason: 'TimeoutError' }];
    expect((await pay(await forged(), ID)).body.code).toBe('facilitator_unavailable');
  });
});

describe('a payment of a build whose identifiers were of one authorization', () => {
  it('presented again with its identifier: its answer', async () => {
    const signed = await sign();
    const { payer, nonce, signed: kept } = paymentOf(signed);
    const { network, asset } = paidServer.seller;
    const claim = await paidServer.ledger.claim({
      ...claimOf('x'),
      signed: kept,
      payer,
      nonce,
      overAt: EXACT_FORMAT.overAt(kept),
      key: paymentKey(network.id, asset, { payer, nonce }),
      resource: BASIS,
      resourceHash: resourceHash('GET', BASIS),
      paymentIdHash: formerPaymentIdHash(ID['Idempotency-Key'], { payer, nonce }),
    });
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    const body = Buffer.from('{"product":"of before"}');
    const held = await paidServer.ledger.hold(
      claim.record,
      { state: 'delivered', answerUntil: asMs(clock.now() + 1) },
      { status: 200, headers: {}, body },
    );
    expect(held).toMatchObject({ state: 'delivered' });
    expect((await pay(signed, ID)).body.product).toBe('of before');
  });
});

const REFUSED: SettleOutcome = { kind: 'refused', reason: 'insufficient_funds', transaction: undefined };

/** Signed by the clock of the test, which went ahead. */
function signLater(): Promise<SignedAuthorization> {
  const validBefore = String(Math.floor(clock.now() / 1000) + 60);
  return signAuthorization(buyer, paidServer.seller, { value: '5000', validBefore });
}
