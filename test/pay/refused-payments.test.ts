import { describe, expect, it } from 'vitest';
import { BASIS, chain, get, paidServer, pay, settleCalls, sign, unpaid, useChain } from './settlement-rig.ts';
import { encodeHeader, newAccount, type signAuthorization, v1Payload, v2Payload } from './wallet.ts';

useChain();

describe('refused before any money moves', () => {
  const thirdParty = newAccount();
  const now = (): number => Math.floor(Date.now() / 1000);
  it.each<[string, Parameters<typeof signAuthorization>[2], string]>([
    ['one unit too little', { value: '4999' }, 'invalid_amount'],
    ['one unit too much', { value: '5001' }, 'invalid_amount'],
    ['the price of another route', { value: '1000' }, 'invalid_amount'],
    ['another payee', { to: thirdParty.address }, 'invalid_recipient'],
    ['expired', { validBefore: String(now() - 1) }, 'authorization_expired'],
    ['too little time left', { validBefore: String(now() + 3) }, 'authorization_expired'],
    [
      'not yet valid',
      { validAfter: String(now() + 600), validBefore: String(now() + 660) },
      'authorization_not_yet_valid',
    ],
    ['valid for too long', { validBefore: String(now() + 100_000) }, 'authorization_too_long'],
  ])('%s', async (_, change, reason) => {
    const { status, body, response } = await unpaid(async () =>
      get({ 'X-PAYMENT': encodeHeader(v1Payload(await sign(change))) }),
    );
    expect([status, body.error]).toEqual([402, reason]);
    expect(response.headers.get('payment-required')).not.toBeNull();
    expect(settleCalls).toBe(0);
  });

  it.each([
    ['another asset', { asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' }, 'invalid_asset'],
    ['another network', { network: 'eip155:84532' }, 'invalid_network'],
  ])('%s', async (_, accepted, reason) => {
    const signed = await sign();
    const payload = v2Payload(paidServer.seller, signed) as { accepted: object };
    const header = encodeHeader({ ...payload, accepted: { ...payload.accepted, ...accepted } });
    const { status, body } = await unpaid(() => get({ 'PAYMENT-SIGNATURE': header }));
    expect([status, body.error]).toEqual([402, reason]);
  });

  it('no balance', async () => {
    const poor = newAccount();
    const { status, body } = await unpaid(async () => pay(await sign({}, poor)));
    expect([status, body.error]).toEqual([402, 'insufficient_funds']);
    expect(settleCalls).toBe(0);
  });

  it('no payment, HEAD and unreadable payments', async () => {
    expect((await unpaid(() => get({}))).body.error).toBe('Payment required');
    const { status, body, response } = await unpaid(() => get({ 'X-PAYMENT': 'rubbish!' }));
    expect([status, body.error]).toEqual([402, 'malformed_payment_header']);
    expect(body).toMatchObject({ x402Version: 1, code: 'malformed_payment_header' });
    expect(response.headers.get('payment-required')).not.toBeNull();
    const head = await fetch(paidServer.url + BASIS, {
      method: 'HEAD',
      headers: { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(paidServer.seller, await sign())) },
    });
    expect(head.status).toBe(402);
    expect(settleCalls).toBe(0);
  });

  it('a header beyond all limits', async () => {
    const response = await get({ 'X-PAYMENT': 'A'.repeat(40_000) });
    expect(response.status).toBe(431);
  });
});

describe('bad signatures', () => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const broken: readonly (readonly [string, (good: string) => string])[] = [
    ['of somebody else', (s) => s.replace(/^0x./, s.startsWith('0x1') ? '0x2' : '0x1')],
    ['with v 2', (s) => `${s.slice(0, 130)}02`],
    ['with the other v, counted from 0', (s) => s.slice(0, 130) + (s.endsWith('1b') ? '01' : '00')],
    ['with v 29', (s) => `${s.slice(0, 130)}1d`],
    ['with the other v', (s) => s.slice(0, 130) + (s.endsWith('1b') ? '1c' : '1b')],
    [
      'of the high-s twin',
      (s) =>
        `${s.slice(0, 66)}${(order - BigInt(`0x${s.slice(66, 130)}`)).toString(16).padStart(64, '0')}${s.endsWith('1b') ? '1c' : '1b'}`,
    ],
    ['with r zero', (s) => `0x${'0'.repeat(64)}${s.slice(66)}`],
    ['with s zero', (s) => `${s.slice(0, 66)}${'0'.repeat(64)}${s.slice(130)}`],
    ['of 64 bytes', (s) => s.slice(0, 130)],
    ['of 66 bytes', (s) => `${s}00`],
    ['of one byte', () => '0x00'],
  ];
  it.each(broken)('%s', async (_, breakIt) => {
    const account = newAccount();
    await chain.mint(account.address, 5000n);
    const good = await sign({}, account);
    const bad = { ...good, signature: breakIt(good.signature) };
    const { status } = await unpaid(() => pay(bad, { 'X-Test-Address': account.address }));
    expect(status).toBe(402);
    expect(settleCalls).toBe(0);
  });

  it('a good one with v counted from 0: the chain takes it', async () => {
    const account = newAccount();
    await chain.mint(account.address, 5000n);
    const { authorization, signature } = await sign({}, account);
    const counted = signature.slice(0, 130) + (signature.endsWith('1b') ? '00' : '01');
    const before = await chain.balanceOf(chain.payee.address);
    const response = await pay({ authorization, signature: counted });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    expect((await chain.balanceOf(chain.payee.address)) - before).toBe(5000n);
  });

  it('are rate-limited after a few', async () => {
    const account = newAccount();
    const statuses: number[] = [];
    for (let i = 0; i < 8; i++) {
      const good = await sign({}, account);
      const response = await pay({ ...good, signature: `0x${'11'.repeat(65)}` });
      statuses.push(response.status);
      await response.arrayBuffer();
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});
