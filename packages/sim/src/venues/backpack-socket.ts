import type { SimContract } from '../world.ts';
import { bookSides, contractsWith, interestRow, markRow, tickerRow, updateAt } from './backpack-rows.ts';
import { readAsk } from './read-ask.ts';
import { SocketSession } from './socket-session.ts';
import { type SteppedBook, zeroed } from './stepped-book.ts';

/** Levels that a book has, a side. */
const DEPTH = 200;
const GONE = ['0.00000'];
const INTEREST_MS = 60_000;
const WINDOWS = ['200ms', '600ms', '1000ms'];

interface Ask {
  readonly method?: string;
  readonly params?: readonly string[];
}

interface Topic {
  readonly stream: string;
  readonly event: string;
  readonly c: SimContract;
  sentAt: number;
  readonly book: SteppedBook;
}

/** Backpack's public socket: changes of books without a snapshot, marks, volumes and best prices. */
export class BackpackSocket extends SocketSession {
  readonly #topics = new Map<string, Topic>();

  /** Requests that are right are not acknowledged. */
  onMessage(text: string): void {
    const { method, params = [] } = readAsk<Ask>(text) ?? {};
    if (method === 'SUBSCRIBE') for (const stream of params) this.#subscribe(stream);
    else if (method === 'UNSUBSCRIBE') for (const stream of params) this.#topics.delete(stream);
    else this.#refuse(4002, 'Parse error');
  }

  onTick(now: number): void {
    this.now = now;
    for (const topic of this.#topics.values()) this.#publish(topic);
  }

  #subscribe(stream: string): void {
    const [, event = '', window, symbol] = /^(\w+)\.(?:(\d+ms)\.)?(.+)$/.exec(stream) ?? [];
    if (!['depth', 'markPrice', 'ticker', 'bookTicker', 'openInterest'].includes(event)) {
      this.#refuse(4006, 'Invalid stream');
      return;
    }
    if (window !== undefined && !WINDOWS.includes(window)) {
      this.#refuse(4008, 'Invalid depth window');
      return;
    }
    // An unknown or closed market is met with silence.
    const c = contractsWith(this.world, 'live').find((contract) => contract.symbol === symbol);
    if (c === undefined || this.#topics.has(stream)) return;
    const depth = event === 'depth' ? DEPTH : 0;
    const book = this.steppedBook(c, (t) => bookSides(c, this.world, t, depth));
    this.#topics.set(stream, { stream, event, c, book, sentAt: Number.NEGATIVE_INFINITY });
  }

  #publish(topic: Topic): void {
    const { c, event } = topic;
    const t = this.now;
    const head = { e: event, E: t * 1000, s: c.symbol };
    if (event === 'depth') {
      this.#publishDepth(topic, head);
    } else if (event === 'markPrice') {
      const {
        markPrice: p,
        indexPrice: i,
        fundingRate: f,
        nextFundingTimestamp: n,
      } = markRow(c, this.world, t);
      this.#push(topic, { ...head, T: t * 1000, p, i, f, n });
    } else if (event === 'ticker') {
      const { volume: v, quoteVolume: V, lastPrice } = tickerRow(c, this.world, t);
      this.#push(topic, { ...head, v, V, c: lastPrice });
    } else if (event === 'bookTicker') {
      const { bids, asks } = bookSides(c, this.world, t, 1);
      const [[b, B] = [null, null], [a, A] = [null, null]] = [bids[0], asks[0]];
      this.#push(topic, { ...head, T: t * 1000, a, A, b, B, u: updateAt(t) });
    } else if (t - topic.sentAt >= INTEREST_MS) {
      this.#push(topic, { ...head, o: interestRow(c, this.world, t).openInterest });
    }
  }

  #publishDepth(topic: Topic, head: object): void {
    const { book } = topic;
    const last = updateAt(book.at);
    const changes = book.advance(this.now);
    if (changes === undefined) return;
    const [a, b] = [zeroed(changes.asks, GONE), zeroed(changes.bids, GONE)];
    this.#push(topic, { ...head, T: book.at * 1000, U: last + 1, u: updateAt(book.at), a, b });
  }

  #push(topic: Topic, data: object): void {
    topic.sentAt = this.now;
    const about = topic.event === 'depth' ? { symbol: topic.c.symbol, isSnapshot: false } : undefined;
    this.send({ data, stream: topic.stream }, about);
  }

  #refuse(code: number, message: string): void {
    this.send({ id: null, error: { code, message } });
  }
}
