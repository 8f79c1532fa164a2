import type { Sides } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { sidesOf } from './sides.ts';
import { SocketSession } from './socket-session.ts';
import { type SteppedBook, zeroed } from './stepped-book.ts';

/** A client that says nothing for so long is disconnected. */
const SILENCE_MS = 60_000;
/** Levels of the book, a side. */
export const LEVELS = 100;

interface Ask {
  readonly id?: number;
  readonly method?: string;
  readonly client_time?: string;
  readonly stream?: { readonly type?: string; readonly product_id?: number };
}

interface Followed {
  readonly c: SimContract;
  readonly book: SteppedBook;
}

/** The live contract of a product number. */
type FindProduct = (product: number | undefined) => SimContract | undefined;

/** A number as the venue's integers have it, times 10^18. */
export function x18(x: number): string {
  const [whole = '0', part = ''] = decimal(x).split('.');
  return BigInt(whole + part.slice(0, 18).padEnd(18, '0')).toString();
}

/** Milliseconds as the nanosecond text of the venue. */
export const ns = (ms: number): string => `${ms}000000`;

/** Levels `[price, size]` of the book, scaled, best first. */
export function bookSides(c: SimContract, world: World, t: number, depth = LEVELS): Sides {
  return sidesOf(world.book(c, t, depth), (price, size) => [x18(price), x18(size)]);
}

/** Nado's subscription socket: changes of books. */
export class NadoSocket extends SocketSession {
  readonly #find: FindProduct;
  readonly #books = new Map<number, Followed>();
  #heardAt: number | undefined;

  constructor(connection: SimConnection, world: World, find: FindProduct) {
    super(connection, world);
    this.#find = find;
  }

  onMessage(text: string): void {
    this.#heardAt = this.now;
    const { id, method, client_time, stream } = JSON.parse(text) as Ask;
    if (method === 'ping') {
      this.send({ result: { method: 'pong', server_time: String(this.now), client_time }, id });
    } else if (method === 'subscribe' || method === 'unsubscribe') {
      this.send({ result: null, id });
      if (stream?.type === 'book_depth') this.#follow(stream.product_id, method === 'subscribe');
    }
  }

  onTick(now: number): void {
    this.now = now;
    this.#heardAt ??= now;
    if (now - this.#heardAt > SILENCE_MS) {
      this.connection.close(1006);
      return;
    }
    for (const [product, followed] of this.#books) this.#sendChanges(product, followed);
  }

  /** No snapshot comes: changes begin with the next step. */
  #follow(product: number | undefined, isWanted: boolean): void {
    const c = this.#find(product);
    if (product === undefined || c === undefined) return;
    this.#books.delete(product);
    if (!isWanted) return;
    this.#books.set(product, {
      c,
      book: this.steppedBook(c, (t) => bookSides(c, this.world, t)),
    });
  }

  #sendChanges(product_id: number, { c, book }: Followed): void {
    const before = book.at;
    const changes = book.advance(this.now);
    if (changes === undefined) return;
    const frame = {
      type: 'book_depth',
      min_timestamp: ns(book.at),
      max_timestamp: ns(book.at),
      last_max_timestamp: ns(before),
      product_id,
      bids: zeroed(changes.bids),
      asks: zeroed(changes.asks),
    };
    this.send(frame, { symbol: c.symbol, isSnapshot: false });
  }
}
