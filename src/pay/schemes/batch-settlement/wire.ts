import type { ChainView } from './chain-view.ts';
import type { ChannelConfig, ChannelPayment, Deposit, Voucher } from './channel.ts';
import type { StoredChannel } from './channels.ts';
import type { OpenRefund, SignedTotal } from './lifecycle.ts';

/** A voucher as payloads have it. */
const wireVoucher = ({ channelId, total, signature }: Voucher) => ({
  channelId,
  maxClaimableAmount: total,
  signature,
});

function wireDeposit({ amount, validAfter, validBefore, salt, signature }: Deposit) {
  const erc3009Authorization = { validAfter, validBefore, salt, signature };
  return { amount, authorization: { erc3009Authorization } };
}

/** A deposit with its voucher, as a facilitator takes it. */
export interface DepositPayload {
  readonly type: 'deposit';
  readonly channelConfig: ChannelConfig;
  readonly voucher: ReturnType<typeof wireVoucher>;
  readonly deposit: ReturnType<typeof wireDeposit>;
}

export function depositWire({ config, voucher }: ChannelPayment, deposit: Deposit): DepositPayload {
  return {
    type: 'deposit',
    channelConfig: { ...config },
    voucher: wireVoucher(voucher),
    deposit: wireDeposit(deposit),
  };
}

/** A channel in PAYMENT-RESPONSE; only what the payment itself says where the rest is not known. */
export function channelStateWire(id: string, charged: string, chain: ChainView | undefined): object {
  if (chain === undefined) return { channelId: id, chargedCumulativeAmount: charged };
  const { balance, claimed, withdrawAt, refundNonce } = chain;
  return {
    channelId: id,
    balance,
    totalClaimed: claimed,
    withdrawRequestedAt: withdrawAt,
    refundNonce,
    chargedCumulativeAmount: charged,
  };
}

/** The voucher by which a seller shows what it has charged. */
export const voucherStateWire = ({ total, signature }: SignedTotal): object => ({
  signedMaxClaimable: total,
  signature,
});

/** One channel of a claim, as a facilitator takes it. */
export function claimWire(config: ChannelConfig, { total, signature }: SignedTotal, claimed: string): object {
  return {
    voucher: { channel: { ...config }, maxClaimableAmount: total },
    signature,
    totalClaimed: claimed,
  };
}

/** A refund as a facilitator takes it, without the seller's signatures. */
export function refundWire(
  { id, channel: { config } }: StoredChannel,
  { nonce, amount, by }: OpenRefund,
): object {
  const voucher = wireVoucher({ channelId: id, total: by.total, signature: by.signature });
  return { type: 'refund', channelConfig: { ...config }, voucher, amount, refundNonce: nonce };
}
