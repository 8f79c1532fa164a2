import type { Clock } from '../../../domain/clock.ts';
import type { PaymentReason } from '../../../domain/payment-errors.ts';
import type { Wire } from '../../../domain/read.ts';
import type { UnixMs } from '../../../domain/units.ts';
import { MINUTE_MS } from '../../../runtime/duration.ts';
import { wait } from '../../../runtime/timer.ts';
import type { SettleOutcome } from '../../facilitator.ts';
import type { AccountOutcome, AccountRequest } from '../../scheme.ts';
import type { Seller } from '../../seller.ts';
import type { StoredChannel } from './channels.ts';
import { wholeClaim } from './claim-policy.ts';
import { correctionOf } from './correction.ts';
import type { ChannelDigests } from './digests.ts';
import type { FacilitatorRequests } from './facilitator-requests.ts';
import { type Channel, foundChannel, isPublished, type MadeRefund, type OpenRefund } from './lifecycle.ts';
import { type LookOptions, ledgerFault, look } from './look.ts';
import { NOTHING_LEFT, WRONG_REFUND } from './offer.ts';
import { type RefundRequest, readRefundRequest } from './payload.ts';
import type { CheckChannelPayment } from './signatures.ts';
import { type ChannelTerms, channelFault, SCHEME_NAME } from './terms.ts';
import { channelStateWire } from './wire.ts';

/** A refund that its facilitator has sent is looked for so long, and so often. */
const SEEN_WITHIN = { tries: 10, pauseMs: 500 } as const;
/** A facilitator that was asked is not asked again sooner; the pause doubles with each time, up to an hour. */
const AGAIN_MS = 2 * MINUTE_MS;
const MAX_AGAIN_MS = 60 * MINUTE_MS;
/** So often, over an hour, a facilitator may refuse what it was asked again: then it is refused for good. */
const MOST_TRIES = 5;
/** A part of a channel is given back so often; the same request gets the same answer meanwhile. */
const PART_EVERY_MS = 10 * MINUTE_MS;

export interface RefundsOptions extends LookOptions {
  readonly seller: Seller;
  readonly terms: ChannelTerms;
  readonly digests: ChannelDigests;
  readonly signatures: CheckChannelPayment;
  readonly requests: FacilitatorRequests;
  readonly clock: Clock;
  readonly patience?: { readonly tries: number; readonly pauseMs: number };
}

/**
 * Gives back what is left in a channel when its buyer asks for it. The request is signed as a voucher that charges nothing,
 * which is the newest voucher again: once that was claimed, anybody can read it on the chain, and it asks for nothing any
 * more unless it is signed anew.
 */
export class Refunds {
  readonly #options: RefundsOptions;

  constructor(options: RefundsOptions) {
    this.#options = options;
  }

  /** The request of a payload; undefined where it asks for no refund. */
  read(payload: Wire): AccountRequest | undefined {
    const asked = readRefundRequest(payload);
    if (asked === undefined || this.#options.digests.channelId(asked.config) !== asked.voucher.channelId)
      return undefined;
    return () => this.#answer(asked);
  }

  /**
   * Asks again for a refund that was begun and is not on the chain by the last look; a sentence for the operator where it is
   * refused for good.
   */
  async resume({ id, channel }: StoredChannel): Promise<string | undefined> {
    const { channels, clock } = this.#options;
    const { refund } = channel;
    const now = clock.now();
    if (refund === undefined || now < refund.askedAt + pauseAfter(refund)) return undefined;
    if (!this.#options.requests.canSign({ id, version: 0, channel })) return undefined;
    const noted = await channels.update(id, { kind: 'refund_retried', at: now });
    if (noted?.refund?.nonce !== refund.nonce) return undefined;
    const outcome = await this.#make(id, noted, noted.refund);
    if (outcome?.kind !== 'rejected') return undefined;
    const reason = (await channels.read(id))?.channel.refused?.reason ?? 'unknown';
    return `the refund of channel ${id} is refused for good (${reason}): its buyer can ask again, or withdraw through the contract`;
  }

  async #answer(asked: RefundRequest): Promise<AccountOutcome> {
    const { channels, clock } = this.#options;
    const { channelId: id } = asked.voucher;
    const fault = await this.#faultOf(asked);
    if (fault !== undefined) return { kind: 'rejected', reason: fault };
    const view = await look(this.#options, id);
    if (typeof view === 'string') return { kind: 'unavailable', reason: view };
    const channel = (await channels.read(id))?.channel ?? foundChannel(asked.config, view);
    const made = repeated(channel, asked, clock.now());
    if (made !== undefined) return this.#made(id, channel, made);
    const obstacle = await this.#obstacle(channel, asked);
    if (obstacle !== undefined) return obstacle;
    const refund = refundOf(channel, asked, clock.now());
    const begun = await channels.update(id, { kind: 'refunding', refund }, asked.config);
    if (begun === undefined) return { kind: 'busy' };
    const outcome = await this.#make(id, begun, refund).catch((cause: unknown) => {
      if (ledgerFault(cause) === undefined) throw cause;
    });
    return outcome ?? { kind: 'unclear' };
  }

