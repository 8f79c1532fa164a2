import type { BookLevel, BookUpdate } from '../../src/domain/book.ts';
import { type Decoded, emptyDecoded } from '../../src/domain/decoded.ts';
import { asMs } from '../../src/domain/units.ts';
import { CHAINED, type Continuity, SNAPSHOTS_ONLY, UNNUMBERED } from '../../src/venues/book-continuity.ts';
import type { BookFeed, InitialSnapshot } from '../../src/venues/book-feed.ts';
import type { VenueCall } from '../../src/venues/call.ts';
import { PlainBook, type PlainLevels } from './plain-book.ts';

/** Messages are decoded updates as they are, in JSON. */
const call: VenueCall = {
  name: 'book',
  decode: (payload) => decodeModel(payload),
};

function decodeModel(payload: unknown): Decoded {
  const out = emptyDecoded();
  const { book, bad } = payload as { book?: BookUpdate; bad?: string };
  if (book !== undefined) out.books.push(book);
  if (bad !== undefined) out.rejects.push({ symbol: bad, reason: 'malformed' });
  return out;
}

/** A made-up venue's rule for the order of its messages. */
export interface ModelRule {
  readonly initialSnapshot: InitialSnapshot;
  readonly continuity: Continuity;
  /** Every frame of a connection is numbered, not the messages of a book. */
  readonly isNumberedByConnection?: boolean;
}

export const RULES = {
  'snapshot in the stream, each change names the one before': {
    initialSnapshot: 'stream',
    continuity: CHAINED,
  },
  'changes joined with a REST book': { initialSnapshot: 'rest', continuity: CHAINED },
  'a snapshot in the stream or a REST book': { initialSnapshot: 'either', continuity: CHAINED },
  'whole books only': { initialSnapshot: 'stream', continuity: SNAPSHOTS_ONLY },
  'frames numbered by connection': {
    initialSnapshot: 'stream',
    continuity: { ...UNNUMBERED, detectsLoss: true },
    isNumberedByConnection: true,
  },
} as const satisfies Readonly<Record<string, ModelRule>>;

/** The feed of the made-up venue. */
export function modelFeed(rule: ModelRule, more: Partial<BookFeed> = {}): BookFeed {
  const { initialSnapshot, continuity, isNumberedByConnection } = rule;
  return {
    initialSnapshot,
    continuity,
    stream: {
      evidence: 'none',
      base: 'ws',
      path: '/',
      call,
      topicOf: ({ symbol }) => symbol,
      subscribe: (topics) => [`sub ${topics}`],
      topicsPerConnection: 100,
      topicsPerFrame: 100,
      framesPerSecond: 100,
      maxConnections: 1,
      compression: 'none',
      silenceMs: 10_000,
      ...(isNumberedByConnection === true
        ? { connectionSequence: (payload) => (payload as { frame?: number }).frame }
        : {}),
    },
    rest: { call, request: ({ symbol }) => ({ method: 'GET', path: `/${symbol}` }), weight: 1 },
    ...more,
  };
}

const TICK = 0.5;

/** One contract of a made-up venue: what its book truly is, and the messages that say so. */
export class ModelVenue {
  readonly symbol: string;
  readonly #rule: ModelRule;
  readonly #truth = new PlainBook();
  /** The true book after each message; the first is before any. */
  readonly history: PlainLevels[] = [];
  #random: number;
  #frames = 0;

  constructor(symbol: string, rule: ModelRule, seed: number) {
    this.symbol = symbol;
    this.#rule = rule;
    this.#random = seed >>> 0;
    const side = (sign: number) =>
      Array.from({ length: 6 }, (_, i): BookLevel => [100 + sign * (i + 1) * TICK, this.#size()]);
    this.#truth.replace({ bids: side(-1), asks: side(1) });
    this.history.push(this.#truth.levels());
  }

  /** Number of the last message. */
  get sequence(): number {
    return this.history.length - 1;
  }

  get truth(): PlainLevels {
    return this.history[this.sequence] ?? { bids: [], asks: [] };
  }

  /** The market moves; returns the message of it. A crossing move is ended by the next one. */
  move(crosses = false): BookUpdate {
    const change = crosses ? this.#cross() : this.#change();
    this.#truth.apply(change);
    this.history.push(this.#truth.levels());
    return this.#rule.continuity.isSnapshotOnly === true
      ? this.whole()
      : this.#message('delta', change, this.sequence);
  }

  /** The snapshot as of a message, the last one by default. */
  whole(sequence = this.sequence): BookUpdate {
    return this.#message('snapshot', this.history[sequence] ?? { bids: [], asks: [] }, sequence);
  }

  /** The REST book, so many messages behind. */
  rest(lag = 0): unknown {
    return { book: this.whole(Math.max(0, this.sequence - lag)) };
  }

  /** A message as the text of a frame; each has its number on the connection. */
  frame(message: BookUpdate): string {
    return JSON.stringify({ book: message, ...this.#number() });
  }

  /** A frame whose levels cannot be read. */
  badFrame(): string {
    return JSON.stringify({ bad: this.symbol, ...this.#number() });
  }

  /** Frames are numbered from 1 on a new connection. */
  reconnect(): void {
    this.#frames = 0;
  }

  #number() {
    return this.#rule.isNumberedByConnection === true ? { frame: ++this.#frames } : {};
  }

  #message(kind: BookUpdate['kind'], levels: PlainLevels, sequence: number): BookUpdate {
    const base = { symbol: this.symbol, kind, bids: levels.bids, asks: levels.asks };
    if (this.#rule.isNumberedByConnection === true) return base;
    const stamps = { sequence, venueTime: asMs(1.7e12 + sequence) };
    return kind === 'snapshot'
      ? { ...base, ...stamps }
      : { ...base, ...stamps, previousSequence: sequence - 1 };
  }

  /** A level on each side near the touch; what would cross with it goes in the same message, at times more. */
  #change(): PlainLevels {
    const { bids, asks } = this.truth;
    const touch = this.#isCrossed() ? (asks[0]?.[0] ?? 101) + TICK : (asks[0]?.[0] ?? 101);
    const bid: BookLevel = [touch + TICK * (Math.floor(this.#next() * 4) - 4), this.#size()];
    const ask: BookLevel = [bid[0] + TICK * (1 + Math.floor(this.#next() * 3)), this.#size()];
    const thin = this.#next() < 0.4 ? 1 : 0;
    const gone = (side: readonly BookLevel[], crosses: (price: number) => boolean) =>
      side
        .filter(([price], rank) => crosses(price) || rank >= 12 - thin)
        .map(([price]) => [price, 0] as const);
    return {
      bids: [...gone(bids, (price) => price >= ask[0]), bid],
      asks: [...gone(asks, (price) => price <= bid[0]), ask],
    };
  }

  #isCrossed(): boolean {
    const { bids, asks } = this.truth;
    return (bids[0]?.[0] ?? 0) >= (asks[0]?.[0] ?? Number.MAX_VALUE);
  }

  #cross(): PlainLevels {
    const ask = this.truth.asks[0]?.[0] ?? 101;
    return { bids: [[ask + TICK, this.#size()]], asks: [] };
  }

  #size(): number {
    return 1 + Math.floor(this.#next() * 200);
  }

  #next(): number {
    this.#random = (Math.imul(this.#random ^ (this.#random >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return this.#random / 2 ** 32;
  }
}
