import type { BookUpdate } from './book.ts';
import type { Instrument } from './instrument.ts';
import type { FundingPoint, HistoryPoint, QuotePatch } from './quote.ts';
import type { Reject } from './reject.ts';

/** All that one payload says. A decoder returns values only; it never throws on bad data. */
export interface Decoded {
  readonly instruments: Instrument[];
  readonly quotes: QuotePatch[];
  readonly funding: FundingPoint[];
  readonly history: HistoryPoint[];
  readonly books: BookUpdate[];
  readonly rejects: Reject[];
  /** Columns of a packed frame, for the frames behind it that leave them out. */
  readonly columns?: readonly string[];
}

export function emptyDecoded(): Decoded {
  return { instruments: [], quotes: [], funding: [], history: [], books: [], rejects: [] };
}
