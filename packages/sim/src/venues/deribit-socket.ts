import type { BookTag } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { bookRows, changeIdAt, openContracts, ticker } from './deribit-rows.ts';
import { readAsk } from './read-ask.ts';
import { SocketSession } from './socket-session.ts';
import type { RowChange, SteppedBook } from './stepped-book.ts';

/** A client that does not answer a test request for this long is hung up on. */
const PATIENCE_MS = 10_000;
/** Levels of the snapshot, a side. */
const WHOLE = 400;

const CHANNEL =
  /^(?:(book)\.([^.]+)\.(?:100ms|agg2)|(book)\.([^.]+)\.none\.(1|10|20)\.100ms|(ticker)\.([^.]+)\.(?:100ms|agg2))$/;

interface Ask {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly channels?: readonly string[]; readonly interval?: number };
}

interface Topic {
  readonly name: string;
  readonly c: SimContract;
  readonly kind: 'book' | 'window' | 'ticker';
  readonly book: SteppedBook;
}

const actions = (changes: readonly RowChange[]) =>
  changes.map(({ kind, row: [price, size] }) => [kind, price, kind === 'delete' ? 0 : size]);

/** Deribit's JSON-RPC socket: books of all levels by change, grouped windows, tickers, heartbeats on demand. */
export class DeribitSocket extends SocketSession {
  readonly #topics = new Map<string, Topic>();
  /** Seconds between heartbeats; none until the client asks for them. */
  #interval: number | undefined;
  #beatAt = 0;
  #askedAt: number | undefined;

  onMessage(text: string): void {
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.send({ error: { code: 11050, data: 'invalid json', message: 'bad_request' } });
      return;
    }
    const { id, method, params } = ask;
    const channels = params?.channels ?? [];
    switch (method) {
      case 'public/test':
        this.#askedAt = undefined;
        this.#reply(id, { version: '1.2.26' });
        return;
      case 'public/set_heartbeat':
        this.#interval = params?.interval;
        this.#beatAt = this.now;
        this.#reply(id, 'ok');
        return;
      case 'public/subscribe':
        this.#subscribe(id, channels);
        return;
      case 'public/unsubscribe':
        this.#reply(
          id,
          channels.filter((name) => this.#topics.delete(name)),
        );
        return;
      default:
        this.send({ id, error: { code: -32601, message: 'Method not found' } });
    }
  }

  protected tick(): void {
    if (this.#askedAt !== undefined && this.now - this.#askedAt > PATIENCE_MS) {
      this.connection.close(4000);
      return;
    }
    this.#beat();
    for (const topic of this.#topics.values()) this.#publish(topic);
  }

  #beat(): void {
    if (this.#interval === undefined || this.now - this.#beatAt < this.#interval * 1000) return;
    this.#beatAt = this.now;
    this.#askedAt ??= this.now;
    this.send({ params: { type: 'test_request' }, method: 'heartbeat' });
  }

  /** An unknown channel is left out of the answer; one that is followed already is named and not sent again. */
  #subscribe(id: unknown, channels: readonly string[]): void {
    if (channels.some((name) => name.endsWith('.raw'))) {
      const message = 'raw_subscriptions_not_available_for_unauthorized';
      this.send({ id, error: { code: 13778, message } });
      return;
    }
    const made: Topic[] = [];
    const taken = channels.filter((name) => {
      if (this.#topics.has(name)) return true;
      const topic = this.#topicOf(name);
      if (topic === undefined) return false;
      this.#topics.set(name, topic);
      made.push(topic);
      return true;
    });
    this.#reply(id, taken);
    for (const topic of made) this.#begin(topic);
  }

  #topicOf(name: string): Topic | undefined {
    const [, isSnapshot, ofWhole, window, ofWindow, depth, , ofTicker] = CHANNEL.exec(name) ?? [];
    const symbol = ofWhole ?? ofWindow ?? ofTicker;
    const c = openContracts(this.world).find((one) => one.symbol === symbol);
    if (c === undefined) return undefined;
    const kind = isSnapshot !== undefined ? 'book' : window !== undefined ? 'window' : 'ticker';
    const levels = Number(depth ?? (kind === 'book' ? WHOLE : 1));
    const book = this.steppedBook(c, (t) => bookRows(c, this.world, t, levels));
    return { name, c, kind, book };
  }

  #begin(topic: Topic): void {
    if (topic.kind !== 'book') {
      this.#sendWhole(topic);
      return;
    }
    const news = (rows: SteppedBook['sides']['bids']) => rows.map(([price, size]) => ['new', price, size]);
    const { bids, asks } = topic.book.sides;
    this.#push(
      topic,
      { type: 'snapshot', ...this.#numbered(topic), bids: news(bids), asks: news(asks) },
      true,
    );
  }

  #publish(topic: Topic): void {
    const { kind, c, book } = topic;
    if (kind === 'ticker') {
      this.#push(topic, ticker(c, this.world, this.now));
      return;
    }
    const before = changeIdAt(book.at);
    const changes = book.advance(this.now);
    if (changes === undefined) return;
    if (kind === 'window') {
      this.#sendWhole(topic);
      return;
    }
    const sides = { bids: actions(changes.bids), asks: actions(changes.asks) };
    this.#push(topic, { type: 'change', ...this.#numbered(topic), ...sides, prev_change_id: before }, false);
  }

  #sendWhole(topic: Topic): void {
    if (topic.kind === 'ticker') this.#push(topic, ticker(topic.c, this.world, this.now));
    else this.#push(topic, { ...this.#numbered(topic), ...topic.book.sides }, true);
  }

  #numbered({ c, book }: Topic) {
    return { timestamp: book.at, change_id: changeIdAt(book.at), instrument_name: c.symbol };
  }

  /** @param isSnapshot of a book: whether it is all of it */
  #push({ name, c }: Topic, data: object, isSnapshot?: boolean): void {
    const about = isSnapshot === undefined ? undefined : { symbol: c.symbol, isSnapshot };
    this.send({ method: 'subscription', params: { channel: name, data } }, about);
  }

  #reply(id: unknown, result: unknown): void {
    const us = this.now * 1000;
    this.send({ id, result, usIn: us, usOut: us + 400, usDiff: 400, testnet: false });
  }

  protected override send(frame: object, about?: BookTag): void {
    super.send({ jsonrpc: '2.0', ...frame }, about);
  }
}
