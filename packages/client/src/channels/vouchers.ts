import { chainIdOf, type Requirement } from '../challenge.ts';
import { AUTHORIZATION, type Signer, signatureOf, tokenDomain, typedData } from '../payment.ts';
import type { ChannelConfig, PendingDeposit } from './channel.ts';
import { DEPOSIT_COLLECTOR, depositNonce, voucherData } from './digests.ts';

interface Way {
  readonly id: string;
  readonly config: ChannelConfig;
}

/** A voucher that lets the seller claim up to a total, atomic units. Rejects where the signer refuses. */
export async function signVoucher(
  signer: Signer,
  channelId: string,
  requirement: Requirement,
  total: bigint,
) {
  const signature = await signatureOf(signer, voucherData(channelId, total, chainIdOf(requirement)));
  return { channelId, maxClaimableAmount: total.toString(), signature };
}

/** The payload of a call that a channel has the money for. */
export async function voucherPayload(
  signer: Signer,
  { id, config }: Way,
  requirement: Requirement,
  total: bigint,
): Promise<object> {
  return {
    type: 'voucher',
    channelConfig: config,
    voucher: await signVoucher(signer, id, requirement, total),
  };
}

/**
 * The payload of a call that brings money into its channel: the collector alone can take it, for this channel alone.
 * @param signer the payer's
 * @param key signs the voucher
 */
export async function depositPayload(
  signer: Signer,
  { id, config }: Way,
  requirement: Requirement,
  total: bigint,
  { amount, validBefore, salt }: PendingDeposit,
  key: Signer = signer,
): Promise<object> {
  const message = {
    from: config.payer,
    to: DEPOSIT_COLLECTOR,
    value: amount,
    validAfter: '0',
    validBefore,
    nonce: depositNonce(id, salt),
  };
  const data = typedData(tokenDomain(requirement), 'ReceiveWithAuthorization', AUTHORIZATION, message);
  const signature = await signatureOf(signer, data);
  const erc3009Authorization = { validAfter: '0', validBefore, salt, signature };
  return {
    type: 'deposit',
    channelConfig: config,
    voucher: await signVoucher(key, id, requirement, total),
    deposit: { amount, authorization: { erc3009Authorization } },
  };
}

/** The payload that asks for the rest of a channel: its voucher is for what was bought, and buys nothing. */
export async function refundPayload(
  signer: Signer,
  { id, config }: Way,
  requirement: Requirement,
  charged: bigint,
): Promise<object> {
  return {
    type: 'refund',
    channelConfig: config,
    voucher: await signVoucher(signer, id, requirement, charged),
  };
}
