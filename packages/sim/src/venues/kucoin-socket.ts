import type { BookTag, Sides } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { bookRows, listing, sequenceAt } from './kucoin-rows.ts';
import { ClientPings } from './pings.ts';
import { readAsk } from './read-ask.ts';
import { SocketSession } from './socket-session.ts';
import { type SteppedBook, zeroed } from './stepped-book.ts';

/** A socket without a client ping for this long is closed, even while data flows. */
const PING_MS = 30_000;
const MAX_TOPICS = 600;

/** Levels a side by the stated depth; the incremental ones are of the best 500. */
const LEVELS: Readonly<Record<string, number>> = { '1': 1, '5': 5, '50': 50 };
const INCREMENTAL = 500;

interface Ask {
  readonly id?: unknown;
  readonly type?: string;
  readonly action?: string;
  readonly channel?: string;
  readonly tradeType?: string;
  readonly symbol?: string;
  readonly depth?: string;
}

interface Topic {
  readonly c: SimContract;
  readonly depth: string;
  readonly isWhole: boolean;
  /** Begins with the tick behind the acknowledgement. */
  book: SteppedBook | undefined;
}

/** KuCoin's unified futures socket: books by change and whole ones. */
export class KucoinSocket extends SocketSession {
  readonly #topics = new Map<string, Topic>();
  readonly #pings = new ClientPings(PING_MS);
  #isWelcome = false;

  onMessage(text: string): void {
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.send({ id: '', result: false, message: 'invalid request data' });
      return;
    }
    const { id = '', type, action = '' } = ask;
    if (type === 'ping') {
      this.#pings.heard(this.now);
      this.send({ type: 'pong', id, ts: this.now * 1e6 });
      return;
    }
    if (action.toUpperCase() === 'SUBSCRIBE') this.#subscribe(id, ask);
    else if (action.toUpperCase() === 'UNSUBSCRIBE') this.#unsubscribe(id, ask);
    else this.send({ id, result: false, message: 'invalid request data' });
  }

  onTick(now: number): void {
    this.now = now;
    if (!this.#isWelcome) {
      this.#isWelcome = true;
      const sessionId = 'e8e46556-ae1d-4871-be0b-4efeaa5f2f6a';
      this.send({ sessionId, message: 'welcome', pingInterval: 18_000 });
    }
    if (this.#pings.isOver(now)) {
      this.connection.close(1000);
      return;
    }
    for (const topic of this.#topics.values()) this.#publish(topic);
  }

  /** A contract that does not exist is acknowledged, and silent. */
  #subscribe(id: unknown, { channel, tradeType, symbol = '', depth = '' }: Ask): void {
    const isWhole = LEVELS[depth] !== undefined;
    if (channel !== 'obu' || tradeType !== 'FUTURES' || !(isWhole || depth.startsWith('increment'))) {
      this.send({ id, result: false, message: 'invalid request data' });
      return;
    }
    if (this.#topics.size >= MAX_TOPICS) {
      this.send({ id, result: false, reason: 'exceed max subscription count limitation' });
      return;
    }
    this.send({ id, result: true });
    const c = this.world.contracts(listing).find((one) => one.symbol === symbol && one.status === 'live');
    if (c === undefined) return;
    this.#topics.set(`${symbol} ${depth}`, { c, depth, isWhole, book: undefined });
  }

  #unsubscribe(id: unknown, { symbol, depth }: Ask): void {
    this.#topics.delete(`${symbol} ${depth}`);
    this.send({ id, result: true });
  }

  #publish(topic: Topic): void {
    const { book, isWhole } = topic;
    if (book === undefined) {
      this.#begin(topic);
      return;
    }
    const before = sequenceAt(book.at);
    const changes = book.advance(this.now);
    if (changes === undefined) return;
    if (isWhole) this.#sendWhole(topic, book);
    else this.#push(topic, book, { asks: zeroed(changes.asks), bids: zeroed(changes.bids) }, before + 1);
  }

  #begin(topic: Topic): void {
    const { c, depth } = topic;
    const levels = LEVELS[depth] ?? INCREMENTAL;
    const book = this.steppedBook(c, (t) => bookRows(c, this.world, t, levels));
    topic.book = book;
    this.#sendWhole(topic, book);
  }

  #sendWhole(topic: Topic, book: SteppedBook): void {
    const { asks, bids } = book.sides;
    this.#push(topic, book, { asks, bids }, undefined);
  }

  /** @param first number that a change begins with; none for a snapshot */
  #push({ c, depth }: Topic, book: SteppedBook, { asks, bids }: Sides, first: number | undefined): void {
    const C = sequenceAt(book.at);
    const d = { a: asks, b: bids, C, s: c.symbol, M: book.at * 1e6, O: first ?? C };
    const t = first === undefined ? 'snapshot' : 'delta';
    const about = { symbol: c.symbol, isSnapshot: first === undefined };
    this.send({ T: 'obu.FUTURES', dp: depth, t, P: this.now * 1e6, d }, about);
  }

  /** Text in binary frames. */
  protected override send(frame: object, about?: BookTag): void {
    this.connection.send(Buffer.from(JSON.stringify(frame)), about);
  }
}
