import type { BookUpdate } from './book.ts';
import type { Instrument } from './instrument.ts';
import type { AnnouncedContract } from './list-report.ts';
import type { FundingPoint, HistoryPoint, QuotePatch } from './quote.ts';
import type { Reject } from './reject.ts';

/**
 * The kinds of data that a payload can hold. A further kind is an entry here, with its empty list below, its line in
 * `perpmeter decode`, and a `DataStore` that keeps it.
 */
export interface DataOf {
  readonly quotes: QuotePatch;
  readonly instruments: Instrument;
  readonly funding: FundingPoint;
  readonly history: HistoryPoint;
  readonly books: BookUpdate;
}

export type DataKind = keyof DataOf;

type Lists = { readonly [K in DataKind]: DataOf[K][] };

/** All that one payload says. A decoder returns values only; it never throws on bad data. */
export interface Decoded extends Lists {
  readonly rejects: Reject[];
  /** Of a list of contracts: those that do not trade yet, which are rejects as well. */
  announced?: AnnouncedContract[];
  /** Columns of a packed frame, for the frames behind it that leave them out. */
  readonly columns?: readonly string[];
}

export function emptyDecoded(): Decoded {
  return { quotes: [], instruments: [], funding: [], history: [], books: [], rejects: [] };
}

export const DATA_KINDS = Object.keys(emptyDecoded()).filter((name): name is DataKind => name !== 'rejects');

/** Rows of all kinds. */
export const rowCount = (decoded: Decoded): number =>
  DATA_KINDS.reduce((count, kind) => count + decoded[kind].length, 0);
