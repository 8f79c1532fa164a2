import { createBatchSettlementEIP3009DepositPayload, signVoucher } from '@x402/evm/batch-settlement/client';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { CoreRequirement } from '../../../src/pay/requirement.ts';
import type { ChannelConfig } from '../../../src/pay/schemes/batch-settlement/channel.ts';
import type { ChannelTerms } from '../../../src/pay/schemes/batch-settlement/terms.ts';
import type { Seller } from '../../../src/pay/seller.ts';

type Hex = `0x${string}`;
type Signer = Parameters<typeof signVoucher>[0];

/** The terms of a channel as the official package takes them. */
export type WireConfig = Parameters<typeof createBatchSettlementEIP3009DepositPayload>[3];

/** Terms of a payer's channel with a seller. */
export function configOf(payer: string, seller: Seller, terms: ChannelTerms, salt = '00'): ChannelConfig {
  return {
    payer: payer.toLowerCase(),
    payerAuthorizer: payer.toLowerCase(),
    receiver: seller.payTo.toLowerCase(),
    receiverAuthorizer: terms.receiverAuthorizer.toLowerCase(),
    token: seller.asset.toLowerCase(),
    withdrawDelay: terms.withdrawDelay,
    salt: `0x${salt.padStart(64, '0')}`,
  };
}

/** The payload of a voucher, signed by the official package. */
export async function voucherPayload(
  account: PrivateKeyAccount,
  config: ChannelConfig,
  channelId: string,
  total: bigint,
  network = 'eip155:8453',
): Promise<Record<string, unknown>> {
  const voucher = await signVoucher(account as Signer, channelId as Hex, total.toString(), network);
  return { type: 'voucher', channelConfig: config, voucher };
}

/** The payload of a deposit with its voucher, signed by the official package. */
export async function depositPayload(
  account: PrivateKeyAccount,
  config: ChannelConfig,
  requirement: CoreRequirement,
  amounts: { readonly deposit: bigint; readonly total: bigint },
): Promise<Record<string, unknown>> {
  const { payload } = await createBatchSettlementEIP3009DepositPayload(
    account as Signer,
    2,
    { ...requirement, extra: { ...requirement.extra } },
    config as WireConfig,
    amounts.deposit.toString(),
    amounts.total.toString(),
  );
  return payload;
}
