import type { PaymentReason } from '../../../domain/payment-errors.ts';
import { sameAddress } from '../../address.ts';
import { type CoreRequirement, requirementOf } from '../../requirement.ts';
import type { Seller } from '../../seller.ts';
import type { ChannelConfig } from './channel.ts';
import { NOBODY } from './contract.ts';

export const SCHEME_NAME = 'batch-settlement';

/** The seller's part of the terms of a channel. */
export interface ChannelTerms {
  /** Address of the key that signs claims and refunds, EIP-55 checksum form. */
  readonly receiverAuthorizer: string;
  /** Seconds. */
  readonly withdrawDelay: number;
  /** Calls at the price for which a buyer is asked to deposit at once; undefined: its program decides. */
  readonly depositCalls?: number;
}

/** The terms of a sale by channel: a buyer derives the terms of its channel from them. */
export function channelTerms(
  seller: Seller,
  { receiverAuthorizer, withdrawDelay, depositCalls }: ChannelTerms,
  amount: bigint,
): CoreRequirement {
  const { assetName: name, assetVersion: version } = seller;
  const extra = { receiverAuthorizer, withdrawDelay, name, version };
  const minDeposit = amount * BigInt(depositCalls ?? 0);
  const asked = minDeposit === 0n ? extra : { ...extra, minDeposit: minDeposit.toString() };
  return requirementOf(seller, amount, SCHEME_NAME, asked);
}

/** The fault of a channel that is not of our terms, or whose vouchers only a contract could judge. */
export function channelFault(
  config: ChannelConfig,
  seller: Pick<Seller, 'payTo' | 'asset'>,
  terms: ChannelTerms,
): PaymentReason | undefined {
  if (!sameAddress(config.receiver, seller.payTo)) return 'invalid_recipient';
  if (!sameAddress(config.token, seller.asset)) return 'invalid_asset';
  const isOurs =
    sameAddress(config.receiverAuthorizer, terms.receiverAuthorizer) &&
    config.withdrawDelay === terms.withdrawDelay;
  return isOurs && config.payerAuthorizer !== NOBODY ? undefined : 'invalid_channel';
}
