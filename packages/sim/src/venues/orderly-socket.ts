import type { Sides } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { VenuePings } from './pings.ts';
import { readAsk } from './read-ask.ts';
import { decimalSides } from './sides.ts';

/** Last segment of the path; the socket takes no other. */
const KEY = /\/ws\/stream\/OqdphuyCtYWxwzhxyLLjOWNdFP7sQt8RPWzmb5xY$/;
const PING_MS = 10_000;
/** A client that misses this many pings in a row is hung up on. */
const MISSES = 10;
const MAX_TOPICS = 100;
/** Levels of the snapshot, a side. */
const WHOLE = 100;

interface Ask {
  readonly id?: unknown;
  readonly event?: string;
  readonly topic?: string;
  readonly params?: { readonly type?: string; readonly symbol?: string };
}

/** The contract that trades under a symbol. */
export type FindContract = (symbol: string | undefined) => SimContract | undefined;

/** Levels `[price, base units]` of the book, best first, as many as there are or as are asked for. */
export function bookSides(c: SimContract, world: World, t: number, depth = WHOLE): Sides {
  return decimalSides(c, world, t, Math.min(WHOLE, depth));
}

/** Orderly's public socket: books whole and by change, each change naming the time of the one before. */
export class OrderlySocket extends BookSession<string> {
  readonly #find: FindContract;
  readonly #pings = new VenuePings(PING_MS, MISSES);

  constructor(connection: SimConnection, world: World, find: FindContract) {
    super(connection, world);
    this.#find = find;
    if (!KEY.test(connection.path)) connection.close(1006);
  }

  onMessage(text: string): void {
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.send({ success: false, ts: this.now, errorMsg: 'invalid json' });
      return;
    }
    this.#pings.answered();
    switch (ask.event) {
      case 'ping':
        this.send({ event: 'pong', ts: this.now });
        return;
      case 'pong':
        return;
      case 'subscribe':
        this.#subscribe(ask);
        return;
      case 'unsubscribe':
        this.books.delete(ask.topic ?? '');
        this.#acknowledge(ask);
        return;
      case 'request':
        this.#answer(ask);
        return;
      default:
        this.#refuse(ask, 'unknown event');
    }
  }

  protected override tick(): void {
    const { now } = this;
    const due = this.#pings.due(now);
    if (due === 'end') {
      this.connection.close(1006);
      return;
    }
    if (due === 'ping') this.send({ event: 'ping', ts: now });
    super.tick();
  }

  /** A kind of topic that does not exist is acknowledged and stays silent. */
  #subscribe(ask: Ask): void {
    const { topic = '' } = ask;
    const [symbol, kind = ''] = topic.split('@', 2);
    const c = this.#find(symbol);
    if (c === undefined) {
      this.#refuse(ask, `invalid symbol ${symbol}`);
    } else if (this.books.size >= MAX_TOPICS && !this.books.has(topic)) {
      this.#refuse(ask, 'your subscribed topics have reached limit ');
    } else {
      this.#acknowledge(ask);
      const followed = this.follow(topic, c, WHOLE, kind, kind === 'orderbook');
      if (followed.isWhole) this.sendWhole(followed);
    }
  }

  protected override publish(followed: FollowedBook<string>): void {
    if (followed.more.startsWith('orderbook')) super.publish(followed);
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookSides(c, this.world, t, levels);
  }

  protected sendBook(followed: FollowedBook<string>, sides: Sides, prevTs?: number): void {
    const { name: topic, c, book, more: kind } = followed;
    if (!followed.isWhole && kind !== 'orderbookupdate') return;
    const data = prevTs === undefined ? { symbol: c.symbol } : { symbol: c.symbol, prevTs };
    const frame = { topic, ts: book.at, data: { ...data, ...numbers(sides) } };
    this.push(followed, frame, prevTs === undefined);
  }

  /** The book of this moment, asked for once. */
  #answer(ask: Ask): void {
    const { params: { type, symbol } = {} } = ask;
    const c = this.#find(symbol);
    if (type !== 'orderbook' || c === undefined) {
      this.#refuse(ask, `invalid symbol ${symbol}`);
      return;
    }
    const { at, sides } = this.steppedBook(c, (t) => bookSides(c, this.world, t));
    const data = { symbol: c.symbol, ts: at, ...numbers(sides) };
    const frame = { id: ask.id, event: 'request', success: true, ts: this.now, data };
    this.send(frame, { symbol: c.symbol, isSnapshot: true });
  }

  #acknowledge({ id, event }: Ask): void {
    this.send({ id, event, success: true, ts: this.now });
  }

  #refuse({ id }: Ask, errorMsg: string): void {
    this.send({ id, success: false, ts: this.now, errorMsg });
  }
}

function numbers({ bids, asks }: Sides) {
  return { asks: asks.map((row) => row.map(Number)), bids: bids.map((row) => row.map(Number)) };
}
