import type { Clock } from '../../../domain/clock.ts';
import { asMs, type UnixMs } from '../../../domain/units.ts';
import { MINUTE_MS } from '../../../runtime/duration.ts';
import { groupBy } from '../../../runtime/group-by.ts';
import type { Ledger } from '../../ledger.ts';
import { type Stage, stageOf } from '../../lifecycle.ts';
import type { ChainWatch, ChainWatchState } from '../../scheme.ts';
import type { ReadChannels, ReadUnsettled } from './chain.ts';
import { trueAt } from './chain-view.ts';
import { ChannelWalk } from './channel-walk.ts';
import type { Channels, StoredChannel } from './channels.ts';
import { MOST_CLAIMED } from './claim-gas.ts';
import { type ClaimPolicy, DEFAULT_POLICY, type DueClaim, dueClaim, isLeaving } from './claim-policy.ts';
import { ClaimTries } from './claim-tries.ts';
import type { FacilitatorRequests } from './facilitator-requests.ts';
import { owedOf } from './lifecycle.ts';
import type { Refunds } from './refunds.ts';

/** Channels of one request to the node. */
const SEEN_AT_ONCE = 100;
const EVERY_MS = MINUTE_MS;
/** Channels with something undone that wait for the next round, beside those that leave; more are met by the next walk. */
const MOST_WAITING = 2_000;
/** A round claims for so long; the next one goes on, after another look at those that may be urgent. */
const CLAIMING_MS = 2 * MINUTE_MS;
/** Each channel that owes something is looked at so often within the time in which a withdrawal has to be answered. */
const WALKS_IN_DELAY = 12;
const MAX_WALK_MS = 30 * MINUTE_MS;
/** Nobody finds out any more what became of a payment that is, or was, in one of these stages. */
const OVER: ReadonlySet<Stage> = new Set(['none', 'refused', 'unproven']);
/** A process that has ended leaves its lease to others so soon. */
const LEASE_MS = 3 * MINUTE_MS;

export interface ClaimsOptions {
  readonly channels: Channels;
  readonly readChannels: ReadChannels;
  readonly readUnsettled: ReadUnsettled;
  readonly requests: FacilitatorRequests;
  readonly refunds?: Pick<Refunds, 'resume'>;
  /** Payments of the ledger. */
  readonly payments: Pick<Ledger, 'get'>;
  readonly clock: Clock;
  /** Name of this run of the process. */
  readonly owner: string;
  readonly policy?: ClaimPolicy;
  /** That of new channels, seconds. */
  readonly withdrawDelay: number;
}

/**
 * Looks at channels on the chain and claims what they owe: in time where a buyer has requested its money back, else once the
 * amount, the age or the silence is worth a transaction. No claim is more than its channel was charged.
 */
export class ChannelClaims implements ChainWatch {
  readonly everyMs = EVERY_MS;
  readonly #options: ClaimsOptions;
  readonly #walk: ChannelWalk;
  readonly #tries = new ClaimTries();
  /** Channels that the next round looks at, whatever share of all it has. */
  readonly #urgent = new Set<string>();
  /** Addresses of keys that claims need and that are not here. */
  readonly #missing = new Set<string>();
  /** Receivers of the channels that were met: a seller may have had another address before. */
  readonly #receivers = new Set<string>();
  /** The shortest delay of a withdrawal of those that were met, seconds. */
  #shortestDelay: number;
  #lookedAt: ChainWatchState['comparedTo'];

  constructor(options: ClaimsOptions) {
    this.#options = options;
    this.#walk = new ChannelWalk(options.channels);
    this.#receivers.add(options.requests.receiver);
    this.#shortestDelay = options.withdrawDelay;
    this.#lookedAt = options.clock.now();
  }

