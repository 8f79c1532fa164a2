import type { VenueHealth } from '../../collect/ports.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { ListReport } from '../../domain/list-report.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueState } from '../../market/venue-state.ts';
import { type BookLevels, type Entry, encodeMessage } from './message.ts';

export interface OutboxOptions {
  /** Epoch of the lease while it is held. */
  readonly epoch: () => number | undefined;
  readonly state: () => VenueState | undefined;
  readonly health: () => VenueHealth | undefined;
  /** A book, where it is in order. */
  readonly book: (symbol: string) => BookLevels | undefined;
  readonly send: (message: string) => void;
  readonly now: () => UnixMs;
  /** Monotonic clock, ms. */
  readonly elapsed: () => number;
}

/** A book is sent ten times a second at most, however often it changes. */
const BOOK_MS = 100;
/** A follower that hears nothing for much longer than this is behind. */
export const BEAT_MS = 1000;
/** However many ask, the whole state goes out this often at most. */
const SNAPSHOT_MS = 250;
/** A server of the feed takes a megabyte a message; characters beyond ASCII are rare. */
const MESSAGE_CHARS = 400_000;
const LISTED_TOGETHER = 1000;

/** The changes that one venue's holder has not sent yet. Without the lease it keeps nothing. */
export class VenuePublisher {
  readonly #options: OutboxOptions;
  #epoch = 0;
  #sequence = 0;
  #entries: string[] = [];
  /** Books that changed, with the time at which each may be sent again. */
  readonly #changed = new Map<string, number>();
  /** When each book was last sent. */
  readonly #sentAt = new Map<string, number>();
  #isSnapshotDue = false;
  /** It was not held for a while: what changed meanwhile was not sent. */
  #hasLapsed = false;
  #snapshotAt = Number.NEGATIVE_INFINITY;
  #beatAt = Number.NEGATIVE_INFINITY;
  /** Characters of changes since start: what it costs to hold this venue, whole states left out. */
  changes = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** The lease was taken: all followers begin with the whole state. */
  begin(epoch: number): void {
    this.#epoch = epoch;
    this.#sequence = 0;
    this.#entries = [];
    this.#isSnapshotDue = true;
    this.#snapshotAt = Number.NEGATIVE_INFINITY;
    this.#hasLapsed = false;
  }

  /** Leaves a gap that every follower notices, and mends it with the whole state. */
  restart(): void {
    this.#sequence += 1;
    this.#entries = [];
    this.#isSnapshotDue = true;
    this.#hasLapsed = false;
  }

  wantSnapshot(): void {
    this.#isSnapshotDue = true;
  }

  add(entry: Entry): void {
    if (this.#isHeld) this.#entries.push(JSON.stringify(entry));
    else this.#hasLapsed = true;
  }

  addInstruments(list: readonly Instrument[], at: UnixMs, report?: ListReport): void {
    if (this.#isHeld) this.#entries.push(...instrumentEntries(list, at, report));
    else this.#hasLapsed = true;
  }

  /** A book changed. */
  touch(symbol: string): void {
    if (!this.#changed.has(symbol))
      this.#changed.set(symbol, (this.#sentAt.get(symbol) ?? Number.NEGATIVE_INFINITY) + BOOK_MS);
  }

  /** Sends what is due. Throws where it cannot be sent; then `restart` it. */
  tick(): void {
    if (!this.#isHeld) {
      this.#entries = [];
      this.#hasLapsed = true;
      return;
    }
    if (this.#hasLapsed) this.restart();
    const now = this.#options.elapsed();
    // A holder that was just made has sent nothing yet.
    if (this.#sequence > 0) this.#sendChanges(now);
    if (this.#isSnapshotDue && now - this.#snapshotAt >= SNAPSHOT_MS) this.#sendSnapshot(now);
  }

  get #isHeld(): boolean {
    return this.#options.epoch() === this.#epoch;
  }

  #sendChanges(now: number): void {
    for (const [symbol, dueAt] of this.#changed) {
      if (dueAt > now) continue;
      this.#changed.delete(symbol);
      this.#sentAt.set(symbol, now);
      this.#entries.push(this.#book(symbol));
    }
    if (now - this.#beatAt >= BEAT_MS) {
      this.#beatAt = now;
      this.#entries.push(...this.#health());
    }
    const entries = this.#entries;
    this.#entries = [];
    for (const some of inMessages(entries)) this.#send(some, 0, 0);
  }

  #sendSnapshot(now: number): void {
    const state = this.#options.state();
    if (state === undefined) return;
    this.#isSnapshotDue = false;
    this.#snapshotAt = now;
    this.#entries = [];
    // Nobody has heard of this epoch: all begin with the snapshot. Later, followers that are up to date skip it
    // and still need the change.
    if (this.#sequence === 0) this.#changed.clear();
    const { info, refreshMs, instruments, quotes } = state;
    const parts = inMessages([
      JSON.stringify({ kind: 'venue', info, refreshMs } satisfies Entry),
      ...instrumentEntries(instruments, this.#options.now()),
      ...quotes.map(({ at, patches }) => JSON.stringify({ kind: 'quotes', patches, at } satisfies Entry)),
      ...instruments.map(({ symbol }) => this.#book(symbol)),
      ...this.#health(),
    ]);
    for (const [i, entries] of parts.entries()) this.#send(entries, i + 1, parts.length);
  }

  #book(symbol: string): string {
    const levels = this.#options.book(symbol);
    return JSON.stringify({ kind: 'book', symbol, ...(levels !== undefined && { levels }) } satisfies Entry);
  }

  #health(): readonly string[] {
    const health = this.#options.health();
    return health === undefined ? [] : [JSON.stringify({ kind: 'health', health } satisfies Entry)];
  }

  #send(entries: readonly string[], part: number, parts: number): void {
    // A process that was stopped meanwhile holds nothing any more, and what is not sent is missing where it goes on.
    if (!this.#isHeld) {
      this.#hasLapsed = true;
      return;
    }
    this.#sequence += 1;
    const message = encodeMessage({ epoch: this.#epoch, sequence: this.#sequence, part, parts }, entries);
    this.#options.send(message);
    if (part === 0) this.changes += message.length;
  }
}

function instrumentEntries(list: readonly Instrument[], at: UnixMs, report?: ListReport): readonly string[] {
  const slices = Math.max(1, Math.ceil(list.length / LISTED_TOGETHER));
  return Array.from({ length: slices }, (_, i) => {
    const slice = list.slice(i * LISTED_TOGETHER, (i + 1) * LISTED_TOGETHER);
    const entry: Entry = {
      kind: 'instruments',
      list: slice,
      at,
      ...(i + 1 < slices ? { more: true as const } : report !== undefined && { report }),
    };
    return JSON.stringify(entry);
  });
}

/** Puts entries together, each message as long as one may be. */
function inMessages(entries: readonly string[]): readonly (readonly string[])[] {
  const messages: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    if (length + entry.length > MESSAGE_CHARS) {
      messages.push([]);
      length = 0;
    }
    messages.at(-1)?.push(entry);
    length += entry.length;
  }
  return messages;
}
