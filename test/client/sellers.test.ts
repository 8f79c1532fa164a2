import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ANSWER,
  broken,
  careful,
  challenge,
  json,
  PATH,
  problem,
  type Seller,
  sold,
  startSeller,
  terms,
} from './seller.ts';

const OTHER = `0x${'c'.repeat(40)}`;
let seller: Seller;
beforeEach(async () => {
  seller = await startSeller();
});
afterEach(() => seller.stop());

const ask = ({ client }: ReturnType<typeof careful>, signal?: AbortSignal) =>
  client.perpBasis({ ticker: 'BTC' }, { signal });

describe('a seller who asks for other terms than agreed', () => {
  it.each([
    ['raises the price above the catalog’s', { amount: '6000' }, {}, { code: 'not_as_listed' }],
    [
      'raises both above the cap of a call',
      { amount: '10001' },
      { amount: '10001' },
      { code: 'over_budget', cap: 'call', leftUsd: '0.01' },
    ],
    ['changes the receiver in the 402', { payTo: OTHER }, {}, { code: 'not_as_listed' }],
    [
      'changes the receiver everywhere',
      { payTo: OTHER },
      { payTo: OTHER },
      { code: 'not_allowed', term: 'receiver' },
    ],
    ['asks for another token', { asset: OTHER }, { asset: OTHER }, { code: 'not_allowed', term: 'asset' }],
    ['asks on another network', { network: 'eip155:1' }, {}, { code: 'not_allowed', term: 'network' }],
    ['asks for what is no amount', { amount: '-5000' }, {}, { code: 'unreadable_challenge' }],
    ['asks in a list of one network', { network: ['eip155:8453'] }, {}, { code: 'unreadable_challenge' }],
    ['asks for a list of one amount', { amount: ['5000'] }, {}, { code: 'unreadable_challenge' }],
    ['asks for a list of one token', { asset: [terms().asset] }, {}, { code: 'unreadable_challenge' }],
    ['names a list of one receiver', { payTo: [OTHER] }, {}, { code: 'unreadable_challenge' }],
    ['asks in another scheme', { scheme: 'upto' }, {}, { code: 'unreadable_challenge' }],
  ])('and %s gets no signature', async (_, asked, listed, expected) => {
    const receivers = [...(expected.code === 'not_allowed' ? [terms().payTo] : [])];
    const buyer = careful(seller.url, receivers.length > 0 ? { allow: { receivers } } : {});
    seller.unpaid = challenge(asked);
    seller.listed = terms(listed);
    expect(await ask(buyer)).toMatchObject({ ok: false, problem: { ...expected, charged: false } });
    expect([buyer.signed, seller.presented, buyer.client.spentUsd()]).toEqual([[], [], '0']);
  });

  it('gets no signature above what the call allows', async () => {
    const buyer = careful(seller.url);
    const result = await buyer.client.perpBasis({ ticker: 'BTC' }, { maxUsd: '0.004' });
    expect([result, buyer.signed]).toMatchObject([
      { problem: { code: 'over_budget', leftUsd: '0.004' } },
      [],
    ]);
  });

  it('gets no authorization that outlives ten minutes', async () => {
    seller.unpaid = challenge({ maxTimeoutSeconds: 999_999_999 });
    const buyer = careful(seller.url, { now: () => 1_000_000 });
    await ask(buyer);
    expect(buyer.signed).toMatchObject([{ value: '5000', validBefore: '1600' }]);
  });
});

describe('a seller whose price changed', () => {
  it('sells at the new one when the catalog says so, too', async () => {
    const buyer = careful(seller.url);
    expect(await ask(buyer)).toMatchObject({ ok: true });
    seller.unpaid = challenge({ amount: '6000' });
    seller.listed = terms({ amount: '6000' });
    expect(await ask(buyer)).toMatchObject({ ok: true, data: ANSWER });
    expect(buyer.client.spentUsd()).toBe('0.011');
  });
});

