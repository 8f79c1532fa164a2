import { type Requirement, sameAddress } from '../challenge.ts';
import type { ChannelConfig } from './channel.ts';

export const SCHEME_NAME = 'batch-settlement';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const NOBODY = /^0x0{40}$/;
const DECIMAL = /^\d{1,38}$/;
/** Seconds; the contract takes no shorter delay. */
const LEAST_DELAY = 900;

/** The seller's part of the terms of a channel. */
export interface ChannelTerms {
  readonly receiverAuthorizer: string;
  /** Seconds. */
  readonly withdrawDelay: number;
  /** The deposit that the seller proposes, atomic units. */
  readonly minDeposit: bigint | undefined;
  /** False while the seller takes no deposits: only what is in a channel already pays. */
  readonly takesDeposits: boolean;
}

/** Decimal text as a number; undefined for anything else. */
export const decimalOf = (value: unknown): bigint | undefined =>
  typeof value === 'string' && DECIMAL.test(value) ? BigInt(value) : undefined;

/**
 * The terms of a channel; undefined where an entry is of another scheme, differs from the entry of `exact` in price, token,
 * network or receiver, or would bind the money for longer than is allowed.
 *
 * @param mostDelay seconds
 */
export function channelTermsOf(
  entry: Requirement,
  exact: Requirement,
  mostDelay: number,
): ChannelTerms | undefined {
  const { receiverAuthorizer, withdrawDelay, assetTransferMethod = 'eip3009', minDeposit } = entry.extra;
  const takesDeposits = entry.extra.depositsClosed !== true;
  const isSameSale =
    entry.scheme === SCHEME_NAME &&
    entry.amount === exact.amount &&
    entry.network === exact.network &&
    sameAddress(entry.asset, exact.asset) &&
    sameAddress(entry.payTo, exact.payTo) &&
    entry.extra.name === exact.extra.name &&
    entry.extra.version === exact.extra.version;
  if (!isSameSale || assetTransferMethod !== 'eip3009' || BigInt(entry.amount) === 0n) return undefined;
  if (typeof receiverAuthorizer !== 'string' || !ADDRESS.test(receiverAuthorizer)) return undefined;
  if (NOBODY.test(receiverAuthorizer) || typeof withdrawDelay !== 'number') return undefined;
  if (!Number.isInteger(withdrawDelay) || withdrawDelay < LEAST_DELAY || withdrawDelay > mostDelay) {
    return undefined;
  }
  return { receiverAuthorizer, withdrawDelay, minDeposit: decimalOf(minDeposit), takesDeposits };
}

/** The payer of a channel, and the key that signs its vouchers; addresses. */
export interface Payer {
  readonly payer: string;
  readonly voucherKey: string;
}

/**
 * The terms of a payer's channel; with the same key the same ones after any loss, so that the seller knows the channel again.
 *
 * @param number 0 for the first channel, and one more for each that is disputed
 */
export function configOf(
  { payer, voucherKey }: Payer,
  entry: Requirement,
  terms: ChannelTerms,
  number: number,
): ChannelConfig {
  const { receiverAuthorizer, withdrawDelay } = terms;
  return {
    payer: payer.toLowerCase(),
    payerAuthorizer: voucherKey.toLowerCase(),
    receiver: entry.payTo.toLowerCase(),
    receiverAuthorizer: receiverAuthorizer.toLowerCase(),
    token: entry.asset.toLowerCase(),
    withdrawDelay,
    salt: `0x${number.toString(16).padStart(64, '0')}`,
  };
}
