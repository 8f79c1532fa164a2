import type { Row, Sides } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { bookRows, listing, tickerFrame, WHOLE } from './kraken-rows.ts';
import { readAsk } from './read-ask.ts';
import { bookTime, type RowChange, type SideChanges } from './stepped-book.ts';

interface Count {
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
export class KrakenSocket extends BookSession<Count> {
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
      for (const product of products) this.#followProduct(event, feed, product);
    }
  }

  protected override tick(): void {
    const { now } = this;
    if (!this.#greeted) this.send({ event: 'info', version: 1 });
    this.#greeted = true;
    if (this.#beats) this.send({ feed: 'heartbeat', time: now });
    super.tick();
    if (now - this.#tickedAt < TICKER_MS) return;
    this.#tickedAt = now;
    for (const c of this.#tickers.values()) this.send(tickerFrame(c, this.world, now));
  }

  #followProduct(event: string, feed: string, product: string): void {
    const c = this.world
      .contracts(listing)
      .find((contract) => contract.symbol === product && contract.status === 'live');
    if (c === undefined) {
      this.send({ event: 'error', message: 'Invalid product id' });
      return;
    }
    this.send({ event: `${event}d`, feed, product_ids: [product] });
    if (feed === 'ticker') {
      this.#followTicker(event, c);
      return;
    }
    const before = this.books.get(product);
    if (before !== undefined) this.#seqs.set(product, before.more.seq);
    if (event === 'unsubscribe') this.books.delete(product);
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
    const seq = (this.#seqs.get(c.symbol) ?? Math.floor(bookTime(this.now) / 1000)) + 1;
    this.sendWhole(this.follow(c.symbol, c, WHOLE, { seq }));
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookRows(c, this.world, t, levels);
  }

  protected sendBook(followed: FollowedBook<Count>, { bids, asks }: Sides): void {
    const { c, book, more } = followed;
    const head = {
      feed: 'book_snapshot',
      product_id: c.symbol,
      timestamp: book.at,
      seq: more.seq,
      tickSize: null,
    };
    this.push(followed, { ...head, bids: bids.map(levelOf), asks: asks.map(levelOf) }, true);
  }

  /** One level a message. Of two that would cross for a moment the one that goes is sent first. */
  protected override sendChanges(followed: FollowedBook<Count>, { bids, asks }: SideChanges): void {
    const deltas = [
      ...bids.map((change) => ({ side: 'buy', change })),
      ...asks.map((change) => ({ side: 'sell', change })),
    ];
    for (const isGone of [true, false]) {
      for (const { side, change } of deltas) {
        if ((change.kind === 'delete') === isGone) this.#sendDelta(followed, side, change);
      }
    }
  }

  #sendDelta(followed: FollowedBook<Count>, side: string, { kind, row: [price, qty] }: RowChange): void {
    const { c, book, more } = followed;
    more.seq++;
    const level = { price, qty: kind === 'delete' ? 0 : qty, timestamp: book.at };
    this.push(followed, { feed: 'book', product_id: c.symbol, side, seq: more.seq, ...level }, false);
  }
}
