import type { CollectLogger } from '../../collect/logger.ts';
import type { HealthBoard, VenueHealth } from '../../collect/ports.ts';
import type { Clock } from '../../domain/clock.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { FeedCounts, Followed } from '../../feed/ports.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import type { Sinks } from '../../tape/tape.ts';
import { FollowedVenue } from './followed-venue.ts';
import { type Ask, decodeMessage } from './message.ts';
import { BEAT_MS } from './venue-publisher.ts';

export interface FollowerOptions {
  readonly into: Sinks;
  readonly clock: Clock;
  /** Monotonic clock, ms. */
  readonly elapsed: () => number;
  readonly ask: (ask: Ask) => void;
  readonly counts: FeedCounts;
  readonly logger: CollectLogger;
}

/** Asked again this often for what does not come. */
const ASK_MS = 1000;

/** A seller's side of the feed: fills its sinks with what the holders of the venues' leases say. */
export class Follower implements Followed {
  readonly #options: FollowerOptions;
  readonly #venues = new Map<VenueId, FollowedVenue>();
  readonly #wanted = new Map<VenueId, Set<string>>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #tickedAt = Number.NEGATIVE_INFINITY;
  /** When this process began, or went on after a pause. */
  #awakeAt = Number.NEGATIVE_INFINITY;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  readonly health: HealthBoard = {
    all: () =>
      [...this.#venues.keys()].flatMap((venue) => {
        const health = this.health.of(venue);
        return health === undefined || health.retired === true ? [] : health;
      }),
    of: (venue): VenueHealth | undefined => this.#venues.get(venue)?.health(),
  };

  want(venue: VenueId, symbol: string): void {
    const symbols = this.#wanted.get(venue);
    if (symbols === undefined) this.#wanted.set(venue, new Set([symbol]));
    else symbols.add(symbol);
  }

  /** A message of a venue has come. */
  take(venue: VenueId, text: string): void {
    const { counts } = this.#options;
    const message = decodeMessage(text);
    if (message === undefined) {
      counts.rejected += 1;
      return;
    }
    try {
      const result = this.#of(venue).take(message);
      if (result === 'old') counts.old += 1;
      else counts.taken += 1;
      if (result !== 'gap') return;
      counts.gaps += 1;
      this.#options.ask({ snapshots: [venue] });
    } catch (cause) {
      counts.rejected += 1;
      this.#options.logger.warn({ venue, reason: reasonOf(cause) }, 'what a holder says cannot be taken');
      this.#mend(venue);
    }
  }

  /** Part of a message may have been applied: only the whole state is known to be right. */
  #mend(venue: VenueId): void {
    const followed = this.#of(venue);
    // Of one that is behind it is asked for at every tick that is due, however many messages fail.
    const isNew = !followed.isBehind;
    followed.lose();
    if (isNew) this.#options.ask({ snapshots: [venue] });
  }

  /** Asks for what is missing and for the books that are read. Call it several times a second. */
  tick(): void {
    const { ask, elapsed } = this.#options;
    const now = elapsed();
    this.#look(now);
    if (now - this.#askedAt < ASK_MS) return;
    this.#askedAt = now;
    const snapshots = this.#venues.size === 0 ? 'all' : this.behind();
    const books = Object.fromEntries([...this.#wanted].map(([venue, symbols]) => [venue, [...symbols]]));
    this.#wanted.clear();
    const epochs = Object.fromEntries(this.behind().map((venue) => [venue, this.#of(venue).epoch] as const));
    if (snapshots.length > 0 || Object.keys(books).length > 0) ask({ snapshots, books, epochs });
  }

  behind(): readonly VenueId[] {
    return [...this.#venues].flatMap(([venue, followed]) => (followed.isBehind ? [venue] : []));
  }

  /** Venues whose holders were not heard for so long, ms. */
  silent(ms: number): readonly VenueId[] {
    return [...this.#venues].flatMap(([venue, { silentMs, isBehind }]) =>
      isBehind && silentMs > ms ? [venue] : [],
    );
  }

  /**
   * Messages sent while this process was paused wait to be read: only after that a holder is known to be
   * silent.
   */
  #look(now: number): void {
    if (now - this.#tickedAt > BEAT_MS) this.#awakeAt = now;
    this.#tickedAt = now;
    if (now - this.#awakeAt < BEAT_MS) return;
    for (const followed of this.#venues.values()) followed.look();
  }

  #of(venue: VenueId): FollowedVenue {
    const known = this.#venues.get(venue);
    if (known !== undefined) return known;
    const made = new FollowedVenue(venue, this.#options);
    this.#venues.set(venue, made);
    return made;
  }
}
