import type { KV } from '@nats-io/kv';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import type { CollectLogger } from '../../../collect/logger.ts';
import type { Clock } from '../../../domain/clock.ts';
import { reasonOf } from '../../../runtime/reason-of.ts';
import { withTimeout } from '../../../runtime/timer.ts';
import type { TransferableLeases } from '../transferable-leases.ts';
import { LeaseBucket } from './lease-bucket.ts';
import { isForbidden, isLeaderless, isRefusal, isUnplaced } from './lease-errors.ts';

/** The server removes what is not renewed for this long. */
const LEASE_MS = 3000;
const RENEW_MS = 1000;
/** A lease that is free is taken this soon. */
const TURN_MS = 150;
/** A call without an answer must leave time for another before the lease is over. */
const CALL_MS = 900;
/** Servers that lost their leader have another within ten seconds: for so long a lease is held without an answer. */
export const LEADERLESS_MS = 15_000;
/**
 * A process that resigns a lease does not campaign for it for five seconds; pending calls have ended by then.
 */
const DECLINED_MS = 5000;
/** More renewals than there are while two processes can believe that they hold a lease. */
const RAISED_APART = 10_000;
/** An epoch is a server's time and a revision; one further ahead of our clock than this is ignored. */
const MAX_CLOCK_SKEW_MS = 3_600_000;

export interface NatsLeasesOptions {
  readonly connection: NatsConnection;
  /** Name of this process, told from all others. */
  readonly holder: string;
  /** Monotonic clock, ms. */
  readonly elapsed: () => number;
  readonly clock: Clock;
  /** A call that is queued while there is no connection may arrive when the lease is over. */
  readonly isConnected: () => boolean;
  /** A lease ends in time also while nobody decides: what its holder does is not fenced where it arrives. */
  readonly isStrict?: boolean;
  /** A free lease is left to others. */
  readonly isBetterElsewhere?: (name: string) => boolean;
  readonly logger: CollectLogger;
}

interface Lease {
  readonly taken: (epoch: number) => void;
  epoch: number;
  /** The latest epoch that somebody else has heard of. */
  heard: number;
  /** Revision of the last renewal. */
  revision: number;
  renewedAt: number;
  /** Until when nobody else can hold it, on the monotonic clock. */
  until: number;
  /** It was taken, and its servers have not said since then that it is over. */
  isOpen: boolean;
  /** Until when it is left to others. */
  declinedUntil: number;
  /** Resolves when what the servers were asked about it last has ended. */
  asking: Promise<void> | undefined;
  /** True once it was logged that the lease could not be renewed. */
  isFailing: boolean;
}

/**
 * A lease is a key of a bucket whose values live three seconds: made where it is not there, renewed by compare-and-set.
 * The time of a lease counts from before its renewal was sent, so it ends here before it ends at the server.
 */
