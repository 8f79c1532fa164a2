import type { Row } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { bookRows, listing, tickerFrame, WHOLE } from './kraken-rows.ts';
import { readAsk } from './read-ask.ts';
import { SocketSession } from './socket-session.ts';
import { bookTime, type RowChange, type SteppedBook } from './stepped-book.ts';

interface Followed {
  readonly c: SimContract;
  readonly book: SteppedBook;
  /** Number of the last message of this product. */
  seq: number;
}

interface Ask {
  readonly event?: string;
  readonly feed?: string;
  readonly product_ids?: readonly string[];
}

const levelOf = ([price, qty]: Row) => ({ price, qty });

/** The venue sends at most a frame a second of each contract; here they come as often as prices move by much. */
const TICKER_MS = 3000;

/** Kraken's futures socket: tickers, and books of all levels, one changed level a message. */
export class KrakenSocket extends SocketSession {
  readonly #books = new Map<string, Followed>();
  /** Last number of the products that were followed before. */
  readonly #seqs = new Map<string, number>();
  /** Contracts whose tickers are followed. */
  readonly #tickers = new Map<string, SimContract>();
  #tickedAt = 0;
  #beats = false;
  #greeted = false;

  onMessage(text: string): void {
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.send({ event: 'alert', message: 'Json Error' });
      return;
    }
    const { event, feed, product_ids: products = [] } = ask;
    if (event !== 'subscribe' && event !== 'unsubscribe') {
      this.send({ event: 'error', message: 'Bad Event' });
    } else if (feed === 'heartbeat') {
      this.#beats = event === 'subscribe';
      this.send({ event: `${event}d`, feed });
    } else if (feed !== 'book' && feed !== 'ticker') {
      this.send({ event: 'error', message: 'Invalid feed' });
    } else {
      for (const product of products) this.#follow(event, feed, product);
    }
  }

  protected tick(): void {
    const { now } = this;
    if (!this.#greeted) this.send({ event: 'info', version: 1 });
    this.#greeted = true;
    if (this.#beats) this.send({ feed: 'heartbeat', time: now });
    for (const followed of this.#books.values()) this.#publish(followed);
    if (now - this.#tickedAt < TICKER_MS) return;
    this.#tickedAt = now;
    for (const c of this.#tickers.values()) this.send(tickerFrame(c, this.world, now));
  }

  #follow(event: string, feed: string, product: string): void {
    const c = this.world.contracts(listing).find((one) => one.symbol === product && one.status === 'live');
    if (c === undefined) {
      this.send({ event: 'error', message: 'Invalid product id' });
      return;
    }
    this.send({ event: `${event}d`, feed, product_ids: [product] });
    if (feed === 'ticker') {
      this.#followTicker(event, c);
      return;
    }
    const before = this.#books.get(product);
    if (before !== undefined) this.#seqs.set(product, before.seq);
    if (event === 'unsubscribe') this.#books.delete(product);
    else this.#begin(c);
  }

  #followTicker(event: string, c: SimContract): void {
    if (event === 'unsubscribe') this.#tickers.delete(c.symbol);
    else {
      this.#tickers.set(c.symbol, c);
      this.send(tickerFrame(c, this.world, this.now));
    }
  }

  #begin(c: SimContract): void {
    const book = this.steppedBook(c, (t) => bookRows(c, this.world, t, WHOLE));
    const seq = (this.#seqs.get(c.symbol) ?? Math.floor(bookTime(this.now) / 1000)) + 1;
    this.#books.set(c.symbol, { c, book, seq });
    const sides = { bids: book.sides.bids.map(levelOf), asks: book.sides.asks.map(levelOf) };
    const head = { feed: 'book_snapshot', product_id: c.symbol, timestamp: book.at, seq, tickSize: null };
    this.send({ ...head, ...sides }, { symbol: c.symbol, isSnapshot: true });
  }

  /** One level a message. Of two that would cross for a moment the one that goes is sent first. */
  #publish(followed: Followed): void {
    const changes = followed.book.advance(this.now);
    if (changes === undefined) return;
    const deltas = [
      ...changes.bids.map((change) => ({ side: 'buy', change })),
      ...changes.asks.map((change) => ({ side: 'sell', change })),
    ];
    const isGone = ({ change }: { readonly change: RowChange }) => change.kind === 'delete';
    for (const one of deltas.filter(isGone)) this.#sendDelta(followed, one.side, one.change);
    for (const one of deltas.filter((other) => !isGone(other)))
      this.#sendDelta(followed, one.side, one.change);
  }

  #sendDelta(followed: Followed, side: string, { kind, row: [price, qty] }: RowChange): void {
    followed.seq++;
    const { c, book, seq } = followed;
    const level = { price, qty: kind === 'delete' ? 0 : qty, timestamp: book.at };
    const frame = { feed: 'book', product_id: c.symbol, side, seq, ...level };
    this.send(frame, { symbol: c.symbol, isSnapshot: false });
  }
}
