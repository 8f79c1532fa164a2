import type { WireKind } from '../../collect/wire.ts';
import type { VenueId } from '../../domain/venue.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { gapOf, OWN_LINE, type WireRecord } from './record.ts';
import { Selection } from './selection.ts';

/** The records that are asked for; all of them without any field. */
export interface RecordsQuery {
  /** Wall clock of receipt, Unix ms: the first that is taken. */
  readonly from?: number | undefined;
  /** The first that is not taken any more, Unix ms. */
  readonly to?: number | undefined;
  /** A venue includes its sub-venues. */
  readonly venues?: readonly VenueId[];
  readonly kinds?: readonly WireKind[];
}

/** A wall clock that is slewed may lead a record out of the times of its block: a step beyond this begins a segment. */
const SLACK_MS = SECOND_MS;

/** Says of spans, venues and records whether they are asked for. */
export class RecordRange {
  readonly #from: number;
  readonly #to: number;
  readonly #selection: Selection;

  constructor({ from = -Infinity, to = Infinity, venues = [], kinds = [] }: RecordsQuery) {
    this.#from = from;
    this.#to = to;
    this.#selection = new Selection([...venues, ...kinds]);
  }

  /** True if a span may hold records of the time; its ends are wall clock, Unix ms. */
  reaches(from: number, to: number): boolean {
    return from < this.#to + SLACK_MS && to >= this.#from - SLACK_MS;
  }

  /** True if the time is over at `at`: what comes later can only tell of gaps. */
  isOver(at: number): boolean {
    return at >= this.#to;
  }

  hasVenue(venue: string): boolean {
    return this.#selection.hasVenue(venue);
  }

  /** A record of the recorder itself concerns every venue: a gap by the time that is missing, not by the time of the record. */
  has(record: WireRecord): boolean {
    if (record.type === 'gap') {
      const { from, to } = gapOf(record);
      return Math.min(from, to) < this.#to && Math.max(from, to) >= this.#from;
    }
    if (record.wall < this.#from || record.wall >= this.#to) return false;
    return record.line.venue === OWN_LINE.venue || this.#selection.has(record.line);
  }
}
