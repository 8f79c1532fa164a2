import type { Row, Sides } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { decimalSides } from './sides.ts';
import { SocketSession } from './socket-session.ts';
import { type SteppedBook, zeroed } from './stepped-book.ts';

const LEVELS = 100;

interface Ask {
  readonly method?: string;
  readonly parameters?: {
    readonly subscriptions?: readonly { readonly symbol?: string; readonly topic?: string }[];
  };
}

/** The live contract that trades under a symbol. */
type FindContract = (symbol: string | undefined) => SimContract | undefined;

/** One side as messages and answers have it. */
export function levels(rows: readonly Row[]) {
  return { levels: rows.map(([price, quantity]) => ({ price, quantity })) };
}

/** Hibachi's market socket: books. */
export class HibachiSocket extends SocketSession {
  readonly #find: FindContract;
  readonly #books = new Map<SimContract, SteppedBook>();

  constructor(connection: SimConnection, world: World, find: FindContract) {
    super(connection, world);
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
    this.now = now;
    for (const [c, book] of this.#books) {
      const changes = book.advance(now);
      if (changes === undefined) continue;
      this.#push(c, 'Update', book.at, { bids: zeroed(changes.bids), asks: zeroed(changes.asks) });
    }
  }

  #begin(c: SimContract): void {
    const book = this.steppedBook(c, (t) => decimalSides(c, this.world, t, LEVELS));
    this.#books.set(c, book);
    this.#push(c, 'Snapshot', book.at, book.sides);
  }

  #push(c: SimContract, messageType: 'Snapshot' | 'Update', at: number, { bids, asks }: Sides): void {
    const head = { symbol: c.symbol, messageType, topic: 'orderbook', timestamp_ms: at };
    const frame = { ...head, data: { bid: levels(bids), ask: levels(asks) } };
    this.send(frame, {
      symbol: c.symbol,
      isSnapshot: messageType === 'Snapshot',
    });
  }
}
