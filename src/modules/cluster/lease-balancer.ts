import type { CollectLogger } from '../../collect/logger.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { FeedCounts, FeedSource } from '../../feed/ports.ts';
import { type CollectorReport, type Move, movesOf } from './balance-leases.ts';
import type { CollectorGossip } from './collector-gossip.ts';
import type { TransferableLeases } from './transferable-leases.ts';

export interface LeaseBalancerOptions {
  readonly name: string;
  readonly leases: TransferableLeases;
  readonly source: Pick<FeedSource, 'health' | 'isOverloaded'>;
  /** Characters of changes since start, of every venue that is collected here. */
  readonly changes: () => ReadonlyMap<VenueId, number>;
  readonly say: (gossip: CollectorGossip) => void;
  /** Monotonic clock, ms. */
  readonly elapsed: () => number;
  readonly counts: FeedCounts;
  readonly logger: CollectLogger;
}

/** A collector that was not heard for this long takes and gives no lease. */
const HEARD_MS = 3000;
/** Weight of a second in the average of a venue's cost, once ten were measured. */
const WEIGHT = 0.1;

interface Peer {
  readonly report: CollectorReport;
  readonly heardAt: number;
}

/** Spreads leases over collectors: each says what it holds and reaches, asks for what it should have, and gives what it should not. */
export class LeaseBalancer {
  readonly #options: LeaseBalancerOptions;
  readonly #peers = new Map<string, Peer>();
  /** Since when each venue has been live here, or has not. */
  readonly #reach = new Map<VenueId, { isLive: boolean; since: number }>();
  readonly #costs = new Map<VenueId, { average: number; seconds: number; changes: number }>();
  readonly #unreached = new Set<VenueId>();
  #held = '';
  #settledAt: number;
  #overloadedSince: number | undefined;
  #overloadedAt: number | undefined;

  constructor(options: LeaseBalancerOptions) {
    this.#options = options;
    this.#settledAt = options.elapsed();
  }

  /** Says how things are here. Call it once a second. */
  tick(): void {
    this.#observe();
    const report = this.#report();
    const asks = movesOf([report, ...this.#heard()]).filter(({ to }) => to === report.name);
    this.#options.say({ report, asks, epochs: this.#epochs() });
  }

  /** Takes what another collector has said; what it says itself comes back to it, too. */
  hear(gossip: CollectorGossip): void {
    const { name, leases, elapsed } = this.#options;
    if ('given' in gossip) {
      if (gossip.given.to === name) void leases.accept(gossip.given.venue, gossip.lease);
      return;
    }
    const { report, asks, epochs } = gossip;
    if (report.name === name) return;
    // Servers that have lost what they decided last would give its next holder one that is not above it.
    for (const [venue, epoch] of Object.entries(epochs)) leases.heard(venue, epoch);
    this.#peers.set(report.name, { report, heardAt: elapsed() });
    for (const ask of asks) if (ask.from === name) this.#give(ask);
  }

  /** True if another collector, and not this one, reaches a venue: then the other is to have it. */
  isBetterElsewhere(venue: VenueId): boolean {
    if (this.#options.source.health.of(venue)?.status === 'live') return false;
    return this.#heard().some(({ reach }) => (reach[venue] ?? 0) > 0);
  }

  /** Given to another since it is not reached here. */
  unreached(): readonly VenueId[] {
    return [...this.#unreached];
  }

  /** Gives what is asked for, if it seems right from here, too. */
  #give(ask: Move): void {
    const { leases, say, counts, logger } = this.#options;
    const isRight = movesOf([this.#report(), ...this.#heard()]).some(
      ({ venue, from, to }) => venue === ask.venue && from === ask.from && to === ask.to,
    );
    const lease = isRight ? leases.give(ask.venue) : undefined;
    if (lease === undefined) return;
    const { venue, to, reason } = ask;
    say({ given: ask, lease });
    counts.given[reason] += 1;
    if (reason === 'unreached') this.#unreached.add(venue);
    this.#settle();
    const why = reason === 'unreached' && this.#options.source.health.of(venue)?.lastError;
    logger.warn({ venue, to, reason, ...(why && { error: why }) }, 'lease given to another collector');
  }

  #heard(): readonly CollectorReport[] {
    const now = this.#options.elapsed();
    for (const [name, { heardAt }] of this.#peers) if (now - heardAt > HEARD_MS) this.#peers.delete(name);
    return [...this.#peers.values()].map(({ report }) => report);
  }

  #observe(): void {
    const { source, elapsed, changes } = this.#options;
    const now = elapsed();
    this.#settle();
    if (source.isOverloaded()) {
      this.#overloadedSince ??= now;
      this.#overloadedAt = now;
    } else this.#overloadedSince = undefined;
    for (const [venue, characters] of changes()) {
      this.#look(venue, now);
      this.#measure(venue, characters);
    }
  }

  #epochs(): Readonly<Record<VenueId, number>> {
    const { leases } = this.#options;
    const known = leases.held().map((venue) => [venue, leases.epoch(venue)] as const);
    return Object.fromEntries(known.filter((entry): entry is [VenueId, number] => entry[1] !== undefined));
  }

  /** After each change of what is held, loads are measured again. */
  #settle(): void {
    const held = this.#options.leases.held().join();
    if (held !== this.#held) this.#settledAt = this.#options.elapsed();
    this.#held = held;
  }

  #look(venue: VenueId, now: number): void {
    const isLive = this.#options.source.health.of(venue)?.status === 'live';
    if (this.#reach.get(venue)?.isLive !== isLive) this.#reach.set(venue, { isLive, since: now });
    if (isLive) this.#unreached.delete(venue);
  }

  #measure(venue: VenueId, changes: number): void {
    const known = this.#costs.get(venue);
    if (known === undefined || this.#options.leases.epoch(venue) === undefined) {
      this.#costs.set(venue, { average: 0, seconds: 0, changes });
      return;
    }
    known.seconds += 1;
    known.average += (changes - known.changes - known.average) * Math.max(WEIGHT, 1 / known.seconds);
    known.changes = changes;
  }

  #report(): CollectorReport {
    const { name, leases, elapsed } = this.#options;
    const now = elapsed();
    const held = leases.held().map((venue) => [venue, Math.round(this.#costs.get(venue)?.average ?? 0)]);
    const reach = [...this.#reach].map(([venue, { isLive, since }]) => [
      venue,
      Math.round(isLive ? now - since : since - now),
    ]);
    const since = this.#overloadedSince;
    const last = this.#overloadedAt;
    return {
      name,
      held: Object.fromEntries(held),
      reach: Object.fromEntries(reach),
      settledMs: now - this.#settledAt,
      overloadedMs: since === undefined ? 0 : Math.max(1, now - since),
      calmMs: last === undefined ? null : now - last,
    };
  }
}
