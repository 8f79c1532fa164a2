import type { PaymentReason } from '../../../domain/payment-errors.ts';
import type { ChainWatch, ReadPayment, Scheme } from '../../scheme.ts';
import { windowFault } from '../authorization-window.ts';
import { type ChannelPayment, isSameChannelPayment, isSameConfig } from './channel.ts';
import { correctionOf } from './correction.ts';
import type { ChannelDigests } from './digests.ts';
import { CHANNEL_FORMAT, nonceOf } from './format.ts';
import { channelOffer, TOTAL_MISMATCH } from './offer.ts';
import { readChannelPayment } from './payload.ts';
import type { Refunds } from './refunds.ts';
import { type ChannelSettlementOptions, createChannelSettlement } from './settlement.ts';
import type { CheckChannelPayment } from './signatures.ts';
import type { ChannelTally } from './tally.ts';
import { channelFault } from './terms.ts';
import { channelStateWire } from './wire.ts';

export interface ChannelSchemeOptions extends ChannelSettlementOptions {
  readonly digests: ChannelDigests;
  readonly signatures: CheckChannelPayment;
  readonly watch?: ChainWatch | undefined;
  readonly refunds?: Pick<Refunds, 'read'>;
  readonly tally?: ChannelTally | undefined;
}

/** Reasons that mean that buyer and seller do not agree about what is charged. */
const OUT_OF_STEP: ReadonlySet<string> = new Set([TOTAL_MISMATCH, 'authorization_used']);

/**
 * `batch-settlement`: a deposit opens a channel, each sale is paid by a voucher with a growing total, and many are claimed at
 * once. A sale charges its price alone, whatever was signed, and only in the step that stores its outcome.
 */
export function createChannelScheme(options: ChannelSchemeOptions): Scheme<ChannelPayment> {
  const { seller, terms, signatures, channels, watch, refunds, tally } = options;
  return {
    ...channelOffer(seller, terms, () => options.facilitators.gas?.isLow !== true),
    format: CHANNEL_FORMAT,
    settlement: createChannelSettlement(options),
    accounts: channels,
    read(payload) {
      const signed = readChannelPayment(payload);
      if (signed === undefined || !isOfItsConfig(options, signed)) return undefined;
      return { payer: signed.config.payer, signer: signerOf(signed), nonce: nonceOf(signed), signed };
    },
    accountRequest: (payload) => refunds?.read(payload),
    isSame: isSameChannelPayment,
    watch,
    priceOf: (payment, amounts) => priceOf(options, payment, amounts),
    timeFault: ({ deposit }, now) => deposit && windowFault(deposit, now),
    match: signatures,
    // Only plain keys sign for channels here, so that a mismatch is final.
    signatureFault: async () => 'invalid_signature',
    async correction({ signed }, reason) {
      const correction = OUT_OF_STEP.has(reason) ? await correctionOf(channels, seller, signed) : undefined;
      if (correction !== undefined) tally?.corrected(correction);
      return correction;
    },
    counters: tally?.counters ?? [],
    settledMembers({ amount, signed: { voucher, deposit } }) {
      const { channelId, total } = voucher;
      const channelState = channelStateWire(channelId, total, channels.remembered(channelId)?.chain);
      return { amount: deposit?.amount ?? '', extra: { chargedAmount: amount, channelState } };
    },
  };
}

/** Anybody can name a payer and a key for its vouchers: a deposit shows that the payer agrees, and so does money in the channel. */
const signerOf = ({ config, deposit }: ChannelPayment): string | undefined =>
  deposit !== undefined || config.payerAuthorizer === config.payer ? undefined : config.payerAuthorizer;

/** The channel of a payment is that of its terms. Of one that is known its terms are compared, which is cheaper than hashes. */
function isOfItsConfig(
  { channels, digests }: ChannelSchemeOptions,
  { config, voucher }: ChannelPayment,
): boolean {
  const known = channels.remembered(voucher.channelId);
  if (known !== undefined && isSameConfig(known.config, config)) return true;
  return digests.channelId(config) === voucher.channelId;
}

/** The part of the total that is not charged yet, where it is a price, else the price in force. */
async function priceOf(
  { seller, terms, channels }: ChannelSchemeOptions,
  { signed: { config, voucher } }: ReadPayment<ChannelPayment>,
  amounts: readonly bigint[],
): Promise<bigint | PaymentReason> {
  const fault = channelFault(config, seller, terms);
  if (fault !== undefined) return fault;
  const total = BigInt(voucher.total);
  const current = amounts[0] ?? 'invalid_amount';
  const stored = await channels.read(voucher.channelId);
  if (stored !== undefined) {
    const price = total - BigInt(stored.channel.charged);
    // A total that does not follow is refused once it is known to be the payer's, who then gets the one that does.
    return amounts.includes(price) ? price : current;
  }
  // Nothing is known of the channel yet: the chain's word, which is asked later, has to agree with this.
  return amounts.find((amount) => amount === total) ?? current;
}
