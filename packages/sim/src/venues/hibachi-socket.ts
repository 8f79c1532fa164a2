import type { Row, Sides } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { decimalSides } from './sides.ts';

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
export class HibachiSocket extends BookSession {
  readonly #find: FindContract;

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
      if (method === 'subscribe') this.sendWhole(this.follow(c.symbol, c, LEVELS, undefined));
      else if (method === 'unsubscribe') this.books.delete(c.symbol);
    }
  }

  protected sidesAt(c: SimContract, t: number, depth: number): Sides {
    return decimalSides(c, this.world, t, depth);
  }

  protected sendBook(followed: FollowedBook, { bids, asks }: Sides, before?: number): void {
    const { c, book } = followed;
    const messageType = before === undefined ? 'Snapshot' : 'Update';
    const head = { symbol: c.symbol, messageType, topic: 'orderbook', timestamp_ms: book.at };
    this.push(followed, { ...head, data: { bid: levels(bids), ask: levels(asks) } }, before === undefined);
  }
}
