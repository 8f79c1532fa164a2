import type { BookDistortion, BookTag, Row, Sides } from '../book-distortion.ts';
import type { Faults } from '../faults.ts';
import type { BookFault, BookFaultKind } from './book-faults.ts';

/** Frames by which a late snapshot is delayed, where the rule does not say. */
const LATE_BY = 3;

export interface BookFaultInjectorOptions {
  readonly faults: Faults;
  readonly venue: string;
  /** Path of the connection with its query. */
  readonly path: string;
  readonly send: (frame: string | Buffer) => void;
  /** Sends a part of the frame at most and ends the connection. */
  readonly cut: (frame: string | Buffer) => void;
}

interface Held {
  readonly frame: string | Buffer;
  /** Frames of the contract that still go first. */
  behind: number;
}

/** The frames sent of one contract on one connection. */
interface Sent {
  wasWhole: boolean;
  held: Held[];
}

/** Injects faults into one connection's books: into the order of frames, and into each contract's content. */
export class BookFaultInjector {
  readonly #options: BookFaultInjectorOptions;
  readonly #sent = new Map<string, Sent>();

  constructor(options: BookFaultInjectorOptions) {
    this.#options = options;
  }

  /** Sends a book frame through the active faults. */
  send(frame: string | Buffer, { symbol, isSnapshot }: BookTag): void {
    const sent = this.#sent.get(symbol) ?? { wasWhole: false, held: [] };
    this.#sent.set(symbol, sent);
    // Where every frame is a snapshot, each but the first stands for a delta.
    const isChange = !isSnapshot || sent.wasWhole;
    sent.wasWhole = isSnapshot;
    if (this.#hit('book-stall', symbol) !== undefined) return;
    if (this.#hit('book-cut', symbol) !== undefined) {
      this.#options.cut(frame);
      return;
    }
    if (isChange && this.#hit('book-gap', symbol) !== undefined) return;
    const due = release(sent);
    const behind = this.#delay(sent, symbol, isSnapshot, isChange);
    if (behind !== undefined) sent.held.push({ frame, behind });
    else this.#deliver(frame, symbol);
    for (const late of due) this.#options.send(late.frame);
  }

  /** The distortion of a contract's book. */
  book(symbol: string): BookDistortion {
    return {
      time: (now) => {
        const fault = this.#hit('book-frozen', symbol);
        return fault?.kind === 'book-frozen' ? Math.min(now, fault.at ?? now) : now;
      },
      sides: (sides) => (this.#hit('book-crossed', symbol) === undefined ? sides : crossed(sides)),
    };
  }

  #deliver(frame: string | Buffer, symbol: string): void {
    this.#options.send(frame);
    if (this.#hit('book-duplicate', symbol) !== undefined) this.#options.send(frame);
  }

  /** The number of frames behind which the frame goes; undefined where it is sent now. */
  #delay(sent: Sent, symbol: string, isSnapshot: boolean, isChange: boolean): number | undefined {
    if (isSnapshot) {
      const late = this.#hit('book-late-snapshot', symbol);
      if (late?.kind === 'book-late-snapshot') return late.behind ?? LATE_BY;
    }
    if (!isChange || sent.held.length > 0) return undefined;
    return this.#hit('book-reorder', symbol) === undefined ? undefined : 1;
  }

  #hit(kind: BookFaultKind, symbol: string): BookFault | undefined {
    const { faults, venue, path } = this.#options;
    return faults.hitBook(kind, { venue, path, symbol });
  }
}

/** Frames that have waited for long enough once this one is sent. */
function release(sent: Sent): readonly Held[] {
  if (sent.held.length === 0) return [];
  for (const held of sent.held) held.behind--;
  const due = sent.held.filter(({ behind }) => behind <= 0);
  sent.held = sent.held.filter(({ behind }) => behind > 0);
  return due;
}

/** The book with a bid at the second ask's price, of the size of the best bid. */
function crossed({ bids, asks }: Sides): Sides {
  const [best, ...others] = bids;
  const price = (asks[1] ?? asks[0])?.[0];
  if (best === undefined || price === undefined) return { bids, asks };
  const row: Row = [price, ...best.slice(1)];
  return { bids: [row, best, ...others], asks };
}
