import type { Row, Sides } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import type { SimConnection, SimSession } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { SteppedBook, zeroed } from './stepped-book.ts';

const LEVELS = 100;

interface Ask {
  readonly method?: string;
  readonly parameters?: {
    readonly subscriptions?: readonly { readonly symbol?: string; readonly topic?: string }[];
  };
}

/** The live contract that trades under a symbol. */
type FindContract = (symbol: string | undefined) => SimContract | undefined;

/** Levels `[price, quantity]` of the book, best first. */
export function bookSides(c: SimContract, world: World, t: number, depth: number): Sides {
  const { bids, asks } = world.book(c, t, depth);
  const side = (rows: readonly (readonly [number, number])[]) =>
    rows.map((row) => row.map((x) => decimal(x)));
  return { bids: side(bids), asks: side(asks) };
}

/** One side as messages and answers have it. */
export function levels(rows: readonly Row[]) {
  return { levels: rows.map(([price, quantity]) => ({ price, quantity })) };
}

class Session implements SimSession {
  readonly #connection: SimConnection;
  readonly #world: World;
  readonly #find: FindContract;
  readonly #books = new Map<SimContract, SteppedBook>();
  #now = 0;

  constructor(connection: SimConnection, world: World, find: FindContract) {
    this.#connection = connection;
    this.#world = world;
    this.#find = find;
  }

  /** Other topics than the book are silent here, and so is what does not exist. */
  onMessage(text: string): void {
    const { method, parameters } = JSON.parse(text) as Ask;
    for (const { symbol, topic } of parameters?.subscriptions ?? []) {
      const c = this.#find(symbol);
      if (c === undefined || topic !== 'orderbook') continue;
      if (method === 'subscribe') this.#begin(c);
      else if (method === 'unsubscribe') this.#books.delete(c);
    }
  }

  onTick(now: number): void {
    this.#now = now;
    for (const [c, book] of this.#books) {
      const changes = book.advance(now);
      if (changes === undefined) continue;
      this.#push(c, 'Update', book.at, { bids: zeroed(changes.bids), asks: zeroed(changes.asks) });
    }
  }

  #begin(c: SimContract): void {
    const distortion = this.#connection.book?.(c.symbol);
    const book = new SteppedBook((t) => bookSides(c, this.#world, t, LEVELS), this.#now, distortion);
    this.#books.set(c, book);
    this.#push(c, 'Snapshot', book.at, book.sides);
  }

  #push(c: SimContract, messageType: 'Snapshot' | 'Update', at: number, { bids, asks }: Sides): void {
    const head = { symbol: c.symbol, messageType, topic: 'orderbook', timestamp_ms: at };
    const frame = { ...head, data: { bid: levels(bids), ask: levels(asks) } };
    this.#connection.send(JSON.stringify(frame), {
      symbol: c.symbol,
      isSnapshot: messageType === 'Snapshot',
    });
  }
}

/** Hibachi's market socket: books. */
export function hibachiSocket(connection: SimConnection, world: World, find: FindContract): SimSession {
  return new Session(connection, world, find);
}
