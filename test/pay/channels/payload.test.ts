import { describe, expect, it } from 'vitest';
import { loadCheckSigner, loadPureCheck } from '../../../src/pay/recover.ts';
import type { ChannelPayment } from '../../../src/pay/schemes/batch-settlement/channel.ts';
import { NOBODY } from '../../../src/pay/schemes/batch-settlement/contract.ts';
import { createChannelDigests } from '../../../src/pay/schemes/batch-settlement/digests.ts';
import { readChannelPayment } from '../../../src/pay/schemes/batch-settlement/payload.ts';
import { createSignatureCheck } from '../../../src/pay/schemes/batch-settlement/signatures.ts';
import { channelFault, channelTerms } from '../../../src/pay/schemes/batch-settlement/terms.ts';
import { sellerAt } from '../routes.ts';
import { newAccount } from '../wallet.ts';
import { configOf, depositPayload, voucherPayload } from './buyer.ts';

const seller = sellerAt();
const terms = { receiverAuthorizer: newAccount().address, withdrawDelay: 900 };
const account = newAccount();
const config = configOf(account.address, seller, terms);
const digests = createChannelDigests(seller.network.chainId);
const channelId = digests.channelId(config);
const requirement = channelTerms(seller, terms, 1_000n);

const voucher = (total = 1_000n, by = account) => voucherPayload(by, config, channelId, total);
const deposit = (amounts = { deposit: 10_000n, total: 1_000n }) =>
  depositPayload(account, config, requirement, amounts);
type Draft = Record<string, object>;
const copy = (payload: unknown, change: (draft: Draft) => void): Record<string, unknown> => {
  const draft = structuredClone(payload) as Draft;
  change(draft);
  return draft;
};

/** Members of an object of the payload. */
const into = (target: object | undefined, members: object): void => void Object.assign(target ?? {}, members);

function readWhole(payload: Record<string, unknown>): ChannelPayment {
  const read = readChannelPayment(payload);
  if (read === undefined) throw new Error('not read');
  return read;
}

describe('a payload of a channel', () => {
  it('terms of the challenge: the client derives a channel from them', () => {
    expect(requirement).toMatchObject({
      scheme: 'batch-settlement',
      amount: '1000',
      payTo: seller.payTo,
      extra: { ...terms, name: seller.assetName, version: seller.assetVersion },
    });
  });

  it('a voucher and a deposit of the official package: read whole', async () => {
    expect(readChannelPayment(await voucher(5_000n))).toMatchObject({
      config,
      voucher: { channelId, total: '5000' },
      deposit: undefined,
    });
    expect(readChannelPayment(await deposit())).toMatchObject({
      voucher: { total: '1000' },
      deposit: { amount: '10000', validAfter: '0' },
    });
  });

  it.each<[string, (draft: Draft) => void]>([
    ['no type', (draft) => void delete draft.type],
    ['a refund', (draft) => Object.assign(draft, { type: 'refund' })],
    ['a deposit without one', (draft) => Object.assign(draft, { type: 'deposit' })],
    ['an address cut short', (draft) => into(draft.channelConfig, { payer: '0x12' })],
    ['a delay as text', (draft) => into(draft.channelConfig, { withdrawDelay: '900' })],
    ['a delay below the contract’s', (draft) => into(draft.channelConfig, { withdrawDelay: 899 })],
    ['a delay above the contract’s', (draft) => into(draft.channelConfig, { withdrawDelay: 3e6 })],
    ['a salt without 32 bytes', (draft) => into(draft.channelConfig, { salt: '0x00' })],
    ['a total of nothing', (draft) => into(draft.voucher, { maxClaimableAmount: '0' })],
    ['a total with a sign', (draft) => into(draft.voucher, { maxClaimableAmount: '-1' })],
    ['a total as number', (draft) => into(draft.voucher, { maxClaimableAmount: 1000 })],
    ['a total beyond 128 bits', (draft) => into(draft.voucher, { maxClaimableAmount: `${2n ** 128n}` })],
    ['a signature of 64 bytes', (draft) => into(draft.voucher, { signature: `0x${'11'.repeat(64)}` })],
    ['an inherited voucher', (draft) => Object.assign(draft, { voucher: Object.create({ total: '1' }) })],
  ])('%s: not read', async (_, change) => {
    expect(readChannelPayment(copy(await voucher(), change))).toBeUndefined();
  });

  it('recovery ids from 0: read as 27 and 28', async () => {
    const signed = `0x${'11'.repeat(64)}`;
    for (const [given, taken] of [
      ['00', '1b'],
      ['01', '1c'],
      ['1b', '1b'],
    ] as const) {
      const payload = copy(await voucher(), (draft) => into(draft.voucher, { signature: signed + given }));
      expect(readWhole(payload).voucher.signature).toBe(signed + taken);
    }
  });

  it.each([
    ['native', loadCheckSigner],
    ['in JavaScript', loadPureCheck],
  ])('signatures, %s: the keys that the channel names, and no others', async (_, load) => {
    const check = createSignatureCheck(seller, digests, await load());
    expect(await check(readWhole(await voucher()))).toBe('match');
    expect(await check(readWhole(await deposit()))).toBe('match');
    expect(await check(readWhole(await voucher(1_000n, newAccount())))).toBe('mismatch');
    const raised = copy(await voucher(), (draft) => into(draft.voucher, { maxClaimableAmount: '1001' }));
    expect(await check(readWhole(raised))).toBe('mismatch');
    const more = copy(await deposit(), (draft) => into(draft.deposit, { amount: '10001' }));
    expect(await check(readWhole(more))).toBe('mismatch');
  });

  it('a channel of other terms: its fault', () => {
    const other = newAccount().address.toLowerCase();
    expect(channelFault(config, seller, terms)).toBeUndefined();
    expect(channelFault({ ...config, receiver: other }, seller, terms)).toBe('invalid_recipient');
    expect(channelFault({ ...config, token: other }, seller, terms)).toBe('invalid_asset');
    for (const change of [{ receiverAuthorizer: other }, { withdrawDelay: 901 }, { payerAuthorizer: NOBODY }])
      expect(channelFault({ ...config, ...change }, seller, terms)).toBe('invalid_channel');
  });
});
