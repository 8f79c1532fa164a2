import type { Sides } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { sidesOf } from './sides.ts';

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
export class NadoSocket extends BookSession<number> {
  readonly #find: FindProduct;
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
      if (stream?.type === 'book_depth') this.#followProduct(stream.product_id, method === 'subscribe');
    }
  }

  protected override tick(): void {
    const { now } = this;
    this.#heardAt ??= now;
    if (now - this.#heardAt > SILENCE_MS) {
      this.connection.close(1006);
      return;
    }
    super.tick();
  }

  /** No snapshot comes: changes begin with the next step. */
  #followProduct(product: number | undefined, isWanted: boolean): void {
    const c = this.#find(product);
    if (product === undefined || c === undefined) return;
    this.books.delete(String(product));
    if (isWanted) this.follow(String(product), c, LEVELS, product);
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookSides(c, this.world, t, levels);
  }

  protected sendBook(followed: FollowedBook<number>, { bids, asks }: Sides, before = 0): void {
    const frame = {
      type: 'book_depth',
      min_timestamp: ns(followed.book.at),
      max_timestamp: ns(followed.book.at),
      last_max_timestamp: ns(before),
      product_id: followed.more,
      bids,
      asks,
    };
    this.push(followed, frame, false);
  }
}
