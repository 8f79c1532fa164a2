import { encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { type ChannelCallPayload, channelCall } from '../../../src/pay/schemes/batch-settlement/calls.ts';
import { DEPOSIT_COLLECTOR } from '../../../src/pay/schemes/batch-settlement/contract.ts';
import { depositWire } from '../../../src/pay/schemes/batch-settlement/wire.ts';
import { sellerAt } from '../routes.ts';
import { newAccount } from '../wallet.ts';
import { configOf } from './buyer.ts';

type Hex = `0x${string}`;

/** As published: the members of a row and of a channel in the order of the contract. */
const ABI = parseAbi([
  'struct ChannelConfig { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }',
  'struct Voucher { ChannelConfig channel; uint128 maxClaimableAmount; }',
  'struct VoucherClaim { Voucher voucher; bytes signature; uint128 totalClaimed; }',
  'function deposit(ChannelConfig config, uint128 amount, address collector, bytes collectorData)',
  'function claimWithSignature(VoucherClaim[] voucherClaims, bytes authorizerSignature)',
  'function settle(address receiver, address token)',
  'function refundWithSignature(ChannelConfig config, uint128 amount, uint256 nonce, bytes receiverAuthorizerSignature)',
  'function multicall(bytes[] data)',
]);
const DATA = parseAbi([
  'function data(uint256 validAfter, uint256 validBefore, uint256 salt, bytes signature)',
]);
const TERMS = { receiverAuthorizer: newAccount().address, withdrawDelay: 900 };
const seller = sellerAt();
const configAt = (salt: string) => configOf(newAccount().address, seller, TERMS, salt);
const signatureOf = (byte: string): Hex => `0x${byte.repeat(65)}`;

/** The same values in the types of viem. */
const wideRow = ({ voucher, signature, totalClaimed }: ReturnType<typeof rowAt>) => ({
  voucher: {
    channel: voucher.channel as never,
    maxClaimableAmount: BigInt(voucher.maxClaimableAmount),
  },
  signature,
  totalClaimed: BigInt(totalClaimed),
});
const rowAt = (salt: string) => ({
  voucher: { channel: configAt(salt), maxClaimableAmount: `${salt}000` },
  signature: signatureOf(salt),
  totalClaimed: `${salt}00`,
});
const claimOf = (rows: readonly ReturnType<typeof rowAt>[]): Hex =>
  encodeFunctionData({
    abi: ABI,
    functionName: 'claimWithSignature',
    args: [rows.map(wideRow), signatureOf('ab')],
  });

describe('calls of the channel contract', () => {
  it('a deposit: as a client of the chain encodes it', () => {
    const config = configAt('11');
    const deposit = {
      amount: '50000',
      validAfter: '0',
      validBefore: '1900000000',
      salt: `0x${'7e'.repeat(32)}`,
      signature: signatureOf('cd'),
    };
    const voucher = { channelId: '', total: '5000', signature: '' };
    const collected = encodeFunctionData({
      abi: DATA,
      args: [0n, 1_900_000_000n, BigInt(deposit.salt), signatureOf('cd')],
    });
    const args = [config as never, 50_000n, DEPOSIT_COLLECTOR, `0x${collected.slice(10)}`] as const;
    expect(channelCall(depositWire({ config, voucher, deposit }, deposit))).toBe(
      encodeFunctionData({ abi: ABI, functionName: 'deposit', args }),
    );
  });

  it.each([1, 2, 25])('a claim of %d channels', (count) => {
    const claims = Array.from({ length: count }, (_, i) => rowAt(String(i + 10)));
    const payload = { type: 'claim', claims, claimAuthorizerSignature: signatureOf('ab') } as const;
    expect(channelCall(payload)).toBe(claimOf(claims));
  });

  it('what is claimed to the seller', () => {
    const { payTo, asset } = seller;
    const args = [payTo as Hex, asset as Hex] as const;
    expect(channelCall({ type: 'settle', receiver: payTo, token: asset })).toBe(
      encodeFunctionData({ abi: ABI, functionName: 'settle', args }),
    );
  });

  it('a refund, alone and after a claim', () => {
    const row = rowAt('12');
    const { channel } = row.voucher;
    const refund = encodeFunctionData({
      abi: ABI,
      functionName: 'refundWithSignature',
      args: [channel as never, 700n, 3n, signatureOf('ef')],
    });
    const payload: ChannelCallPayload = {
      type: 'refund',
      channelConfig: channel,
      amount: '700',
      refundNonce: '3',
      claims: [],
      refundAuthorizerSignature: signatureOf('ef'),
    };
    expect(channelCall(payload)).toBe(refund);
    const both = encodeFunctionData({
      abi: ABI,
      functionName: 'multicall',
      args: [[claimOf([row]), refund]],
    });
    expect(channelCall({ ...payload, claims: [row], claimAuthorizerSignature: signatureOf('ab') })).toBe(
      both,
    );
  });
});