  state(): ChainWatchState {
    return { comparedTo: this.#lookedAt, differences: new Map() };
  }

  /** Rejects where the node does not answer for some channels, after all others were looked at. */
  async look(): Promise<void> {
    const { channels, clock, owner } = this.#options;
    const began = clock.now();
    if (!(await channels.leads(owner, LEASE_MS))) return;
    const failures: unknown[] = [];
    const due: DueClaim[] = [];
    let some: StoredChannel[] = [];
    for await (const stored of this.#open()) {
      some.push(stored);
      if (some.length < SEEN_AT_ONCE) continue;
      await this.#examine(some, due, failures);
      some = [];
    }
    if (some.length > 0) await this.#examine(some, due, failures);
    const signed = due.filter(({ stored }) => this.#options.requests.canSign(stored));
    await this.#claimAll(signed, asMs(began + CLAIMING_MS));
    await this.#settle().catch((cause: unknown) => failures.push(cause));
    failures.push(...this.#newlyMissing(due));
    if (failures.length > 0) throw failures[0];
    this.#lookedAt = began;
  }

  /** The channels of this round about which there may be something to do: the urgent ones, and a share of all. */
  async *#open(): AsyncGenerator<StoredChannel> {
    const { channels, requests, withdrawDelay } = this.#options;
    const urgent = new Set(this.#urgent);
    this.#urgent.clear();
    for (const id of urgent) {
      const stored = await channels.read(id);
      if (stored !== undefined && isOpen(stored)) yield stored;
    }
    const walkMs = Math.min(MAX_WALK_MS, (this.#shortestDelay * 1_000) / WALKS_IN_DELAY);
    this.#shortestDelay = withdrawDelay;
    for await (const stored of this.#walk.share(Math.max(1, Math.floor(walkMs / EVERY_MS)))) {
      if (!requests.isOfNetwork(stored)) continue;
      this.#receivers.add(stored.channel.config.receiver);
      if (urgent.has(stored.id) || !isOpen(stored)) continue;
      this.#shortestDelay = Math.min(this.#shortestDelay, stored.channel.config.withdrawDelay);
      yield stored;
    }
  }

  /** Looks at some channels, goes on with refunds that were begun, and notes the claims that are due. */
  async #examine(some: readonly StoredChannel[], due: DueClaim[], failures: unknown[]): Promise<void> {
    const { clock, refunds, policy = DEFAULT_POLICY } = this.#options;
    const seen = await this.#see(some).catch((cause: unknown) => void failures.push(cause));
    for (const stored of seen ?? some) {
      const { open, refund } = stored.channel;
      if (open !== undefined) await this.#dropOver(stored.id, open.key);
      const refused = seen === undefined ? undefined : await refunds?.resume(stored);
      if (refused !== undefined) failures.push(new Error(refused));
      const claim = dueClaim(stored, policy, clock.now());
      if (claim !== undefined) due.push(claim);
      const isPressing = claim !== undefined && isLeaving(stored, clock.now());
      const isUndone = claim !== undefined || seen === undefined;
      const isWaiting = isUndone && this.#urgent.size < MOST_WAITING;
      if (isPressing || isWaiting || refund !== undefined) this.#urgent.add(stored.id);
    }
  }

  /** Frees a channel whose sale was given up while nobody could change it, as without the key of the scheme. */
  async #dropOver(id: string, key: string): Promise<void> {
    const { channels, payments } = this.#options;
    const stage = stageOf(await payments.get(key));
    if (OVER.has(stage)) await channels.update(id, { kind: 'dropped', key });
  }

  /** Channels after another look at the chain. */
  async #see(some: readonly StoredChannel[]): Promise<readonly StoredChannel[]> {
    const { channels, readChannels } = this.#options;
    const views = await readChannels(some.map(({ id }) => id));
    const seen = some.map(async (stored, i) => {
      const view = views[i];
      if (view !== undefined) await channels.see(stored.id, view);
      return (await channels.read(stored.id)) ?? stored;
    });
    return Promise.all(seen);
  }

  /** A word about each key that claims need and that is not here, once. */
  #newlyMissing(due: readonly DueClaim[]): readonly Error[] {
    const unsigned = due.filter(({ stored }) => !this.#options.requests.canSign(stored));
    const byKey = groupBy(unsigned, ({ stored }) => stored.channel.config.receiverAuthorizer);
    return [...byKey].flatMap(([address, claims]) => {
      if (this.#missing.has(address)) return [];
      this.#missing.add(address);
      return [new Error(missingKey(address, claims.length))];
    });
  }

  /**
   * Those whose buyers leave come first, then those whose buyers may: none of both is paused, since a claim too many costs a
   * transaction, and one that comes too late what is owed. One that was made is not made again for want of a newer view.
   */
  async #claimAll(due: readonly DueClaim[], until: UnixMs): Promise<void> {
    const { clock } = this.#options;
    const now = clock.now();
    const asked = due.filter((claim) => !this.#tries.isUnseen(claim));
    const leaving = asked.filter(({ stored }) => stored.channel.chain.withdrawAt > 0);
    const rest = asked.filter(({ stored }) => stored.channel.chain.withdrawAt === 0);
    const mayLeave = rest.filter(({ stored }) => isLeaving(stored, now));
    const others = rest.filter(
      ({ stored }) => !isLeaving(stored, now) && !this.#tries.isPaused(stored.id, now),
    );
    for (const claims of [leaving, mayLeave, others]) {
      for (const batch of this.#batches(claims)) if (clock.now() < until) await this.#claim(batch);
    }
  }

  /** Each of one authorizer, and as large as its channels deserve. */
  #batches(claims: readonly DueClaim[]): readonly (readonly DueClaim[])[] {
    const byKey = groupBy(claims, ({ stored }) => stored.channel.config.receiverAuthorizer);
    return [...byKey.values()].flatMap((ofKey) => {
      const bySize = groupBy(ofKey, ({ stored }) => this.#tries.sizeAfter(stored.id, MOST_CLAIMED));
      return [...bySize].flatMap(([size, group]) => inBatches(group, size));
    });
  }

  /** Of a batch that is refused both halves are tried alone: one bad row spoils no other. */
  async #claim(due: readonly DueClaim[]): Promise<void> {
    const { requests } = this.#options;
    const batch = await this.#published(due);
    if (batch.length === 0) return;
    const outcome = await requests.claim(batch);
    if (outcome.kind === 'refused' && batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      await this.#claim(batch.slice(0, middle));
      await this.#claim(batch.slice(middle));
    } else if (outcome.kind !== 'unsent') await this.#judge(batch, outcome.kind === 'settled');
  }

  /** Those whose vouchers are noted as known to others: one whose channel changes all the time waits for the next round. */
  async #published(due: readonly DueClaim[]): Promise<readonly DueClaim[]> {
    const { channels } = this.#options;
    const published: DueClaim[] = [];
    for (const claim of due) {
      const event = { kind: 'published', total: claim.voucher.total } as const;
      if ((await channels.update(claim.stored.id, event)) !== undefined) published.push(claim);
    }
    return published;
  }

  /** The chain alone says which of them are claimed; of a view that is older than the claim, nothing is known yet. */
  async #judge(batch: readonly DueClaim[], isMade: boolean): Promise<void> {
    const now = this.#options.clock.now();
    const stored = batch.map((claim) => claim.stored);
    const seen = await this.#see(stored).catch(() => stored);
    for (const [i, claim] of batch.entries()) {
      const { id, channel } = seen[i] ?? claim.stored;
      if (BigInt(channel.chain.claimed) >= BigInt(claim.total)) {
        this.#tries.made(id);
        this.#urgent.delete(id);
      } else if (isMade && trueAt(channel.chain) < now) this.#tries.said(claim, now);
      else this.#tries.failed(id, now);
    }
  }

  /** Also what a round before has claimed, or a refund; for each receiver, since the contract pays one at a time. */
  async #settle(): Promise<void> {
    const { requests, readUnsettled } = this.#options;
    const receivers = [...this.#receivers];
    const unsettled = await readUnsettled(receivers);
    for (const [i, receiver] of receivers.entries()) {
      if ((unsettled[i] ?? 0n) > 0n) await requests.settle(receiver);
    }
  }
}

/** Something is owed, on its way back to the buyer, or under way. */
const isOpen = ({ channel: { open, refund, chain }, channel }: StoredChannel): boolean =>
  owedOf(channel) > 0n || open !== undefined || refund !== undefined || chain.withdrawAt > 0;

const inBatches = (claims: readonly DueClaim[], size: number): readonly (readonly DueClaim[])[] =>
  Array.from({ length: Math.ceil(claims.length / size) }, (_, i) => claims.slice(i * size, (i + 1) * size));

const missingKey = (address: string, count: number): string =>
  `${count} channels cannot be claimed: CHANNEL_AUTHORIZER_KEY needs the key of ${address} behind the one in use, or their buyers can take back what they owe`;