  /** The fault of a request by itself. */
  async #faultOf({ config, voucher }: RefundRequest): Promise<PaymentReason | undefined> {
    const { seller, terms, signatures } = this.#options;
    const fault = channelFault(config, seller, terms);
    if (fault !== undefined) return fault;
    const match = await signatures({ config, voucher, deposit: undefined });
    return match === 'match' ? undefined : 'invalid_signature';
  }

  /** The answer to a request that its channel does not allow. */
  async #obstacle(channel: Channel, { voucher, amount }: RefundRequest): Promise<AccountOutcome | undefined> {
    const { channels, seller, clock } = this.#options;
    if (channel.refund !== undefined || channel.open !== undefined) return { kind: 'busy' };
    if (BigInt(voucher.total) !== BigInt(channel.charged)) {
      const correction = await correctionOf(channels, seller, { voucher });
      return correction === undefined ? { kind: 'unclear' } : { kind: 'corrected', correction };
    }
    if (leftOf(channel) <= 0n) return noRefund(seller, NOTHING_LEFT);
    if (!isOfBuyer(channel, voucher)) return { kind: 'rejected', reason: 'refund_not_proven' };
    const { refunded } = channel;
    const isSoon = refunded !== undefined && clock.now() < refunded.at + PART_EVERY_MS;
    const isPart = amount !== undefined && BigInt(amount) < leftOf(channel);
    return isSoon && isPart && refunded.total === channel.charged
      ? noRefund(seller, WRONG_REFUND)
      : undefined;
  }

  /** Undefined where the chain does not show it yet. */
  async #make(id: string, channel: Channel, refund: OpenRefund): Promise<AccountOutcome | undefined> {
    const { channels, requests } = this.#options;
    const claim = refund.isFull ? wholeClaim({ id, version: 0, channel }) : undefined;
    const isNoted =
      claim === undefined ||
      (await channels.update(id, { kind: 'published', total: claim.voucher.total })) !== undefined;
    if (!isNoted) return undefined;
    const outcome = await requests.refund({ id, version: 0, channel }, refund, claim);
    if (outcome.kind === 'unsent') {
      const after = await channels.update(id, { kind: 'refund_dropped' });
      return after && { kind: 'unavailable', reason: outcome.reason };
    }
    const { transaction } = outcome;
    if (transaction !== undefined) await channels.update(id, { kind: 'refund_sent', transaction });
    const seen = await this.#seen(id, refund, outcome);
    return seen === undefined && outcome.kind === 'refused'
      ? this.#refused(id, refund, outcome.reason)
      : seen;
  }

  /** Gives up what is refused again and again, or was given up before. */
  async #refused(
    id: string,
    { nonce, tries }: OpenRefund,
    reason: string,
  ): Promise<AccountOutcome | undefined> {
    const { channels, clock } = this.#options;
    const wasRefused = (await channels.read(id))?.channel.refused?.nonce === nonce;
    if (tries < MOST_TRIES && !wasRefused) return undefined;
    const event = { kind: 'refund_refused', nonce, reason, at: clock.now() } as const;
    const isOver = (await channels.update(id, event)) !== undefined;
    return isOver ? { kind: 'rejected', reason: 'refund_refused' } : undefined;
  }

  /** The chain alone says that a refund is made. */
  async #seen(
    id: string,
    { nonce }: OpenRefund,
    outcome: SettleOutcome,
  ): Promise<AccountOutcome | undefined> {
    const { channels, patience = SEEN_WITHIN } = this.#options;
    const { tries, pauseMs } = outcome.kind === 'settled' ? patience : { tries: 1, pauseMs: 0 };
    for (let i = 1; ; i++) {
      await look(this.#options, id);
      const channel = (await channels.read(id))?.channel;
      if (channel?.refunded !== undefined && channel.refund?.nonce !== nonce)
        return this.#made(id, channel, channel.refunded);
      if (i >= tries) return undefined;
      await wait(pauseMs);
    }
  }

  #made(
    id: string,
    { config, charged, chain }: Channel,
    { amount, transaction = '' }: MadeRefund,
  ): AccountOutcome {
    const channelState = channelStateWire(id, charged, chain);
    const members = { amount, extra: { channelState } };
    return {
      kind: 'done',
      payer: config.payer,
      transaction,
      members,
      body: { channelId: id, refunded: amount },
    };
  }
}

/** Neither charged nor given back, atomic units. */
const leftOf = ({ charged, chain }: Channel): bigint => BigInt(chain.balance) - BigInt(charged);

/** Only the buyer has signed this: it was never given away, or it is another signature than the one that was. */
function isOfBuyer(channel: Channel, { total, signature }: RefundRequest['voucher']): boolean {
  const { newest, published, chain } = channel;
  if (total === '0') return published === undefined && chain.claimed === '0';
  if (newest?.total === total && newest.signature !== signature) return true;
  return !isPublished(channel, total);
}

/** All that is left, or the part of it that was asked for. */
function refundOf(channel: Channel, { voucher, amount }: RefundRequest, now: UnixMs): OpenRefund {
  const left = leftOf(channel);
  const isFull = amount === undefined || BigInt(amount) >= left;
  const by = { total: voucher.total, signature: voucher.signature };
  const given = isFull ? left.toString() : amount;
  return { nonce: channel.chain.refundNonce, amount: given, by, isFull, askedAt: now, tries: 0 };
}

/** The refund for which the same request was made before, as by a buyer that did not get its answer. */
function repeated({ refund, refunded, charged, chain }: Channel, asked: RefundRequest, now: UnixMs) {
  if (refund !== undefined || refunded === undefined || refunded.total !== asked.voucher.total)
    return undefined;
  const isEmpty = BigInt(chain.balance) <= BigInt(charged);
  const isSame = refunded.isFull
    ? isEmpty
    : refunded.asked === asked.amount && now < refunded.at + PART_EVERY_MS;
  return isSame ? refunded : undefined;
}

const pauseAfter = ({ tries }: OpenRefund): number =>
  Math.min(AGAIN_MS * 2 ** Math.min(tries, 10), MAX_AGAIN_MS);

/** A refusal in the scheme's own words. */
const noRefund = ({ network }: Seller, reason: string): AccountOutcome => ({
  kind: 'corrected',
  correction: { reason, scheme: SCHEME_NAME, network: network.id, extra: {} },
});
