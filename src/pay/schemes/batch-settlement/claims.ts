import type { Clock } from '../../../domain/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../../runtime/duration.ts';
import type { ChainWatch, ChainWatchState } from '../../scheme.ts';
import type { ReadChannel, ReadUnsettled } from './chain.ts';
import type { Channels, StoredChannel } from './channels.ts';
import type { FacilitatorRequests } from './facilitator-requests.ts';
import { owedOf, stageOf } from './lifecycle.ts';
import type { Refunds } from './refunds.ts';

/** When channels are claimed. */
export interface ClaimPolicy {
  /** So much is charged and not claimed, atomic units. */
  readonly amount: bigint;
  /** The oldest sale that is not claimed is so old. */
  readonly ageMs: number;
  /** Nothing was sold by a channel for so long. */
  readonly idleMs: number;
}

const DEFAULT_POLICY: ClaimPolicy = { amount: 1_000_000n, ageMs: DAY_MS, idleMs: 60 * MINUTE_MS };
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
    const { channels, clock, owner, refunds } = this.#options;
    const began = clock.now();
    if (!(await channels.leads(owner, LEASE_MS))) return;
    const due: StoredChannel[] = [];
    const failures: unknown[] = [];
    for await (const stored of channels.all()) {
      if (owedOf(stored.channel) <= 0n && stored.channel.refund === undefined) continue;
      const seen = await this.#see(stored).catch((cause: unknown) => void failures.push(cause));
      const current = seen ?? stored;
      if (seen !== undefined) await refunds?.resume(seen);
      if (this.#isDue(current)) due.push(current);
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

  #isDue({ channel }: StoredChannel): boolean {
    const { clock, policy = DEFAULT_POLICY } = this.#options;
    const owed = owedOf(channel);
    if (owed <= 0n || !isCovered(channel)) return false;
    const now = clock.now();
    return (
      channel.chain.withdrawAt > 0 ||
      stageOf(channel) === 'leaving' ||
      owed >= policy.amount ||
      now - (channel.owedSince ?? now) >= policy.ageMs ||
      now - (channel.usedAt ?? now) >= policy.idleMs
    );
  }

  /** Of a batch that fails both halves are tried alone: one bad row spoils no other. */
  async #claim(batch: readonly StoredChannel[]): Promise<void> {
    const { channels, requests } = this.#options;
    for (const { id, channel } of batch)
      await channels.update(id, { kind: 'published', total: channel.newest?.total ?? channel.charged });
    const outcome = await requests.claim(batch);
    if (outcome.kind === 'refused' && batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      await this.#claim(batch.slice(0, middle));
      await this.#claim(batch.slice(middle));
    } else if (outcome.kind === 'settled') {
      for (const stored of batch) await this.#see(stored);
    }
  }

  /** Also what a round before has claimed, or a refund. */
  async #settle(): Promise<void> {
    const { requests, readUnsettled } = this.#options;
    if ((await readUnsettled()) > 0n) await requests.settle();
  }
}

/** The newest voucher covers what is charged. It does not where this ledger has not seen the sales that were claimed. */
const isCovered = ({ charged, newest }: StoredChannel['channel']): boolean =>
  newest !== undefined && BigInt(newest.total) >= BigInt(charged);
