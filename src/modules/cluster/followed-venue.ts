import type { BookWriter, VenueHealth } from '../../collect/ports.ts';
import type { Clock } from '../../domain/clock.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import type { DurationCounts } from '../../domain/duration-counts.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { ListReport } from '../../domain/list-report.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { VenueId, VenueInfo } from '../../domain/venue.ts';
import type { FeedCounts } from '../../feed/ports.ts';
import type { Sinks } from '../../tape/tape.ts';
import { BookFrame, type LevelList } from '../../venues/book-frame.ts';
import type { BookLevels, Entry, MessageHeader } from './message.ts';
import { BEAT_MS } from './venue-publisher.ts';

/** A holder that was not heard for this long has nothing here that may be sold. */
const SILENT_MS = 3 * BEAT_MS;
const BEHIND = 'the feed of this venue is behind';

type Message = MessageHeader & { readonly entries: () => readonly Entry[] };

/** One venue as its holder tells of it. Older holders are not heard, and after a gap nothing is until the whole state came. */
export class FollowedVenue {
  readonly #venue: VenueId;
  readonly #into: Sinks;
  readonly #clock: Clock;
  readonly #elapsed: () => number;
  readonly #lag: DurationCounts;
  readonly #books = new Map<string, BookWriter>();
  readonly #frame = new BookFrame();
  #instruments = new Map<string, Instrument>();
  /** The beginning of a list that goes on. */
  #listed: Instrument[] = [];
  #epoch = 0;
  #sequence = 0;
  /** The epoch of the holder whose state the table has. */
  #tableEpoch = 0;
  /** Parts of a snapshot that are still to come; undefined: all of them, and its beginning. */
  #missing: number | undefined;
  #heardAt = Number.NEGATIVE_INFINITY;
  /** The same by the wall clock, which health goes by. */
  #lastMessageAt: UnixMs;
  /** Since when this is behind, where it is known; of silence it shows only afterwards. */
  #behindFrom: UnixMs | undefined;
  #caughtUpAt = asMs(0);
  /** The last announcement. */
  #announced: { readonly info: VenueInfo; readonly refreshMs: number } | undefined;
  #health: VenueHealth | undefined;

  constructor(
    venue: VenueId,
    {
      into,
      clock,
      elapsed,
      counts,
    }: {
      into: Sinks;
      clock: Clock;
      elapsed: () => number;
      counts: FeedCounts;
    },
  ) {
    this.#venue = venue;
    this.#into = into;
    this.#clock = clock;
    this.#lastMessageAt = clock.now();
    this.#elapsed = elapsed;
    this.#lag = counts.lag;
  }

  /** The latest that was heard. */
  get epoch(): number {
    return this.#epoch;
  }

  /**
   * True if the state here is not all that the holder has sent, or the holder is silent; a venue that is
   * collected no more has no holder to hear.
   */
  get isBehind(): boolean {
    return this.#isSilent ? this.#health?.retired !== true : this.#missing !== 0;
  }

  /** Since its holder was heard. */
  get silentMs(): number {
    return this.#elapsed() - this.#heardAt;
  }

