import type { BookFeed } from '../../src/venues/book-feed.ts';
import { BookRig } from './book-rig.ts';
import { cexDialects, type Dialect, type Sides } from './cex-dialects.ts';
import { gzipDialects } from './gzip-dialects.ts';

export const dialects = [...cexDialects, ...gzipDialects];

/** The number that messages are counted from. */
export const FIRST = 9_000_000_000;

export const NOTHING: Sides = { bids: [], asks: [] };

/** The book that a session begins with, and what it comes to by `CHANGES`. */
export const START: Sides = {
  bids: [
    ['149.90', '40'],
    ['149.80', '75.5'],
    ['149.00', '900'],
  ],
  asks: [
    ['150.10', '35'],
    ['150.20', '80.25'],
    ['151.00', '950'],
  ],
};

/** A new best bid, an ask that shrinks, a level that goes on either side. */
const CHANGES: readonly Sides[] = [
  { bids: [['149.95', '12']], asks: [] },
  { bids: [], asks: [['150.10', '5.5']] },
  { bids: [['149.80', '0']], asks: [['150.20', '0']] },
];

export const END = {
  bids: [
    [149.95, 12],
    [149.9, 40],
    [149, 900],
  ],
  asks: [
    [150.1, 5.5],
    [151, 950],
  ],
};

/** The books of the venue. Throws where it has none. */
export function feedOf({ adapter }: Dialect): BookFeed {
  if (adapter.books === undefined) throw new Error(`${adapter.id} has no books`);
  return adapter.books;
}

/** A followed book of the venue, with its messages. */
export class Session {
  readonly dialect: Dialect;
  readonly rig: BookRig;
  readonly #seeds: boolean;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
    const feed = feedOf(dialect);
    this.#seeds = feed.initialSnapshot === 'rest';
    this.rig = new BookRig(feed);
    this.rig.follow(dialect.symbol);
  }

  numberOf(n: number): number {
    return FIRST + n * this.dialect.step;
  }

  changeText(n: number): string {
    const sides = CHANGES[n - 1] ?? NOTHING;
    return this.dialect.change(this.numberOf(n - 1), this.numberOf(n), sides);
  }

  /** The snapshot that numbers begin with. */
  async begin(n = 0, sides = START): Promise<void> {
    const text = this.dialect.whole(this.numberOf(n), sides);
    if (!this.#seeds) {
      this.rig.push(text);
      return;
    }
    // The stream's first change is what REST is asked for.
    if (this.rig.asks.length === 0) this.change(0);
    await this.rig.ask().answer(JSON.parse(text));
  }

  change(n: number): void {
    this.rig.push(this.changeText(n));
  }

  /** The best bid after a message of these numbers, which has the first of `CHANGES` unless others are given. */
  bestAfter(from: number, to: number, sides = CHANGES[0] ?? NOTHING): number | undefined {
    this.rig.push(this.dialect.change(from, to, sides));
    return this.levels?.bids[0]?.[0];
  }

  get levels() {
    return this.rig.levels(this.dialect.symbol);
  }
}

/** A session of the venue with this id. */
export function sessionOf(id: string): Session {
  const dialect = dialects.find(({ adapter }) => adapter.id === id);
  if (dialect === undefined) throw new Error(`no ${id}`);
  return new Session(dialect);
}
