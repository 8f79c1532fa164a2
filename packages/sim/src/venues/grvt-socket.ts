import type { Row, Sides } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { decimalSides } from './sides.ts';
import { bookStep } from './stepped-book.ts';

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
  readonly everyMs: number;
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

const isOfBooks = (stream: string): boolean => stream.startsWith('v1.book');

const frameOf = (
  { stream, selector }: Topic,
  sequence_number: string,
  prev_sequence_number: string,
  feed: object,
) => ({ stream, selector, sequence_number, feed, prev_sequence_number });

/** GRVT's market socket: tickers, and books whole or by changes. */
export class GrvtSocket extends BookSession<Topic> {
  protected override readonly gone = ['0.0'];
  readonly #list: GrvtList;

  constructor(connection: SimConnection, world: World, list: GrvtList) {
    super(connection, world);
    this.#list = list;
  }

  onMessage(text: string): void {
    const ask = JSON.parse(text) as Ask;
    const { stream = '', selectors = [] } = ask.params ?? {};
    if (ask.method === 'subscribe') this.#subscribe(ask, stream, selectors);
    else if (ask.method === 'unsubscribe') {
      for (const selector of selectors) this.books.delete(`${stream} ${selector}`);
      this.#reply(ask, { result: { stream, unsubs: selectors } });
    } else this.#reply(ask, { error: { code: 1200, message: 'RPC method not found' } });
  }

  /** One selector that is wrong refuses all of the frame. */
  #subscribe(ask: Ask, stream: string, selectors: readonly string[]): void {
    const wanted = selectors.map((selector) => this.#read(stream, selector));
    if (wanted.some(({ c }) => c === undefined)) {
      this.#reply(ask, { error: { code: 3000, message: 'Instrument is invalid' } });
      return;
    }
    const begun = wanted.flatMap(({ c, depth, topic }) => {
      const name = `${stream} ${topic.selector}`;
      return c === undefined ? [] : [this.follow(name, c, depth, topic, stream === 'v1.book.s')];
    });
    const latest = begun.map(({ book }) => String(isOfBooks(stream) ? bookStep(book.at) : 0));
    const numbers = { num_snapshots: begun.map(() => 1), latest_sequence_number: latest };
    this.#reply(ask, { result: { stream, subs: selectors, unsubs: [], ...numbers } });
    for (const followed of begun) {
      if (isOfBooks(stream)) this.sendWhole(followed);
      else this.#sendTicker(followed);
    }
  }

  #read(stream: string, selector: string) {
    const [symbol, rate = '1000'] = selector.split('@');
    const [everyMs = 1000, depth = MAX_LEVELS] = rate.split('-').map(Number);
    const topic: Topic = { stream, selector, everyMs };
    return { c: this.#list.find(symbol), depth: isOfBooks(stream) ? depth : 0, topic };
  }

  protected override publish(followed: FollowedBook<Topic>): void {
    const { stream, everyMs } = followed.more;
    if (isOfBooks(stream)) super.publish(followed);
    else if (this.now - followed.sentAt >= everyMs) this.#sendTicker(followed);
  }

  #sendTicker(followed: FollowedBook<Topic>): void {
    followed.sentAt = this.now;
    this.send(frameOf(followed.more, '0', '0', this.#list.ticker(followed.c, this.now)));
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookSides(c, this.world, t, levels);
  }

  /** A snapshot has no number of its own. */
  protected sendBook(followed: FollowedBook<Topic>, sides: Sides, before?: number): void {
    const { c, book, more } = followed;
    const number = before === undefined ? '0' : String(bookStep(book.at));
    const previous = before === undefined ? '0' : String(bookStep(before));
    const frame = frameOf(more, number, previous, bookFeed(c, book.at, sides));
    this.push(followed, frame, before === undefined);
  }

  #reply({ id, method }: Ask, content: object): void {
    this.send({ jsonrpc: '2.0', ...content, id, method });
  }
}
