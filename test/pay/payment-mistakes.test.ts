import { describe, expect, it } from 'vitest';
import { clock, facilitator, paidServer, pay, useSale } from './outcomes-rig.ts';
import { newAccount, type SignedAuthorization, signAuthorization } from './wallet.ts';

useSale();

const buyer = newAccount();
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

type Domain = Parameters<typeof signAuthorization>[3];
type Change = Parameters<typeof signAuthorization>[2];

const signed = (change: Change = {}, domain: Domain = {}): Promise<SignedAuthorization> =>
  signAuthorization(buyer, paidServer.seller, { value: '5000', ...change }, domain);

/** The signature with its recovery id counted from 0, as some signers write it. */
const fromZero = (signature: string): string =>
  `${signature.slice(0, -2)}${signature.endsWith('1b') ? '00' : '01'}`;

function highTwin(signature: string): string {
  const s = (ORDER - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
  return signature.slice(0, 66) + s + (signature.endsWith('1b') ? '1c' : '1b');
}

describe('a recovery id of 0 or 1', () => {
  it('a good signature: it is sold, and passed on as the token takes it', async () => {
    for (let sale = 0; sale < 8; sale++) {
      const good = await signed();
      expect((await pay({ ...good, signature: fromZero(good.signature) })).status).toBe(200);
      expect(facilitator.settled.at(-1)?.payload.signature).toBe(good.signature);
      expect(facilitator.verified.at(-1)?.payload.signature).toBe(good.signature);
    }
  });

  it('the two forms of one payment: they are the same payment', async () => {
    const good = await signed();
    expect((await pay(good)).status).toBe(200);
    const again = await pay({ ...good, signature: fromZero(good.signature) });
    expect([again.status, again.body.code]).toEqual([402, 'authorization_used']);
    expect(facilitator.settled).toHaveLength(1);
  });

  it('an approved hash of a contract wallet: it stays as it is', async () => {
    const { authorization } = await signed();
    const approved = `0x${'0'.repeat(24)}${buyer.address.slice(2).toLowerCase()}${'0'.repeat(64)}01`;
    expect((await pay({ authorization, signature: approved })).status).toBe(200);
    expect(facilitator.settled.at(-1)?.payload.signature).toBe(approved);
  });
});

describe('mistakes of a buyer’s own code', () => {
  it.each([
    ['the name of the token in another form', { name: 'USDC' }],
    ['another version', { version: '1' }],
    ['another chain', { chainId: 1 }],
    ['the test network', { chainId: 84532 }],
  ] as const)('%s: wrong_domain, and nobody is asked', async (_, domain) => {
    for (let attempt = 0; attempt < 10; attempt++) {
      const refused = await pay(await signed({}, domain));
      expect([refused.status, refused.body.code]).toEqual([402, 'wrong_domain']);
      expect(refused.body.detail).toContain('domain');
    }
    expect(facilitator.verified).toEqual([]);
  });

  it('s in the upper half: high_s_signature, and nobody is asked', async () => {
    const good = await signed();
    const refused = await pay({ ...good, signature: highTwin(good.signature) });
    expect([refused.status, refused.body.code]).toEqual([402, 'high_s_signature']);
    expect(facilitator.verified).toEqual([]);
    expect((await pay(good)).status).toBe(200);
  });

  it('validAfter ahead: authorization_not_yet_valid', async () => {
    const ahead = String(Math.floor(clock.now() / 1000) + 30);
    const refused = await pay(await signed({ validAfter: ahead }));
    expect([refused.status, refused.body.code]).toEqual([402, 'authorization_not_yet_valid']);
  });

  it('a forgery: it goes on to whoever can judge it', async () => {
    const other = await signAuthorization(newAccount(), paidServer.seller, { value: '5000' });
    facilitator.verifyWith = [{ kind: 'invalid', reason: 'invalid_exact_evm_signature' }];
    const forged = { ...other, authorization: { ...other.authorization, from: buyer.address } };
    const refused = await pay(forged);
    expect([refused.status, refused.body.code]).toEqual([402, 'invalid_signature']);
    expect(facilitator.verified).toHaveLength(1);
  });
});

describe('what a facilitator finds', () => {
  it.each([
    ['no funds', 'invalid_exact_evm_insufficient_balance', 'insufficient_funds'],
    ['an account that the token blocks', 'payer_blacklisted', 'account_blocked'],
    ['another name of the domain', 'invalid_exact_evm_token_name_mismatch', 'wrong_domain'],
    ['a word that nobody knows', 'some_new_word', 'payment_refused'],
  ])('%s: a code of its own, verified or settled', async (_, reason, code) => {
    facilitator.verifyWith = [{ kind: 'invalid', reason }, { kind: 'valid' }];
    facilitator.settleWith = [{ kind: 'refused', reason, transaction: undefined }];
    for (let attempt = 0; attempt < 2; attempt++) {
      const refused = await pay(await signed());
      expect([refused.status, refused.body.code, refused.body.error]).toEqual([402, code, code]);
      expect(refused.body.detail).toContain(reason);
    }
  });
});