describe('a seller who takes the payment', () => {
  /** That one authorization was presented, always with the same payment identifier. */
  const expectOnePayment = ({ signed }: ReturnType<typeof careful>, times: number) => {
    expect(signed).toHaveLength(1);
    expect(seller.presented).toHaveLength(times);
    expect(new Set(seller.presented.map((payment) => JSON.stringify(payment))).size).toBe(1);
    expect(seller.presented[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  };

  it('and breaks the connection gets the same payment again', async () => {
    seller.paid = [broken, broken, sold];
    const buyer = careful(seller.url);
    expect(await ask(buyer)).toMatchObject({ ok: true, data: ANSWER, receipt: { transaction: '0x1' } });
    expectOnePayment(buyer, 3);
  });

  it('and an unknown outcome: the same payment again, also later', async () => {
    seller.paid = [problem(503, 'settlement_unknown', '3')];
    const buyer = careful(seller.url);
    expect(await ask(buyer)).toMatchObject({
      problem: { code: 'settlement_unknown', charged: null, retryAfterSeconds: 3 },
    });
    expect(buyer.waits).toEqual(Array(5).fill(3000));
    expect(buyer.client.isOpen(`${PATH}?ticker=BTC`)).toBe(true);
    seller.paid = [sold];
    expect(await ask(buyer)).toMatchObject({ ok: true, data: ANSWER });
    expectOnePayment(buyer, 7);
    expect(buyer.client.spentUsd()).toBe('0.005');
  });

  it('and has sold it too long ago: the payment ends as taken', async () => {
    seller.paid = [broken, problem(409, 'already_paid')];
    const buyer = careful(seller.url, { trustRefusals: true });
    expect(await ask(buyer)).toMatchObject({
      problem: { code: 'payment_refused', reason: 'already_paid', charged: null },
    });
    expectOnePayment(buyer, 2);
    expect([buyer.client.isOpen(`${PATH}?ticker=BTC`), buyer.client.spentUsd()]).toEqual([false, '0.005']);
    seller.paid = [sold];
    expect(await ask(buyer)).toMatchObject({ ok: true });
    expect(buyer.signed).toHaveLength(2);
  });

  it('and has given the outcome up: it ends once it cannot be used', async () => {
    let at = 1_000_000;
    seller.paid = [problem(503, 'settlement_unknown', '3600')];
    const buyer = careful(seller.url, { now: () => at, trustRefusals: true });
    await ask(buyer);
    at += 60_000;
    expect(await ask(buyer)).toMatchObject({ problem: { code: 'settlement_unknown', charged: null } });
    expect(buyer.client.isOpen(`${PATH}?ticker=BTC`)).toBe(true);
    at += 1;
    expect(await ask(buyer)).toMatchObject({
      problem: { code: 'payment_refused', reason: 'settlement_unknown', charged: null },
    });
    expectOnePayment(buyer, 3);
    expect([buyer.client.isOpen(`${PATH}?ticker=BTC`), buyer.client.spentUsd()]).toEqual([false, '0.005']);
    seller.paid = [sold];
    expect(await ask(buyer)).toMatchObject({ ok: true });
    expect(buyer.signed).toHaveLength(2);
  });

  it('for a purchase with a name: it gets the name with each signature', async () => {
    const name = 'order-0123456789abcdef';
    for (const buyer of [careful(seller.url), careful(seller.url)]) {
      await buyer.client.perpBasis({ ticker: 'BTC' }, { paymentId: name });
    }
    expect(seller.presented.map(({ key }) => key)).toEqual([name, name]);
  });

  it('and asks for a long wait ends the call at once', async () => {
    seller.paid = [problem(503, 'settlement_unknown', '3600')];
    const buyer = careful(seller.url);
    expect(await ask(buyer)).toMatchObject({ problem: { retryAfterSeconds: 3600 } });
    expectOnePayment(buyer, 1);
  });

  it('and a failing proxy: the same payment again, and none back', async () => {
    seller.paid = [json(502, 'bad gateway'), problem(429, 'rate_limited', '1')];
    const buyer = careful(seller.url, { trustRefusals: true });
    expect(await ask(buyer)).toMatchObject({ problem: { code: 'outcome_unknown', charged: null } });
    expectOnePayment(buyer, 6);
    expect(buyer.client.spentUsd()).toBe('0.005');
  });

  it('of equal calls with unknown outcomes: each payment again', async () => {
    seller.paid = [problem(503, 'settlement_unknown', '3600')];
    const buyer = careful(seller.url);
    const path = `${PATH}?ticker=BTC`;
    await Promise.all([ask(buyer), ask(buyer)]);
    const first = seller.presented.splice(0);
    expect([buyer.signed.length, new Set(first.map(({ payment }) => payment)).size]).toEqual([2, 2]);
    seller.paid = [sold];
    expect(await ask(buyer)).toMatchObject({ ok: true });
    expect(buyer.client.isOpen(path)).toBe(true);
    expect(await ask(buyer)).toMatchObject({ ok: true });
    expect(buyer.client.isOpen(path)).toBe(false);
    const inOrder = (all: typeof first) => all.map((payment) => JSON.stringify(payment)).sort();
    expect(inOrder(seller.presented)).toEqual(inOrder(first));
    expect([buyer.signed.length, buyer.client.spentUsd()]).toEqual([2, '0.01']);
  });

  it('while the caller gives up gets the same payment by the next call', async () => {
    const stop = new AbortController();
    seller.paid = [() => stop.abort(), sold];
    const buyer = careful(seller.url);
    expect(await ask(buyer, stop.signal)).toMatchObject({ problem: { code: 'aborted', charged: null } });
    expect(await ask(buyer)).toMatchObject({ ok: true });
    expectOnePayment(buyer, 2);
  });

  it('while the caller gives up and asks again at once gets the same payment', async () => {
    const stop = new AbortController();
    const buyer = careful(seller.url);
    let again: ReturnType<typeof ask> | undefined;
    seller.paid = [
      () => {
        stop.abort();
        again = ask(buyer);
      },
      sold,
    ];
    expect(await ask(buyer, stop.signal)).toMatchObject({ problem: { code: 'aborted', charged: null } });
    expect(await again).toMatchObject({ ok: true });
    expectOnePayment(buyer, 2);
    expect(buyer.client.openPayment(`${PATH}?ticker=BTC`)).toBeUndefined();
  });

  it('an open payment to be presented elsewhere: kept until it ends', async () => {
    seller.paid = [problem(503, 'settlement_unknown', '3600')];
    const buyer = careful(seller.url, { now: () => 1_000_000 });
    const path = `${PATH}?ticker=BTC`;
    expect(buyer.client.openPayment(path)).toBeUndefined();
    await ask(buyer);
    const open = buyer.client.openPayment(path);
    expect(open?.validBefore).toEqual(new Date(1_060_000));
    await fetch(seller.url + path, { headers: { ...open?.headers } });
    expectOnePayment(buyer, 2);
  });
});

describe('a seller who answers 402 for ever', () => {
  it('is given one payment a call, and never more than the caps', async () => {
    seller.paid = [challenge({}, 'invalid_signature')];
    const buyer = careful(seller.url);
    const codes = [];
    for (let call = 0; call < 6; call++) {
      const result = await ask(buyer);
      codes.push(result.ok ? 'ok' : result.problem.code);
    }
    expect(codes).toEqual([...Array(4).fill('payment_refused'), 'over_budget', 'over_budget']);
    expect([buyer.signed.length, seller.presented.length]).toEqual([4, 4]);
  });

  it('trusted refusals: nothing charged, but for a used payment', async () => {
    const buyer = careful(seller.url, { trustRefusals: true });
    seller.paid = [challenge({}, 'invalid_signature'), challenge({}, 'authorization_used')];
    expect(await ask(buyer)).toMatchObject({ problem: { reason: 'invalid_signature', charged: false } });
    expect(buyer.client.spentUsd()).toBe('0');
    expect(await ask(buyer)).toMatchObject({ problem: { reason: 'authorization_used', charged: null } });
    expect(buyer.client.spentUsd()).toBe('0.005');
  });
});

describe('a seller who points to another host', () => {
  it.each([['before', false], ['after']])('%s it was paid is not followed', async (_, wasPaid = true) => {
    const other = await startSeller();
    const away = json(307, '', { location: `${other.url}${PATH}` });
    if (wasPaid) seller.paid = [away];
    else seller.unpaid = away;
    other.unpaid = sold;
    const buyer = careful(seller.url);
    expect(await ask(buyer)).toMatchObject({
      problem: { code: 'redirected', charged: wasPaid ? null : false },
    });
    expect([other.presented, buyer.signed.length]).toEqual([[], wasPaid ? 1 : 0]);
    await other.stop();
  });
});

describe('a request without a payment', () => {
  it('is repeated when it may pass, after as long as is asked', async () => {
    const replies = [problem(503, 'not_ready', '7'), broken, json(200, ANSWER)];
    seller.unpaid = (request, response) => replies.shift()?.(request, response);
    const buyer = careful(seller.url);
    expect(await ask(buyer)).toMatchObject({ ok: true, receipt: undefined });
    expect(buyer.waits).toEqual([7000, 1000]);
  });

  it.each([
    ['is no JSON', json(200, undefined), { code: 'unreadable' }],
    ['is an error of somebody else', json(403, { code: 'forbidden' }), { code: 'unreadable' }],
    ['is an error of this interface under another status', problem(418, 'no_data'), { code: 'unreadable' }],
    ['never comes', broken, { code: 'unreachable' }],
  ])('whose answer %s has that as its problem', async (_, reply, expected) => {
    seller.unpaid = reply;
    expect(await ask(careful(seller.url))).toMatchObject({ problem: { ...expected, charged: false } });
  });
});

describe('a wallet that does not sign', () => {
  it.each([
    [
      'because its owner refuses',
      { signer: { address: OTHER, signTypedData: () => Promise.reject({ message: 'no' }) } },
    ],
    [
      'because the store cannot write',
      { store: { load: async () => [], save: () => Promise.reject(new Error('no')) } },
    ],
    [
      'because the store cannot be read',
      { store: { load: () => Promise.reject(new Error('no')), save: async () => {} } },
    ],
  ])('%s spends nothing', async (_, wallet) => {
    const buyer = careful(seller.url, wallet);
    expect(await ask(buyer)).toMatchObject({ problem: { code: 'not_signed', detail: 'Not signed: no' } });
    expect([seller.presented, buyer.client.spentUsd()]).toEqual([[], '0']);
  });
});
