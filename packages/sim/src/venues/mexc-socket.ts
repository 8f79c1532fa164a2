import type { BookTag } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { bookRows, listing, versionAt, WHOLE } from './mexc-rows.ts';
import { ClientPings } from './pings.ts';
import { readAsk } from './read-ask.ts';
import { SocketSession } from './socket-session.ts';
import { type SteppedBook, zeroed } from './stepped-book.ts';

/** A socket without a client ping for this long is closed, even while data flows. */
const PING_MS = 60_000;
/** No contracts, no orders. */
const GONE = [0, 0];

interface Ask {
  readonly method?: string;
  readonly param?: { readonly symbol?: string; readonly limit?: number };
}

interface Topic {
  readonly c: SimContract;
  readonly book: SteppedBook;
  readonly isWhole: boolean;
}

/** MEXC's futures socket: books by change, and the best levels whole. */
export class MexcSocket extends SocketSession {
  readonly #topics = new Map<string, Topic>();
  readonly #pings = new ClientPings(PING_MS);

  onMessage(text: string): void {
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.#send('rs.error', 'Invalid message');
      return;
    }
    const { method, param = {} } = ask;
    switch (method) {
      case 'ping':
        this.#pings.heard(this.now);
        this.#send('pong', this.now);
        return;
      case 'sub.depth':
        this.#follow(method, param.symbol, WHOLE, false);
        return;
      case 'sub.depth.full':
        this.#follow(method, param.symbol, param.limit ?? 20, true);
        return;
      case 'unsub.depth':
      case 'unsub.depth.full':
        this.#topics.delete(`${method.slice(2)} ${param.symbol}`);
        this.#send(`rs.${method}`, 'success');
        return;
      default:
        this.#send('rs.error', 'Invalid method');
    }
  }

  onTick(now: number): void {
    this.now = now;
    if (this.#pings.isOver(now)) {
      this.connection.close(1000);
      return;
    }
    for (const topic of this.#topics.values()) this.#publish(topic);
  }

  /** Changes come without a snapshot before them. */
  #follow(method: string, symbol: string | undefined, levels: number, isWhole: boolean): void {
    const c = this.world.contracts(listing).find((one) => one.symbol === symbol && one.status === 'live');
    if (c === undefined) {
      this.#send('rs.error', `Contract [${symbol}] not exists`);
      return;
    }
    this.#send(`rs.${method}`, 'success');
    const book = this.steppedBook(c, (t) => bookRows(c, this.world, t, levels));
    const topic: Topic = { c, book, isWhole };
    this.#topics.set(`${method} ${symbol}`, topic);
    if (isWhole) this.#sendWhole(topic);
  }

  #publish(topic: Topic): void {
    const { c, book, isWhole } = topic;
    const before = versionAt(book.at);
    const changes = book.advance(this.now);
    if (changes === undefined) return;
    if (isWhole) {
      this.#sendWhole(topic);
      return;
    }
    const end = versionAt(book.at);
    const sides = { asks: zeroed(changes.asks, GONE), bids: zeroed(changes.bids, GONE) };
    const data = { cts: book.at, ...sides, end, begin: before + 1, version: end };
    this.#send('push.depth', data, { symbol: c.symbol, isSnapshot: false });
  }

  #sendWhole({ c, book }: Topic): void {
    const { asks, bids } = book.sides;
    const data = { cts: book.at, asks, bids, version: versionAt(book.at) };
    this.#send('push.depth.full', data, { symbol: c.symbol, isSnapshot: true });
  }

  /** Acknowledgements name no contract. */
  #send(channel: string, data: unknown, about?: BookTag): void {
    const symbol = about === undefined ? {} : { symbol: about.symbol };
    this.send({ ...symbol, data, channel, ts: this.now }, about);
  }
}
