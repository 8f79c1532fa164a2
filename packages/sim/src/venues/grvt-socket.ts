import type { Row, Sides } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { decimalSides } from './sides.ts';
import { SocketSession } from './socket-session.ts';
import { bookStep, type SteppedBook, zeroed } from './stepped-book.ts';

/** Levels that there are, a side, whatever is asked for. */
const MAX_LEVELS = 100;

interface Ask {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly stream?: string; readonly selectors?: readonly string[] };
}

interface Topic {
  readonly stream: string;
  readonly selector: string;
  readonly c: SimContract;
  readonly everyMs: number;
  /** Absent where the stream is none of books. */
  readonly book: SteppedBook | undefined;
  sentAt: number;
}

/** The part of the venue's list that the socket uses. */
export interface GrvtList {
  /** The live contract of a symbol. */
  readonly find: (symbol: string | undefined) => SimContract | undefined;
  readonly ticker: (c: SimContract, now: number) => object;
}

/** Milliseconds as the nanosecond text of the venue. */
export const ns = (ms: number): string => `${ms}000000`;

/** Levels `[price, size]` of the book, best first. */
export function bookSides(c: SimContract, world: World, t: number, depth: number): Sides {
  return decimalSides(c, world, t, Math.min(MAX_LEVELS, depth));
}

/** A book or its changes as stream and REST show them. */
export function bookFeed(c: SimContract, at: number, { bids, asks }: Sides) {
  const side = (rows: readonly Row[]) =>
    rows.map(([price, size]) => ({ price, size, num_orders: size === '0.0' ? 0 : 1 }));
  return { event_time: ns(at), instrument: c.symbol, bids: side(bids), asks: side(asks) };
}

/** GRVT's market socket: tickers, and books whole or by changes. */
export class GrvtSocket extends SocketSession {
  readonly #list: GrvtList;
  readonly #topics = new Map<string, Topic>();

  constructor(connection: SimConnection, world: World, list: GrvtList) {
    super(connection, world);
    this.#list = list;
  }

  onMessage(text: string): void {
    const ask = JSON.parse(text) as Ask;
    const { stream = '', selectors = [] } = ask.params ?? {};
    if (ask.method === 'subscribe') this.#subscribe(ask, stream, selectors);
    else if (ask.method === 'unsubscribe') {
      for (const selector of selectors) this.#topics.delete(`${stream} ${selector}`);
      this.#reply(ask, { result: { stream, unsubs: selectors } });
    } else this.#reply(ask, { error: { code: 1200, message: 'RPC method not found' } });
  }

  onTick(now: number): void {
    this.now = now;
    for (const topic of this.#topics.values()) this.#publish(topic);
  }

  /** One selector that is wrong refuses all of the frame. */
  #subscribe(ask: Ask, stream: string, selectors: readonly string[]): void {
    const topics: Topic[] = [];
    for (const selector of selectors) {
      const [symbol, rate = '1000'] = selector.split('@');
      const c = this.#list.find(symbol);
      if (c === undefined) {
        this.#reply(ask, { error: { code: 3000, message: 'Instrument is invalid' } });
        return;
      }
      const [everyMs, depth = MAX_LEVELS] = rate.split('-').map(Number);
      const book = stream.startsWith('v1.book') ? this.#bookOf(c, depth) : undefined;
      topics.push({ stream, selector, c, everyMs: everyMs ?? 1000, book, sentAt: 0 });
    }
    const latest = topics.map(({ book }) => String(book === undefined ? 0 : bookStep(book.at)));
    const numbers = { num_snapshots: topics.map(() => 1), latest_sequence_number: latest };
    this.#reply(ask, { result: { stream, subs: selectors, unsubs: [], ...numbers } });
    for (const topic of topics) {
      this.#topics.set(`${stream} ${topic.selector}`, topic);
      if (topic.book === undefined) this.#publish(topic);
      else this.#sendWhole(topic, topic.book);
    }
  }

  #bookOf(c: SimContract, depth: number): SteppedBook {
    return this.steppedBook(c, (t) => bookSides(c, this.world, t, depth));
  }

  #publish(topic: Topic): void {
    const { c, book, everyMs } = topic;
    if (book !== undefined) {
      this.#sendBook(topic, book);
    } else if (this.now - topic.sentAt >= everyMs) {
      topic.sentAt = this.now;
      this.#send(topic, '0', '0', this.#list.ticker(c, this.now));
    }
  }

  /** A snapshot has no number of its own. */
  #sendWhole(topic: Topic, { at, sides }: SteppedBook): void {
    this.#send(topic, '0', '0', bookFeed(topic.c, at, sides), true);
  }

  #sendBook(topic: Topic, book: SteppedBook): void {
    const before = bookStep(book.at);
    const changes = book.advance(this.now);
    if (changes === undefined) return;
    if (topic.stream === 'v1.book.s') {
      this.#sendWhole(topic, book);
      return;
    }
    const sides = { bids: zeroed(changes.bids, ['0.0']), asks: zeroed(changes.asks, ['0.0']) };
    const feed = bookFeed(topic.c, book.at, sides);
    this.#send(topic, String(bookStep(book.at)), String(before), feed, false);
  }

  #send(
    { stream, selector, c, book }: Topic,
    sequence_number: string,
    prev_sequence_number: string,
    feed: object,
    isSnapshot = true,
  ): void {
    const frame = { stream, selector, sequence_number, feed, prev_sequence_number };
    this.send(frame, book && { symbol: c.symbol, isSnapshot });
  }

  #reply({ id, method }: Ask, content: object): void {
    this.send({ jsonrpc: '2.0', ...content, id, method });
  }
}
