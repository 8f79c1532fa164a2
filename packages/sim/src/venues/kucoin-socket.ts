import type { BookTag, Sides } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { bookRows, listing, sequenceAt } from './kucoin-rows.ts';
import { ClientPings } from './pings.ts';
import { readAsk } from './read-ask.ts';

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

/** A book that begins with the tick behind the acknowledgement. */
interface Awaited {
  readonly c: SimContract;
  readonly depth: string;
}

/** KuCoin's unified futures socket: books by change and whole ones. */
export class KucoinSocket extends BookSession<string> {
  readonly #awaited = new Map<string, Awaited>();
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

  protected override tick(): void {
    if (!this.#isWelcome) {
      this.#isWelcome = true;
      const sessionId = 'e8e46556-ae1d-4871-be0b-4efeaa5f2f6a';
      this.send({ sessionId, message: 'welcome', pingInterval: 18_000 });
    }
    if (this.#pings.isOver(this.now)) {
      this.connection.close(1000);
      return;
    }
    super.tick();
    for (const name of this.#awaited.keys()) this.#begin(name);
  }

  /** A contract that does not exist is acknowledged, and silent. */
  #subscribe(id: unknown, { channel, tradeType, symbol = '', depth = '' }: Ask): void {
    const isWhole = LEVELS[depth] !== undefined;
    if (channel !== 'obu' || tradeType !== 'FUTURES' || !(isWhole || depth.startsWith('increment'))) {
      this.send({ id, result: false, message: 'invalid request data' });
      return;
    }
    if (new Set([...this.books.keys(), ...this.#awaited.keys()]).size >= MAX_TOPICS) {
      this.send({ id, result: false, reason: 'exceed max subscription count limitation' });
      return;
    }
    this.send({ id, result: true });
    const c = this.world
      .contracts(listing)
      .find((contract) => contract.symbol === symbol && contract.status === 'live');
    if (c === undefined) return;
    this.#awaited.set(`${symbol} ${depth}`, { c, depth });
  }

  #unsubscribe(id: unknown, { symbol, depth }: Ask): void {
    this.books.delete(`${symbol} ${depth}`);
    this.#awaited.delete(`${symbol} ${depth}`);
    this.send({ id, result: true });
  }

  /** A book that is asked for again begins anew. */
  protected override publish(followed: FollowedBook<string>): void {
    if (this.#awaited.has(followed.name)) this.#begin(followed.name);
    else super.publish(followed);
  }

  #begin(name: string): void {
    const awaited = this.#awaited.get(name);
    if (awaited === undefined) return;
    this.#awaited.delete(name);
    const { c, depth } = awaited;
    const levels = LEVELS[depth];
    this.sendWhole(this.follow(name, c, levels ?? INCREMENTAL, depth, levels !== undefined));
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookRows(c, this.world, t, levels);
  }

  protected sendBook(followed: FollowedBook<string>, { asks, bids }: Sides, before?: number): void {
    const { c, book, more: depth } = followed;
    const C = sequenceAt(book.at);
    const first = before === undefined ? C : sequenceAt(before) + 1;
    const d = { a: asks, b: bids, C, s: c.symbol, M: book.at * 1e6, O: first };
    const t = before === undefined ? 'snapshot' : 'delta';
    this.push(followed, { T: 'obu.FUTURES', dp: depth, t, P: this.now * 1e6, d }, before === undefined);
  }

  /** Text in binary frames. */
  protected override send(frame: object, about?: BookTag): void {
    this.connection.send(Buffer.from(JSON.stringify(frame)), about);
  }
}
