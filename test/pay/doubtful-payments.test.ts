import { describe, expect, it } from 'vitest';
import { type Failure, fail } from '../../src/domain/errors.ts';
import { clock, facilitator, paidServer, pay, useSale } from './outcomes-rig.ts';
import { newAccount, type SignedAuthorization, signAuthorization } from './wallet.ts';

useSale();

const owner = newAccount();
const wallet = newAccount().address;

/** A payment of a contract wallet: its owner's key signed, so that only the chain can say whether it is good. */
async function fromContract(payer = wallet): Promise<SignedAuthorization> {
  const { authorization, signature } = await signAuthorization(owner, paidServer.seller, { value: '5000' });
  return { authorization: { ...authorization, from: payer }, signature };
}

describe('payments that only the chain can judge', () => {
  it('good ones in a row: all are sold, however many', async () => {
    for (let sale = 0; sale < 120; sale++) expect((await pay(await fromContract())).status).toBe(200);
    expect(facilitator.settled).toHaveLength(120);
  });

  it.each([
    ['found before anybody is asked', 'check'],
    ['found after the payment was verified', 'produce'],
  ] as const)('requests that cannot be served, %s: none counts', async (_, step) => {
    const failure: Failure = { code: 'not_listed', detail: 'The venue does not list it.' };
    paidServer.check = () => (step === 'check' ? failure : undefined);
    paidServer.produce = () => fail(failure);
    for (let request = 0; request < 20; request++) expect((await pay(await fromContract())).status).toBe(404);
    paidServer.check = undefined;
    paidServer.produce = undefined;
    expect((await pay(await fromContract())).status).toBe(200);
  });

  it('forgeries: five at once, and the text says why one waits', async () => {
    facilitator.verifyWith = [{ kind: 'invalid', reason: 'invalid_exact_evm_signature' }];
    for (let forgery = 0; forgery < 5; forgery++) expect((await pay(await fromContract())).status).toBe(402);
    const limited = await pay(await fromContract());
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '12']);
    expect(limited.body).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringContaining('contract wallet'),
    });
    expect(limited.text).not.toContain('could not be verified');
    facilitator.verifyWith = [{ kind: 'valid' }];
    clock.advance(12_000);
    for (let sale = 0; sale < 3; sale++) expect((await pay(await fromContract())).status).toBe(200);
  });

  it('refused at settling: it counts', async () => {
    facilitator.settleWith = [{ kind: 'refused', reason: 'insufficient_funds', transaction: undefined }];
    for (let refused = 0; refused < 5; refused++) expect((await pay(await fromContract())).status).toBe(402);
    expect((await pay(await fromContract())).status).toBe(429);
  });
});
