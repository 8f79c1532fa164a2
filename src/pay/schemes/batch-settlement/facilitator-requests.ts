import { checksumAddress } from '../../address.ts';
import type { SettlementRequest, SettleOutcome } from '../../facilitator.ts';
import type { FacilitatorList } from '../../facilitator-list.ts';
import type { Seller } from '../../seller.ts';
import type { SignDigest } from '../../sign.ts';
import type { StoredChannel } from './channels.ts';
import type { DueClaim } from './claim-policy.ts';
import type { ChannelDigests } from './digests.ts';
import type { OpenRefund } from './lifecycle.ts';
import { type ChannelTerms, channelTerms } from './terms.ts';
import { claimWire, refundWire } from './wire.ts';

export interface FacilitatorRequestsOptions {
  readonly seller: Seller;
  readonly terms: ChannelTerms;
  readonly facilitators: FacilitatorList;
  readonly digests: ChannelDigests;
  /** Signs as a receiver's authorizer, by its address; undefined without its key. */
  readonly signAs: (authorizer: string) => SignDigest | undefined;
  /** Hears how each claim and each refund ended. */
  readonly observe?: (kind: 'claim' | 'refund', outcome: SettleOutcome) => void;
}

/** The seller's own requests to facilitators, signed by the receiver's authorizer. None rejects, and each is bounded in time. */
export class FacilitatorRequests {
  readonly #options: FacilitatorRequestsOptions;

  constructor(options: FacilitatorRequestsOptions) {
    this.#options = options;
  }

  /** True for a channel of this network: a ledger may have those of one that was offered before. */
  isOfNetwork({ id, channel }: StoredChannel): boolean {
    return this.#options.digests.channelId(channel.config) === id;
  }

  /** True with the key of a channel's authorizer. */
  canSign({ channel }: StoredChannel): boolean {
    return this.#options.signAs(channel.config.receiverAuthorizer) !== undefined;
  }

  /** Claims of channels that have one authorizer. */
  async claim(batch: readonly DueClaim[]): Promise<SettleOutcome> {
    const claims = batch.map(claimRow);
    const claimAuthorizerSignature = await this.#claimSignature(batch);
    const outcome = await this.#ask({ type: 'claim', claims, claimAuthorizerSignature });
    this.#options.observe?.('claim', outcome);
    return outcome;
  }

  /** The receiver of new channels, in lower case. */
  get receiver(): string {
    return this.#options.seller.payTo.toLowerCase();
  }

  /** Brings what is claimed to its receiver. */
  async settle(receiver: string): Promise<SettleOutcome> {
    return this.#ask({
      type: 'settle',
      receiver: checksumAddress(receiver),
      token: this.#options.seller.asset,
    });
  }

  /**
   * Gives money back to a channel's payer.
   *
   * @param claim made in the same transaction
   */
  async refund(
    stored: StoredChannel,
    refund: OpenRefund,
    claim: DueClaim | undefined,
  ): Promise<SettleOutcome> {
    const { nonce, amount } = refund;
    const { config } = stored.channel;
    const claims = claim === undefined ? [] : [claimRow(claim)];
    const digest = this.#options.digests.refund(stored.id, BigInt(nonce), BigInt(amount));
    const refundAuthorizerSignature = await this.#signed(digest, stored);
    const claimAuthorizerSignature = claim && (await this.#claimSignature([claim]));
    const request = refundWire(stored, refund);
    const outcome = await this.#ask(
      { ...request, claims, refundAuthorizerSignature, claimAuthorizerSignature },
      config.payer,
    );
    this.#options.observe?.('refund', outcome);
    return outcome;
  }

  async #claimSignature(batch: readonly DueClaim[]): Promise<string> {
    const entries = batch.map(({ stored, voucher, total }) => ({
      channelId: stored.id,
      signed: BigInt(voucher.total),
      claimed: BigInt(total),
    }));
    return this.#signed(this.#options.digests.claims(entries), batch[0]?.stored);
  }

  async #signed(digest: Buffer, stored: StoredChannel | undefined): Promise<string> {
    const sign = stored && this.#options.signAs(stored.channel.config.receiverAuthorizer);
    if (sign === undefined) throw new Error('the key of the authorizer is not here');
    const { r, s, yParity } = await sign(digest);
    return `${r}${s.slice(2)}${yParity === 0 ? '1b' : '1c'}`;
  }

  /** The word of the first facilitator that takes it on. */
  async #ask(payload: object, payer: string = this.#options.seller.payTo): Promise<SettleOutcome> {
    const { facilitators, seller, terms } = this.#options;
    const requirement = channelTerms(seller, terms, 0n);
    const request: SettlementRequest = { requirement, payer, payload, moves: null };
    let outcome: SettleOutcome = { kind: 'unsent', reason: 'no_facilitator' };
    for (const { name } of facilitators.states()) {
      outcome = (await facilitators.named(name)?.settle(request)) ?? outcome;
      if (outcome.kind !== 'unsent') return outcome;
    }
    return outcome;
  }
}

const claimRow = ({ stored, voucher, total }: DueClaim): object =>
  claimWire(stored.channel.config, voucher, total);
