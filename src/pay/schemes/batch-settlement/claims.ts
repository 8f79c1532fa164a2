import type { Clock } from '../../../domain/clock.ts';
import { MINUTE_MS } from '../../../runtime/duration.ts';
import type { ChainWatch, ChainWatchState } from '../../scheme.ts';
import type { ReadChannel, ReadUnsettled } from './chain.ts';
import type { Channels, StoredChannel } from './channels.ts';
import { type ClaimPolicy, DEFAULT_POLICY, type DueClaim, dueClaim } from './claim-policy.ts';
import type { FacilitatorRequests } from './facilitator-requests.ts';
import { owedOf } from './lifecycle.ts';
import type { Refunds } from './refunds.ts';

/** Channels of one transaction: hosted facilitators take up to 25. */
const MOST_AT_ONCE = 25;
const EVERY_MS = MINUTE_MS;
/** A process that has ended leaves its lease to others so soon. */
const LEASE_MS = 3 * MINUTE_MS;

export interface ClaimsOptions {
  readonly channels: Channels;
  readonly readChannel: ReadChannel;
  readonly readUnsettled: ReadUnsettled;
  readonly requests: FacilitatorRequests;
  readonly refunds?: Pick<Refunds, 'resume'>;
  readonly clock: Clock;
  /** Name of this run of the process. */
  readonly owner: string;
  readonly policy?: ClaimPolicy;
}

/**
 * Looks at channels on the chain and claims what they owe: in time where a buyer has requested its money back, else once the
 * amount, the age or the silence is worth a transaction. No claim is more than its channel was charged.
 */
export class ChannelClaims implements ChainWatch {
  readonly everyMs = EVERY_MS;
  readonly #options: ClaimsOptions;
  #lookedAt: ChainWatchState['comparedTo'];

  constructor(options: ClaimsOptions) {
    this.#options = options;
    this.#lookedAt = options.clock.now();
  }

  state(): ChainWatchState {
    return { comparedTo: this.#lookedAt, differences: new Map() };
  }

  /** Rejects where the node does not answer for a channel, after all others were looked at. */
  async look(): Promise<void> {
    const { channels, clock, owner, refunds, policy = DEFAULT_POLICY } = this.#options;
    const began = clock.now();
    if (!(await channels.leads(owner, LEASE_MS))) return;
    const due: DueClaim[] = [];
    const failures: unknown[] = [];
    for await (const stored of channels.all()) {
      if (owedOf(stored.channel) <= 0n && stored.channel.refund === undefined) continue;
      const seen = await this.#see(stored).catch((cause: unknown) => void failures.push(cause));
      const current = seen ?? stored;
      if (seen !== undefined) await refunds?.resume(seen);
      const claim = dueClaim(current, policy, clock.now());
      if (claim !== undefined) due.push(claim);
    }
    for (let at = 0; at < due.length; at += MOST_AT_ONCE) {
      await this.#claim(due.slice(at, at + MOST_AT_ONCE));
    }
    await this.#settle().catch((cause: unknown) => failures.push(cause));
    if (failures.length > 0) throw failures[0];
    this.#lookedAt = began;
  }

  /** A channel after another look at the chain. */
  async #see({ id }: StoredChannel): Promise<StoredChannel | undefined> {
    const { channels, readChannel } = this.#options;
    await channels.see(id, await readChannel(id));
    return channels.read(id);
  }

  /** Of a batch that fails both halves are tried alone: one bad row spoils no other. */
  async #claim(batch: readonly DueClaim[]): Promise<void> {
    const { channels, requests } = this.#options;
    for (const { stored, voucher } of batch)
      await channels.update(stored.id, { kind: 'published', total: voucher.total });
    const outcome = await requests.claim(batch);
    if (outcome.kind === 'refused' && batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      await this.#claim(batch.slice(0, middle));
      await this.#claim(batch.slice(middle));
    } else if (outcome.kind === 'settled') {
      for (const { stored } of batch) await this.#see(stored);
    }
  }

  /** Also what a round before has claimed, or a refund. */
  async #settle(): Promise<void> {
    const { requests, readUnsettled } = this.#options;
    if ((await readUnsettled()) > 0n) await requests.settle();
  }
}