export class NatsLeases implements TransferableLeases {
  readonly #options: NatsLeasesOptions;
  readonly #leases = new Map<string, Lease>();
  /** Since start. */
  renewals = 0;
  readonly #bucket: LeaseBucket;
  #unansweredSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: NatsLeasesOptions) {
    this.#options = options;
    this.#bucket = new LeaseBucket({ ...options, ttlMs: LEASE_MS, callMs: CALL_MS });
  }

  /** Strives from now on; before that, the server is not asked for anything. */
  begin(): void {
    this.#timer ??= setInterval(() => this.#turn(), TURN_MS);
  }

  campaign(name: string, taken: (epoch: number) => void): void {
    if (this.#leases.has(name)) return;
    const past = Number.NEGATIVE_INFINITY;
    const never = { renewedAt: past, until: past, declinedUntil: past };
    this.#leases.set(name, {
      taken,
      epoch: 0,
      heard: 0,
      revision: 0,
      isOpen: false,
      asking: undefined,
      isFailing: false,
      ...never,
    });
  }

  epoch(name: string): number | undefined {
    const lease = this.#leases.get(name);
    const isHeld = lease !== undefined && this.#isHeld(lease) && this.#options.isConnected();
    return isHeld ? lease.epoch : undefined;
  }

  /**
   * The epoch is not raised before the next renewal: a process that was replaced meanwhile, and does not know
   * it yet, has no greater one.
   */
  heard(name: string, epoch: number): void {
    const lease = this.#leases.get(name);
    // An impossible epoch would leave no room for later ones.
    if (lease === undefined || !Number.isSafeInteger(epoch)) return;
    if (epoch > lease.heard && epoch <= this.#options.clock.now() + MAX_CLOCK_SKEW_MS) lease.heard = epoch;
  }

  held(): readonly string[] {
    return [...this.#leases].flatMap(([name, lease]) => (this.#isHeld(lease) ? [name] : []));
  }

  /** The time for which its servers have given no answer about leases, ms. */
  get unansweredMs(): number {
    return this.#unansweredSince === undefined ? 0 : this.#options.elapsed() - this.#unansweredSince;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    const all = [...this.#leases];
    this.#leases.clear();
    await Promise.all(all.map(([name, lease]) => this.#giveBack(name, lease)));
  }

  give(name: string): number | undefined {
    const lease = this.#leases.get(name);
    // A pending request would make the given epoch old.
    if (lease === undefined || lease.asking !== undefined || !this.#isHeld(lease)) return undefined;
    end(lease);
    return lease.revision;
  }

  async accept(name: string, given: number): Promise<void> {
    const lease = this.#leases.get(name);
    if (lease === undefined || this.#isHeld(lease)) return;
    await this.#try(name, lease, () =>
      this.#take(name, lease, (kv, holder) => kv.update(name, holder, given)),
    );
  }

  /** Gives it back, and leaves it to others for some seconds. */
  async resign(name: string): Promise<void> {
    const lease = this.#leases.get(name);
    if (lease === undefined || !this.#isHeld(lease)) return;
    lease.declinedUntil = this.#options.elapsed() + DECLINED_MS;
    await this.#giveBack(name, lease);
  }

  /** A lease that was held is free for others then, also where it was about to be taken or renewed. */
  async #giveBack(name: string, lease: Lease): Promise<void> {
    // Without an answer in the time of a call, nothing more is waited for.
    await withTimeout(lease.asking ?? Promise.resolve(), CALL_MS, () => undefined);
    if (this.#options.elapsed() >= lease.until) return;
    end(lease);
    await this.#bucket
      .open()
      .then(({ kv }) => kv.delete(name, { previousSeq: lease.revision }))
      // A lease that cannot be given back is over in three seconds.
      .catch(() => undefined);
  }

  #isHeld({ until, declinedUntil }: Lease): boolean {
    const now = this.#options.elapsed();
    return declinedUntil <= now && now < until;
  }

  #turn(): void {
    for (const [name, lease] of this.#leases) {
      const isDue = !this.#isHeld(lease) || this.#options.elapsed() - lease.renewedAt >= RENEW_MS;
      if (lease.asking !== undefined || !isDue) continue;
      void this.#ask(name, lease);
    }
  }

  async #ask(name: string, lease: Lease): Promise<void> {
    if (this.#isHeld(lease) || this.#mayGoOn(lease))
      return this.#try(name, lease, () => this.#renew(name, lease));
    if (this.#options.elapsed() < lease.declinedUntil || this.#options.isBetterElsewhere?.(name)) return;
    await this.#try(name, lease, () => this.#take(name, lease, (kv, holder) => kv.create(name, holder)));
  }

  /** Its time is over, perhaps while nobody could give it to another. */
  #mayGoOn({ isOpen, renewedAt }: Lease): boolean {
    return isOpen && !this.#options.isStrict && this.#options.elapsed() < renewedAt + LEADERLESS_MS;
  }

  async #try(name: string, lease: Lease, ask: () => Promise<void>): Promise<void> {
    const asking = this.#answer(name, lease, ask);
    lease.asking = asking;
    await asking;
    if (lease.asking === asking) lease.asking = undefined;
  }

  async #answer(name: string, lease: Lease, ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
      lease.isFailing = false;
      this.#unansweredSince = undefined;
    } catch (cause) {
      if (isRefusal(cause) || isUnplaced(cause)) {
        this.#unansweredSince = undefined;
        return;
      }
      this.#unansweredSince ??= this.#options.elapsed();
      // Its servers may have lost it, with all that it held.
      void this.#bucket.find();
      if (this.#mayGoOn(lease) && (await this.#isUndecided(cause))) this.#outlast(lease);
      const isHeld = this.#isHeld(lease);
      if (!isHeld && !isForbidden(cause)) return;
      const what = isHeld ? 'the lease could not be renewed' : 'the lease cannot be taken';
      if (!lease.isFailing) this.#options.logger.warn({ lease: name, reason: reasonOf(cause) }, what);
      lease.isFailing = true;
    }
  }

  /** True if a server that is reached has no answer for the bucket itself: nobody decides about leases now. */
  async #isUndecided(cause: unknown): Promise<boolean> {
    if (isLeaderless(cause)) return true;
    if (!(cause instanceof errors.TimeoutError)) return false;
    const isReached = this.#options.connection.rtt().then(
      () => true,
      () => false,
    );
    return withTimeout(isReached, CALL_MS, () => false);
  }

  /**
   * Nobody else can take a lease about which nobody decides: it is held until the next answer, also where its
   * time was over before another server was reached. Messages sent meanwhile have the old epoch; a process that
   * has heard a greater one does not take them.
   */
  #outlast(lease: Lease): void {
    if (!this.#mayGoOn(lease)) return;
    // As long as the next call may take, and as long again where this process waits for a core.
    const next = this.#options.elapsed() + 2 * CALL_MS;
    lease.until = Math.max(lease.until, Math.min(next, lease.renewedAt + LEADERLESS_MS));
  }

  async #take(name: string, lease: Lease, write: (kv: KV, holder: string) => Promise<number>): Promise<void> {
    const { kv, madeAt } = await this.#bucket.open();
    const askedAt = this.#options.elapsed();
    const revision = await write(kv, this.#options.holder);
    // Its own former one was heard as well.
    const epoch = above(Math.max(lease.heard, lease.epoch), madeAt + revision);
    Object.assign(lease, { epoch, revision, renewedAt: askedAt, until: askedAt + LEASE_MS });
    if (!this.#isHeld(lease) || !this.#leases.has(name)) return;
    lease.isOpen = true;
    this.#options.logger.info({ lease: name, epoch }, 'lease taken');
    lease.taken(epoch);
  }

  async #renew(name: string, lease: Lease): Promise<void> {
    const { holder } = this.#options;
    const { kv } = await this.#bucket.open();
    const askedAt = this.#options.elapsed();
    try {
      const revision = await kv.update(name, holder, lease.revision);
      Object.assign(lease, { revision, renewedAt: askedAt, until: askedAt + LEASE_MS });
      this.renewals += 1;
      this.#raise(name, lease);
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
      // The last renewal may have been made, and only its answer was lost.
      const found = await kv.get(name);
      if (found?.operation === 'PUT' && found.string() === holder) lease.revision = found.revision;
      else {
        end(lease);
        this.#options.logger.warn({ lease: name, epoch: lease.epoch }, 'lease lost');
      }
    }
  }

  /** Servers that have lost what they decided last give some revisions a second time, below those that followers know. */
  #raise(name: string, lease: Lease): void {
    if (lease.heard <= lease.epoch || !this.#isHeld(lease)) return;
    const epoch = above(lease.heard, lease.epoch);
    lease.epoch = epoch;
    this.#options.logger.warn({ lease: name, epoch }, 'epoch of the lease raised: a later one was heard');
    lease.taken(epoch);
  }
}

function end(lease: Lease): void {
  lease.until = Number.NEGATIVE_INFINITY;
  lease.isOpen = false;
}

/** An epoch, raised above another where it is not: two epochs of one lease are raised to two. */
function above(heard: number, epoch: number): number {
  return epoch > heard ? epoch : heard + 1 + (epoch % RAISED_APART);
}
