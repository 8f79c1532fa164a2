import type { VenueHealth } from '../../collect/ports.ts';
import type { Decoded } from '../../domain/decoded.ts';
import type { BookSource } from '../../domain/depth-quote.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { ListReport } from '../../domain/list-report.ts';
import type { FundingPoint, QuotePatch } from '../../domain/quote.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId, VenueInfo } from '../../domain/venue.ts';

/** One thing that a holder says of its venue. */
export type Entry =
  | { readonly kind: 'venue'; readonly info: VenueInfo; readonly refreshMs: number }
  /** `more`: the list goes on in the next entry of this kind. The last one has the report, of a list that the venue has answered. */
  | {
      readonly kind: 'instruments';
      readonly list: readonly Instrument[];
      readonly at: UnixMs;
      readonly more?: true;
      readonly report?: ListReport;
    }
  | { readonly kind: 'quotes'; readonly patches: readonly QuotePatch[]; readonly at: UnixMs }
  | ({ readonly kind: 'past'; readonly at: UnixMs } & Pick<Decoded, 'funding' | 'history'>)
  | { readonly kind: 'payments'; readonly funding: readonly FundingPoint[]; readonly at: UnixMs }
  | { readonly kind: 'health'; readonly health: VenueHealth }
  | { readonly kind: 'book'; readonly symbol: string; readonly levels?: BookLevels };

/** A book that is in order, as far as answers read it. Without levels, a book is not in order. */
export interface BookLevels {
  readonly source: BookSource;
  readonly at: UnixMs;
  /** Price per ticker unit and size in ticker units in turn, best first. */
  readonly bids: readonly number[];
  readonly asks: readonly number[];
}

/** The place of a message among those of its venue. */
export interface MessageHeader {
  /** Of the lease under which it was sent. */
  readonly epoch: number;
  /** 1, 2, 3 … within the epoch. */
  readonly sequence: number;
  /** 1 to `parts` in a snapshot; 0 in a change. */
  readonly part: number;
  readonly parts: number;
}

/** A seller's request to holders. */
export interface Ask {
  /** Venues whose whole state is wanted; `all`: of every venue. */
  readonly snapshots?: readonly VenueId[] | 'all';
  /** Latest epochs that were heard of venues whose holder is not heard any more. */
  readonly epochs?: Readonly<Record<VenueId, number>>;
  /** Contracts whose books are read. */
  readonly books?: Readonly<Record<VenueId, readonly string[]>>;
}

/** Another format is another name: what a process does not know, it does not take. */
const FORMAT = 'perpmeter-feed-1';

/** @param entries already as JSON: later statements about the same contract must not change it */
export function encodeMessage(header: MessageHeader, entries: readonly string[]): string {
  const { epoch, sequence, part, parts } = header;
  return `${FORMAT} ${epoch} ${sequence} ${part} ${parts}\n[${entries.join(',')}]`;
}

/** A message's place, and its content on demand: undefined where it is in no known format. */
export function decodeMessage(
  text: string,
): (MessageHeader & { readonly entries: () => readonly Entry[] }) | undefined {
  const end = text.indexOf('\n');
  const [format, ...numbers] = text.slice(0, Math.max(0, end)).split(' ');
  const [epoch = -1, sequence = -1, part = -1, parts = -1] = numbers.map(Number);
  const isSound = [epoch, sequence, part, parts].every(
    (number) => Number.isSafeInteger(number) && number >= 0,
  );
  if (format !== FORMAT || numbers.length !== 4 || !isSound) return undefined;
  return { epoch, sequence, part, parts, entries: () => JSON.parse(text.slice(end + 1)) as readonly Entry[] };
}
