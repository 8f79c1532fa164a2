import { asMs, type UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { CalendarStore, WrittenVenue } from './calendar-store.ts';
import { compareLists, KEPT_MS } from './compare-lists.ts';
import { type CalendarEvent, timeOf } from './event.ts';
import { memoryOf, textOf } from './memory-text.ts';
import type { VenueMemory, WholeList } from './venue-memory.ts';

const MAX_EVENTS = 50_000;

/** The span in which the calendar can say anything of a venue. */
export interface Watched {
  /** Receipt of its first whole list. */
  readonly since: UnixMs;
  /** Receipt of its last one. */
  readonly listAt: UnixMs;
}

/** The calendar, as products read it. */
export interface CalendarView {
  /** All events by their time, the earliest first; of one time in the order in which they were noted. */
  readonly events: readonly CalendarEvent[];
  watched(venue: VenueId): Watched | undefined;
}

interface Kept {
  readonly memory: VenueMemory;
  readonly text: string;
}

const inOrder = (a: CalendarEvent, b: CalendarEvent): number => timeOf(a) - timeOf(b) || a.id - b.id;

/**
 * Changes of what venues list. Bounded in number and age: the earliest go first. The memory that lists are compared with is
 * written with the events that come of it; where the disk does not take it, the next list is compared with the one before.
 */
export class Calendar implements CalendarView {
  readonly #store: CalendarStore;
  readonly #maxEvents: number;
  readonly #venues = new Map<VenueId, Kept>();
  #events: readonly CalendarEvent[];
  #lastId: number;

  /** @param maxEvents that are kept */
  constructor(store: CalendarStore, maxEvents = MAX_EVENTS) {
    this.#store = store;
    this.#maxEvents = maxEvents;
    for (const [venue, { text, listAt }] of store.venues())
      this.#venues.set(venue, { memory: memoryOf(text, listAt), text });
    this.#events = [...store.events()].sort(inOrder);
    this.#lastId = this.#events.reduce((last, { id }) => Math.max(last, id), 0);
  }

  get events(): readonly CalendarEvent[] {
    return this.#events;
  }

  watched(venue: VenueId): Watched | undefined {
    const memory = this.#venues.get(venue)?.memory;
    return memory && { since: memory.watchedSince, listAt: memory.listAt };
  }

  /** Takes a whole list of a venue. @throws where the disk does not take what it changes */
  take(list: WholeList): void {
    const before = this.#venues.get(list.venue);
    const { memory, events } = compareLists(before?.memory, list);
    const text = textOf(memory);
    const added = events.map((draft, index) => ({ ...draft, id: this.#lastId + index + 1 }));
    const sorted = added.length === 0 ? this.#events : [...this.#events, ...added].sort(inOrder);
    const kept = keptOf(sorted, list.at, this.#maxEvents);
    if (text !== before?.text || kept !== this.#events) {
      const left = new Set(kept);
      this.#store.save({
        venues: new Map([[list.venue, { text, listAt: list.at }]]),
        added: added.filter((event) => left.has(event)),
        dropped: this.#events.flatMap((event) => (left.has(event) ? [] : [event.id])),
      });
    }
    this.#venues.set(list.venue, { memory, text });
    this.#events = kept;
    this.#lastId += added.length;
  }

  /** Writes when each venue's last list was received, and closes the store. */
  async stop(): Promise<void> {
    try {
      const venues = new Map<VenueId, WrittenVenue>();
      for (const [venue, { text, memory }] of this.#venues)
        venues.set(venue, { text, listAt: memory.listAt });
      this.#store.save({ venues, added: [], dropped: [] });
    } finally {
      await this.#store.close();
    }
  }
}

/** The events that are kept of these, which are by time; the same list where all are. */
function keptOf(events: readonly CalendarEvent[], now: UnixMs, maxEvents: number): readonly CalendarEvent[] {
  const oldest = asMs(now - KEPT_MS);
  const tooOld = events.findIndex((event) => timeOf(event) >= oldest);
  const first = Math.max(tooOld === -1 ? events.length : tooOld, events.length - maxEvents);
  return first === 0 ? events : events.slice(first);
}