  get #isSilent(): boolean {
    return this.silentMs > SILENT_MS;
  }

  /** Time has passed: books of a holder that has become silent are served no longer. Call it several times a second. */
  look(): void {
    if (this.#missing === undefined || !this.#isSilent) return;
    this.#behindFrom ??= this.#lastMessageAt;
    this.lose();
  }

  /** As the holder judges it; not live while this is behind, and live again from when it was no more. */
  health(): VenueHealth | undefined {
    const health = this.#health;
    if (health === undefined) return undefined;
    if (health.status !== 'live') return this.isBehind ? { ...health, lastError: BEHIND } : health;
    if (!this.isBehind) return { ...health, since: asMs(Math.max(health.since, this.#caughtUpAt)) };
    return { ...health, status: 'stale', since: this.#behindFrom ?? this.#lastMessageAt, lastError: BEHIND };
  }

  /** Takes a message in. `gap`: something is missing, and the whole state is wanted. */
  take(message: Message): 'taken' | 'old' | 'gap' {
    if (this.isBehind) this.#behindFrom ??= this.#lastMessageAt;
    const result = this.#read(message);
    if (!this.isBehind && this.#behindFrom !== undefined) {
      this.#caughtUpAt = this.#clock.now();
      this.#behindFrom = undefined;
      // Said again, it is judged before the next read: the next sweep may be a second away.
      if (this.#announced !== undefined)
        this.#into.market.venue(this.#announced.info, this.#announced.refreshMs);
    }
    return result;
  }

  #read(message: Message): 'taken' | 'old' | 'gap' {
    const { epoch, sequence, part, parts } = message;
    if (epoch < this.#epoch || (epoch === this.#epoch && sequence <= this.#sequence)) return 'old';
    const follows = epoch === this.#epoch && sequence === this.#sequence + 1;
    this.#epoch = epoch;
    this.#sequence = sequence;
    this.#heardAt = this.#elapsed();
    this.#lastMessageAt = this.#clock.now();
    if (!follows) this.lose();
    // A follower already has the content of a snapshot; another one begins with its first part.
    if (part === 1 && this.#missing !== 0) this.#restart(parts);
    if (this.#missing === undefined) return follows ? 'taken' : 'gap';
    if (part > 0 && this.#missing > 0) this.#missing -= 1;
    else if (part > 0) return 'taken';
    const entries = message.entries();
    this.#apply(entries);
    // The content of a snapshot is older than its message.
    if (part === 0) this.#measure(entries);
    return 'taken';
  }

  /** Of the oldest change that a message brings; of a book, its latest state is one. */
  #measure(entries: readonly Entry[]): void {
    let oldest = Number.POSITIVE_INFINITY;
    for (const entry of entries) {
      const at = entry.kind === 'quotes' ? entry.at : entry.kind === 'book' ? entry.levels?.at : undefined;
      if (at !== undefined && at < oldest) oldest = at;
    }
    if (oldest < Number.POSITIVE_INFINITY) this.#lag.add(Math.max(0, this.#clock.now() - oldest) / 1000);
  }

  #restart(parts: number): void {
    this.#missing = parts;
    this.#listed = [];
    if (this.#tableEpoch === this.#epoch) return;
    // Contracts that only a former holder has stated go with him.
    if (this.#tableEpoch > 0) this.#into.market.instruments(this.#venue, [], this.#clock.now());
    this.#tableEpoch = this.#epoch;
  }

  /** The state here may not be the holder's: it is behind until the whole state came. */
  lose(): void {
    this.#missing = undefined;
    this.#behindFrom ??= this.#clock.now();
    this.#invalidateBooks();
  }

  /** A book that may have changed unheard is not served until it is sent again. */
  #invalidateBooks(): void {
    for (const book of this.#books.values()) book.invalidate();
  }

  #apply(entries: readonly Entry[]): void {
    const { market } = this.#into;
    for (const entry of entries) {
      switch (entry.kind) {
        case 'venue':
          this.#announced = entry;
          market.venue(entry.info, entry.refreshMs);
          break;
        case 'instruments':
          this.#listed.push(...entry.list);
          if (entry.more !== true) this.#list(entry.at, entry.report);
          break;
        case 'quotes':
          market.quotes(this.#venue, entry.patches, this.#past(entry.at));
          break;
        case 'past': {
          const { funding, history, at } = entry;
          const decoded = { ...emptyDecoded(), funding, history };
          for (const store of market.stores ?? []) {
            if (store.kinds.some((kind) => decoded[kind].length > 0))
              store.take(this.#venue, decoded, this.#past(at));
          }
          break;
        }
        case 'payments':
          this.#into.payments(this.#venue, entry.funding, this.#past(entry.at));
          break;
        case 'health':
          this.#health = entry.health;
          break;
        case 'book':
          this.#book(entry.symbol, entry.levels);
      }
    }
  }

  #list(at: UnixMs, report: ListReport | undefined): void {
    const whole = this.#listed;
    this.#listed = [];
    this.#instruments = new Map(whole.map((instrument) => [instrument.symbol, instrument]));
    for (const [symbol, book] of this.#books) {
      if (this.#instruments.has(symbol)) continue;
      book.close();
      this.#books.delete(symbol);
    }
    this.#into.market.instruments(this.#venue, whole, this.#past(at), report);
  }

  #book(symbol: string, levels: BookLevels | undefined): void {
    const contract = this.#instruments.get(symbol);
    if (contract === undefined) return;
    if (levels === undefined) {
      this.#books.get(symbol)?.invalidate();
      return;
    }
    const book = this.#books.get(symbol) ?? this.#into.books.open(contract, { uncrosses: false });
    this.#books.set(symbol, book);
    const frame = this.#frame;
    frame.reset();
    frame.symbol = symbol;
    frame.isSnapshot = true;
    frame.scaled = true;
    fill(frame.bids, levels.bids);
    fill(frame.asks, levels.asks);
    book.replace(frame, this.#past(levels.at), { source: levels.source });
  }

  /** A holder's clock that is ahead must not make anything younger than it is. */
  #past(at: UnixMs): UnixMs {
    return asMs(Math.min(at, this.#clock.now()));
  }
}

function fill(side: LevelList, pairs: readonly number[]): void {
  for (let i = 0; i + 1 < pairs.length; i += 2) side.add(pairs[i] as number, pairs[i + 1] as number);
}
