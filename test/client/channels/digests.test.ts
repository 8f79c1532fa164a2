import { BATCH_SETTLEMENT_ADDRESS, BATCH_SETTLEMENT_DOMAIN, voucherTypes } from '@x402/evm';
import {
  computeChannelId,
  createBatchSettlementEIP3009DepositPayload,
} from '@x402/evm/batch-settlement/client';
import fc from 'fast-check';
import { encodeFunctionData, hashTypedData, parseAbi, keccak256 as reference } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import {
  callOf,
  channelIdOf,
  voucherData,
  voucherDigest,
} from '../../../packages/client/src/channels/digests.ts';
import { keccak256 } from '../../../packages/client/src/channels/keccak.ts';
import { signerOf } from '../../../packages/client/src/channels/secp256k1.ts';
import { depositPayload } from '../../../packages/client/src/channels/vouchers.ts';
import { terms } from '../seller.ts';

const RUNS = { numRuns: Number(process.env.CHANNEL_RUNS ?? 100) };
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
  withdrawDelay: fc.integer({ min: 900, max: 2_592_000 }),
  salt: bytes(32),
});
const CONTRACT = parseAbi([
  'struct Config { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }',
  'function initiateWithdraw(Config config, uint128 amount)',
]);

const voucherOf = (channelId: Hex, total: bigint, chainId: number) => ({
  domain: { ...BATCH_SETTLEMENT_DOMAIN, chainId, verifyingContract: BATCH_SETTLEMENT_ADDRESS },
  types: voucherTypes,
  primaryType: 'Voucher' as const,
  message: { channelId, maxClaimableAmount: total },
});

/** Signs with the digest itself, so that what was signed can be compared. */
const echoing = (address: Hex) => ({
  address,
  signTypedData: async (data: unknown) => hashTypedData(data as Parameters<typeof hashTypedData>[0]),
});

describe('digests of the client', () => {
  it('hashes: those of the reference, at every length', () => {
    for (let length = 0; length < 300; length++) {
      const message = Uint8Array.from({ length }, (_, i) => (i * 7 + length) % 256);
      expect(keccak256(message)).toBe(reference(message));
    }
  });

  it('identity and voucher: those of the official package', () => {
    fc.assert(
      fc.property(config, amount, chain, (terms, total, chainId) => {
        const id = computeChannelId(terms, chainId);
        expect(channelIdOf(terms, chainId)).toBe(id);
        const digest = hashTypedData(voucherOf(id, total, chainId));
        expect(voucherDigest(id, total, chainId)).toBe(digest);
        const data = voucherData(id, total, chainId) as Parameters<typeof hashTypedData>[0];
        expect(hashTypedData(data)).toBe(digest);
      }),
      RUNS,
    );
  });

  it('a deposit: the payload of the official package', async () => {
    await fc.assert(
      fc.asyncProperty(config, amount, amount, async (channelConfig, deposit, total) => {
        const requirement = terms({ scheme: 'batch-settlement', asset: channelConfig.token });
        const signer = echoing(channelConfig.payer);
        const { payload } = await createBatchSettlementEIP3009DepositPayload(
          signer,
          2,
          { ...requirement, network: 'eip155:8453', extra: { ...requirement.extra } },
          channelConfig,
          deposit.toString(),
          total.toString(),
        );
        const { erc3009Authorization } = (
          payload as {
            deposit: { authorization: { erc3009Authorization: { validBefore: string; salt: Hex } } };
          }
        ).deposit.authorization;
        const { validBefore, salt } = erc3009Authorization;
        const way = { id: channelIdOf(channelConfig, 8453), config: channelConfig };
        const made = { amount: deposit.toString(), validBefore, salt };
        expect(await depositPayload(signer, way, requirement, total, made)).toEqual(payload);
      }),
      RUNS,
    );
  });

  it('a signature: its signer is found, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(bytes(32), bytes(32), amount, async (key, channelId, total) => {
        const account = privateKeyToAccount(key);
        const signature = await account.signTypedData(voucherOf(channelId, total, 8453));
        const digest = voucherDigest(channelId, total, 8453);
        expect(signerOf(digest, signature)).toBe(account.address.toLowerCase());
        expect(signerOf(voucherDigest(channelId, total + 1n, 8453), signature)).not.toBe(
          account.address.toLowerCase(),
        );
      }),
      { numRuns: RUNS.numRuns / 10 },
    );
  });

  it.each(['0x', `0x${'0'.repeat(130)}`, `0x${'f'.repeat(130)}`, 'nothing'])(
    '%s: signed by nobody',
    (text) => {
      expect(signerOf(`0x${'1'.repeat(64)}`, text)).toBeUndefined();
    },
  );

  it('a withdrawal: the input of the contract', () => {
    fc.assert(
      fc.property(config, amount, (terms, left) => {
        const data = encodeFunctionData({
          abi: CONTRACT,
          functionName: 'initiateWithdraw',
          args: [terms, left],
        });
        expect(callOf('initiateWithdraw', terms, left)).toBe(data);
      }),
      RUNS,
    );
  });
});
