import type { CollectLogger } from '../collect/logger.ts';
import type { HealthBoard } from '../collect/ports.ts';
import type { Clock } from '../domain/clock.ts';
import { DurationCounts } from '../domain/duration-counts.ts';
import type { Lease } from '../domain/lease.ts';
import type { VenueId } from '../domain/venue.ts';
import type { BookView } from '../market/books/book-view.ts';
import type { VenueState } from '../market/venue-state.ts';
import type { TapeListener } from '../tape/listener.ts';
import type { Sinks } from '../tape/tape.ts';

/** Roles of a process: read venues, answer requests for money, keep history. */
export const ROLES = ['collect', 'sell', 'record'] as const;
export type Role = (typeof ROLES)[number];

/** Reasons for which a collector gives the lease of a venue to another. */
export const MOVE_REASONS = ['unreached', 'overload', 'share'] as const;
export type MoveReason = (typeof MOVE_REASONS)[number];

/** Leases to publish a venue: one process at a time has it. */
export interface Leases {
  /**
   * Strives for the venue's lease from now on, also after it was lost.
   *
   * @param taken is called at every take-over, and where the epoch is raised
   */
  campaign(venue: VenueId, taken: (epoch: number) => void): void;
  /** Epoch of the venue's lease, where this process certainly holds it at this moment. */
  epoch(venue: VenueId): number | undefined;
  /** Somebody takes nothing of the venue below this epoch: what is held here is raised above it. */
  heard(venue: VenueId, epoch: number): void;
  /** Venues whose lease is held now. */
  held(): readonly VenueId[];
  /** Gives back what is held. */
  close(): Promise<void>;
}

/** The state that a collector sends to a new follower. */
export interface FeedSource {
  /** All that the table holds of a venue. */
  state(venue: VenueId): VenueState | undefined;
  readonly health: Pick<HealthBoard, 'of'>;
  /** True if work is shed because this machine is too slow. */
  readonly isOverloaded: () => boolean;
  /** Reading these does not tell that they are wanted. */
  readonly books: BookView;
  /** A seller reads this contract's book. */
  want(venue: VenueId, symbol: string): void;
}

/** Follows the holders in the place of a collector. */
export interface Followed {
  /** As the holders judge it; a venue that is behind what is published is not live. */
  readonly health: HealthBoard;
  /** Somebody reads this contract's book. */
  want(venue: VenueId, symbol: string): void;
}

/** The kinds of feed between collectors and sellers, in the words of `/v1/health`. */
export const FEED_KINDS = ['embedded', 'nats'] as const;

export interface FeedState {
  readonly kind: (typeof FEED_KINDS)[number];
  /** True if the server of the feed answers, and decides about leases; the embedded feed needs none. */
  readonly ok: boolean;
  /** Venues that this process publishes. */
  readonly held: readonly VenueId[];
  /** Venues of which it has not all that is published, or hears nothing. */
  readonly behind: readonly VenueId[];
  /** Venues that this process gave to another, since it could not reach them, and does not reach yet. */
  readonly unreached: readonly VenueId[];
  readonly counts: FeedCounts;
}

/** Messages since start. */
export interface FeedCounts {
  sent: number;
  sentCharacters: number;
  taken: number;
  /** Of a holder that has lost its lease, or heard before: not taken. */
  old: number;
  /** Times that something was missing, and the whole state was asked for. */
  gaps: number;
  /** In no format that is known here. */
  rejected: number;
  /** Leases that were given to another collector, by the reason. */
  readonly given: Record<MoveReason, number>;
  /** Time from receipt at the collector to the table of this process, by the clocks of both. */
  readonly lag: DurationCounts;
}

export const emptyFeedCounts = (): FeedCounts => ({
  sent: 0,
  sentCharacters: 0,
  taken: 0,
  old: 0,
  gaps: 0,
  rejected: 0,
  given: { unreached: 0, overload: 0, share: 0 },
  lag: new DurationCounts(),
});

/** Carries the collectors' data to the tables that answers read. */
export interface Feed {
  /** For a collector: what this hears of a venue reaches all followers, while the venue's lease is held here. */
  publish(source: FeedSource): TapeListener;
  /** For a process that collects nothing: fills these sinks with what holders publish. */
  follow(into: Sinks): Followed;
  state(): FeedState;
  /** Gives back the venues that it publishes: nothing is collected here any more. */
  release(): Promise<void>;
  close(): Promise<void>;
}

/** A feed between processes, with the lease of the one that writes the history: the feed's `close` gives it back. */
export interface SharedFeed {
  readonly feed: Feed;
  readonly lease: Lease;
}

/** A feed that is not in this process alone. */
export interface FeedPlace {
  readonly kind: FeedState['kind'];
  /** Rejects with what is wrong. */
  open(options: { readonly clock: Clock; readonly logger: CollectLogger }): Promise<SharedFeed>;
}
