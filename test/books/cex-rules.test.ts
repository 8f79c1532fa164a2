import { describe, expect, it } from 'vitest';
import type { BookFeed } from '../../src/venues/book-feed.ts';
import { BookRig, contract } from './book-rig.ts';
import { cexDialects, type Dialect, type Sides } from './cex-dialects.ts';
import { gzipDialects } from './gzip-dialects.ts';

const dialects = [...cexDialects, ...gzipDialects];

const FIRST = 9_000_000_000;

const START: Sides = {
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

const END = {
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

function feedOf({ adapter }: Dialect): BookFeed {
  if (adapter.books === undefined) throw new Error(`${adapter.id} has no books`);
  return adapter.books;
}

/** A followed book of the venue, with its messages. */
class Session {
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
    const sides = CHANGES[n - 1] ?? { bids: [], asks: [] };
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

  get levels() {
    return this.rig.levels(this.dialect.symbol);
  }
}

function sessionOf(id: string): Session {
  const dialect = dialects.find(({ adapter }) => adapter.id === id);
  if (dialect === undefined) throw new Error(`no ${id}`);
  return new Session(dialect);
}

describe.each(dialects)('$adapter.id', (dialect) => {
  const feed = feedOf(dialect);

  it('subscribes to the topic of the contract', () => {
    const { stream } = feed;
    const topic = stream?.topicOf(contract(dialect.adapter.id, dialect.symbol));
    expect(topic).toBe(dialect.topic);
    expect(stream?.subscribe([dialect.topic], 7).map((frame) => JSON.parse(frame))).toEqual([
      dialect.subscription,
    ]);
  });

  it('reaches the same book through a chain of deltas', async () => {
    const session = new Session(dialect);
    await session.begin();
    for (const n of [1, 2, 3]) session.change(n);
    expect(session.levels).toEqual(END);
    expect(session.rig.quote(dialect.symbol)?.source).toBe('stream');
    const { breaks } = session.rig.books.stats();
    expect(Object.values(breaks).every((count) => count === 0)).toBe(true);
  });

  it('skips a duplicate message', async () => {
    const session = new Session(dialect);
    await session.begin();
    for (const n of [1, 2, 2, 3]) session.change(n);
    expect(session.levels).toEqual(END);
    expect(session.rig.books.stats().breaks.gap).toBe(0);
  });

  it('serves nothing after reordered messages', async () => {
    const session = new Session(dialect);
    await session.begin();
    for (const n of [1, 3, 2]) session.change(n);
    expect(session.levels).toBeUndefined();
    expect(session.rig.books.stats().breaks.gap).toBe(1);
  });

  it('never serves a crossed book', async () => {
    const session = new Session(dialect);
    await session.begin();
    session.rig.push(
      dialect.change(session.numberOf(0), session.numberOf(1), { bids: [['150.15', '3']], asks: [] }),
    );
    expect(session.levels).toBeUndefined();
  });

  it('accepts a snapshot older than the buffered deltas', async () => {
    const session = new Session(dialect);
    session.change(1);
    session.change(2);
    await session.begin(1, { ...START, bids: [['149.95', '12'], ...START.bids] });
    session.change(3);
    expect(session.levels).toEqual(END);
  });
});

describe.each(dialects.filter(({ adapter }) => adapter.books?.continuity.detectsLoss))(
  '$adapter.id sequence',
  (dialect) => {
    it('detects a missing message and requests the book again', async () => {
      const session = new Session(dialect);
      await session.begin();
      session.change(1);
      session.change(3);
      expect(session.levels).toBeUndefined();
      const { rig } = session;
      if (feedOf(dialect).initialSnapshot !== 'stream') {
        rig.pass(500);
        expect(rig.asks).toHaveLength(1);
      } else expect(rig.renewed).toEqual([dialect.topic]);
      await session.begin(2, { bids: [['149.95', '12'], ...START.bids], asks: START.asks });
      expect(session.levels).toBeDefined();
    });
  },
);

describe('phemex, whose losses are not visible', () => {
  it('is corrected by the snapshot of each minute', async () => {
    const session = sessionOf('phemex');
    await session.begin();
    session.change(1);
    session.change(3);
    expect(session.levels?.asks).toEqual([
      [150.1, 35],
      [151, 950],
    ]);
    session.rig.push(
      session.dialect.whole(session.numberOf(3), {
        bids: [
          ['149.95', '12'],
          ['149.90', '40'],
          ['149.00', '900'],
        ],
        asks: [
          ['150.10', '5.5'],
          ['151.00', '950'],
        ],
      }),
    );
    expect(session.levels).toEqual(END);
  });

  it('compares a quiet book with REST and invalidates it when the stream does not catch up', async () => {
    const session = sessionOf('phemex');
    await session.begin();
    const { rig, dialect } = session;
    rig.pass(26_000);
    await rig.ask().answer({
      error: null,
      id: 0,
      result: JSON.parse(
        dialect.whole(session.numberOf(9), { ...START, bids: [['149.95', '1'], ...START.bids] }),
      ),
    });
    expect(session.levels).toBeDefined();
    rig.pass(3500);
    expect(session.levels).toBeUndefined();
    expect(rig.books.stats().breaks.stalled).toBe(1);
  });
});

describe('quiet books', () => {
  it('of Crypto.com are confirmed by empty deltas', async () => {
    const session = sessionOf('cryptocom');
    const { dialect } = session;
    await session.begin();
    session.rig.pass(5000);
    const quiet = session.numberOf(0);
    session.rig.push(dialect.change(quiet, quiet, { bids: [], asks: [] }));
    expect(session.rig.quote(dialect.symbol)).toMatchObject({ ageMs: 0 });
    session.change(1);
    expect(session.levels?.bids[0]).toEqual([149.95, 12]);
  });

  it('of WhiteBIT are resent as snapshots with an equal or higher sequence', async () => {
    const session = sessionOf('whitebit');
    const { dialect } = session;
    await session.begin();
    session.rig.pass(10_000);
    const jump = session.numberOf(0) + 5;
    session.rig.push(dialect.whole(jump, START));
    expect(session.rig.quote(dialect.symbol)).toMatchObject({ ageMs: 0 });
    session.rig.push(dialect.change(jump, jump + 3, { bids: [['149.95', '12']], asks: [] }));
    expect(session.levels?.bids[0]).toEqual([149.95, 12]);
    expect(session.rig.books.stats().breaks.gap).toBe(0);
  });
});

describe('numbers of changes', () => {
  const NOTHING: Sides = { bids: [], asks: [] };
  const best = (session: Session, from: number, to: number, sides = CHANGES[0] ?? NOTHING) => {
    session.rig.push(session.dialect.change(from, to, sides));
    return session.levels?.bids[0]?.[0];
  };

  it('Bitget: one that follows none begins a new count, so that what is held is of no use', async () => {
    const session = sessionOf('bitget');
    await session.begin();
    expect(best(session, 0, 12)).toBeUndefined();
    expect(session.rig.renewed).toEqual([session.dialect.topic]);
  });

  it('Gate: a change of nothing counts, and shows what is missing before it', async () => {
    const session = sessionOf('gate');
    await session.begin();
    expect(best(session, FIRST, FIRST + 9, NOTHING)).toBe(149.9);
    expect(best(session, FIRST + 9, FIRST + 12)).toBe(149.95);
    expect(best(session, FIRST + 13, FIRST + 20, NOTHING)).toBeUndefined();
  });

  it('KuCoin: one may begin within what is held, where it ends behind it', async () => {
    const session = sessionOf('kucoin');
    await session.begin();
    expect(best(session, FIRST, FIRST + 9, NOTHING)).toBe(149.9);
    expect(best(session, FIRST + 4, FIRST + 12)).toBe(149.95);
  });

  it('KuCoin: a REST book takes the place of a snapshot that is late', async () => {
    const session = sessionOf('kucoin');
    session.change(1);
    session.rig.pass(4250);
    const data = { sequence: FIRST, symbol: 'SOLUSDTM', bids: [[149.9, 40]], asks: [[150.1, 35]] };
    await session.rig.ask().answer({ code: '200000', data });
    expect(session.levels?.bids[0]).toEqual([149.95, 12]);
  });

  it.each([
    ['right before it', FIRST, 149.95, 0],
    ['from within it', FIRST + 4, 149.95, 0],
    ['from before the one that is missing', FIRST - 1, undefined, 1],
  ])('MEXC: the first joins a REST book %s', async (_, seed, bid, old_seed) => {
    const session = sessionOf('mexc');
    best(session, FIRST, FIRST + 9);
    await session.rig.ask().answer(JSON.parse(session.dialect.whole(seed, START)));
    expect(session.levels?.bids[0]?.[0]).toBe(bid);
    expect(session.rig.books.stats().breaks).toMatchObject({ gap: 0, old_seed });
  });
});
