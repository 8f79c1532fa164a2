import { BATCH_SETTLEMENT_ADDRESS, BATCH_SETTLEMENT_DOMAIN, claimBatchTypes, refundTypes } from '@x402/evm';
import {
  computeChannelId,
  createBatchSettlementEIP3009DepositPayload,
  signVoucher,
} from '@x402/evm/batch-settlement/client';
import fc from 'fast-check';
import { hashTypedData } from 'viem';
import { describe, expect, it } from 'vitest';
import { WITHDRAW_DELAY } from '../../../src/pay/schemes/batch-settlement/contract.ts';
import { createChannelDigests, depositDigest } from '../../../src/pay/schemes/batch-settlement/digests.ts';
import { readChannelPayment } from '../../../src/pay/schemes/batch-settlement/payload.ts';
import { channelTerms } from '../../../src/pay/schemes/batch-settlement/terms.ts';
import { tokenSeparator } from '../../../src/pay/typed-data.ts';
import { sellerAt } from '../routes.ts';
import type { WireConfig } from './buyer.ts';

const RUNS = { numRuns: Number(process.env.CHANNEL_RUNS ?? 200) };
type Hex = `0x${string}`;

const bytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((all): Hex => `0x${Buffer.from(all).toString('hex')}`);
const amount = fc.bigInt({ min: 1n, max: 2n ** 128n - 1n });
const chain = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const config = fc.record({
  payer: bytes(20),
  payerAuthorizer: bytes(20),
  receiver: bytes(20),
  receiverAuthorizer: bytes(20),
  token: bytes(20),
  withdrawDelay: fc.integer({ min: WITHDRAW_DELAY.least, max: WITHDRAW_DELAY.most }),
  salt: bytes(32),
}) satisfies fc.Arbitrary<WireConfig>;

const hex = (digest: Buffer): string => `0x${digest.toString('hex')}`;
const domainOf = (chainId: number) => ({
  ...BATCH_SETTLEMENT_DOMAIN,
  chainId,
  verifyingContract: BATCH_SETTLEMENT_ADDRESS,
});

/** Signs with the digest itself, so that what the package has signed can be compared. */
const echoing = (address: string) =>
  ({
    address,
    signTypedData: async (data: Parameters<typeof hashTypedData>[0]) => hashTypedData(data),
  }) as unknown as Parameters<typeof signVoucher>[0];

describe('digests of channels', () => {
  it('identity and voucher: those of the official package', async () => {
    await fc.assert(
      fc.asyncProperty(config, amount, chain, async (terms, total, chainId) => {
        const digests = createChannelDigests(chainId);
        const id = computeChannelId(terms, chainId);
        expect(digests.channelId(terms)).toBe(id);
        const voucher = await signVoucher(echoing(terms.payer), id, total.toString(), `eip155:${chainId}`);
        expect(hex(digests.voucher(id, total))).toBe(voucher.signature);
      }),
      RUNS,
    );
  });

  it('refund and claims: those of the official package', () => {
    const entry = fc.record({ channelId: bytes(32), signed: amount, claimed: amount });
    const entries = fc.array(entry, { maxLength: 5 });
    fc.assert(
      fc.property(bytes(32), amount, amount, entries, chain, (channelId, nonce, value, batch, chainId) => {
        const digests = createChannelDigests(chainId);
        const domain = domainOf(chainId);
        const refund = { channelId, nonce, amount: value };
        expect(hex(digests.refund(channelId, nonce, value))).toBe(
          hashTypedData({ domain, types: refundTypes, primaryType: 'Refund', message: refund }),
        );
        const claims = batch.map((row) => ({
          channelId: row.channelId,
          maxClaimableAmount: row.signed,
          totalClaimed: row.claimed,
        }));
        expect(hex(digests.claims(batch))).toBe(
          hashTypedData({ domain, types: claimBatchTypes, primaryType: 'ClaimBatch', message: { claims } }),
        );
      }),
      RUNS,
    );
  });

  it('deposit: read from a payload, the digest of the official package', async () => {
    const seller = sellerAt();
    const { chainId } = seller.network;
    const own = { receiverAuthorizer: seller.payTo, withdrawDelay: 900 };
    const terms = channelTerms(seller, own, 1_000n);
    const requirement = { ...terms, extra: { ...terms.extra } };
    await fc.assert(
      fc.asyncProperty(config, amount, amount, async (channel, value, total) => {
        const signer = echoing(channel.payer);
        const made = await createBatchSettlementEIP3009DepositPayload(
          signer,
          2,
          requirement,
          channel,
          value.toString(),
          total.toString(),
        );
        const payload = structuredClone(made.payload) as {
          voucher: { signature: string };
          deposit: { authorization: { erc3009Authorization: { signature: string } } };
        };
        const signed = payload.deposit.authorization.erc3009Authorization.signature;
        const plain = `0x${'11'.repeat(64)}1b`;
        payload.voucher.signature = plain;
        payload.deposit.authorization.erc3009Authorization.signature = plain;
        const read = readChannelPayment(payload);
        expect(read).toMatchObject({ config: channel, deposit: { amount: value.toString() } });
        if (read?.deposit === undefined) throw new Error('no deposit was read');
        const id = createChannelDigests(chainId).channelId(channel);
        expect(hex(depositDigest(tokenSeparator(seller), channel.payer, id, read.deposit))).toBe(signed);
      }),
      { numRuns: Math.ceil(RUNS.numRuns / 4) },
    );
  });
});
