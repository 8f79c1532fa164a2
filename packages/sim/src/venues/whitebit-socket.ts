import type { BookTag } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import type { SimContract } from '../world.ts';
import { readAsk } from './read-ask.ts';
import { decimalSides } from './sides.ts';
import { SocketSession } from './socket-session.ts';
import { type RowChange, type SteppedBook, zeroed } from './stepped-book.ts';
import { futureRow, pushed } from './whitebit-rows.ts';

/** A client that says nothing for so long is disconnected. */
const SILENCE_MS = 60_000;
/** A quiet book is sent whole after this long. */
const KEEP_ALIVE_MS = 10_000;
const LIMITS = [1, 5, 10, 20, 30, 50, 100];

interface Ask {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: readonly unknown[];
}

interface Followed {
  readonly c: SimContract;
  readonly book: SteppedBook;
  sentAt: number;
}

/** Number of the book of this time; it skips. */
const updateAt = (t: number): number => Math.floor(t / 7);

/** A side without changes is left out. */
function rowsOf(side: 'asks' | 'bids', changes: readonly RowChange[]): object {
  return changes.length === 0 ? {} : { [side]: zeroed(changes) };
}

/** WhiteBIT's public socket: books, mark and index of all contracts, best prices and statistics. */
export class WhitebitSocket extends SocketSession {
  readonly #books = new Map<string, Followed>();
  /** Markets of `premiumIndex`; empty = all in one frame. */
  #premium: readonly string[] | undefined;
  readonly #touches = new Set<string>();
  readonly #stats = new Set<string>();
  #heardAt: number | undefined;

  onMessage(text: string): void {
    this.#heardAt = this.now;
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.connection.close(1006);
      return;
    }
    const { id = null, method = '', params = [] } = ask;
    if (method === 'ping') this.#reply(id, 'pong');
    else if (method === 'depth_subscribe') this.#followBook(id, params);
    else if (method === 'depth_unsubscribe') this.#dropBooks(id, params);
    else if (method === 'premiumIndex_subscribe') this.#followPremium(id, params);
    else if (method === 'bookTicker_subscribe') this.#follow(id, params, this.#touches);
    else if (method === 'market_subscribe') this.#follow(id, params, this.#stats);
    else if (method.startsWith('balance')) this.#refuse(id, 6, 'require authentication');
    else this.#refuse(id, 4, 'method not found');
  }

  onTick(now: number): void {
    this.now = now;
    this.#heardAt ??= now;
    if (now - this.#heardAt > SILENCE_MS) {
      this.connection.close(1006);
      return;
    }
    for (const followed of this.#books.values()) this.#sendBook(followed);
    this.#sendPremium();
    for (const name of this.#touches) this.#sendTouch(name);
    for (const name of this.#stats) this.#sendStats(name);
  }

  #contract(name: unknown): SimContract | undefined {
    return pushed(this.world).find((c) => c.symbol === name);
  }

  #followBook(id: unknown, [name, limit, , multi]: readonly unknown[]): void {
    const c = this.#contract(name);
    if (!LIMITS.includes(Number(limit))) {
      this.#refuse(id, 1, 'invalid argument');
    } else if (c === undefined) {
      this.#refuse(id, 9, `market ${String(name)} does not exist`);
    } else {
      // Anything but true ends all other books of the socket.
      if (multi !== true) this.#books.clear();
      const book = this.steppedBook(c, (t) => decimalSides(c, this.world, t, Number(limit)));
      const followed: Followed = { c, book, sentAt: this.now };
      this.#books.set(c.symbol, followed);
      this.#reply(id, { status: 'success' });
      this.#sendWhole(followed);
    }
  }

  /** One market, or all of them. */
  #dropBooks(id: unknown, [name]: readonly unknown[]): void {
    if (name === undefined) this.#books.clear();
    else this.#books.delete(String(name));
    this.#reply(id, { status: 'success' });
  }

  #sendWhole({ c, book }: Followed): void {
    const { asks, bids } = book.sides;
    const whole = { ...this.#stamps(book.at), update_id: updateAt(book.at), asks, bids };
    this.#push('depth_update', [true, whole, c.symbol], { symbol: c.symbol, isSnapshot: true });
  }

  #sendBook(followed: Followed): void {
    const { c, book } = followed;
    const past = updateAt(book.at);
    const changes = book.advance(this.now);
    if (changes === undefined) {
      if (this.now - followed.sentAt < KEEP_ALIVE_MS) return;
      followed.sentAt = this.now;
      this.#sendWhole(followed);
      return;
    }
    followed.sentAt = this.now;
    const ids = { update_id: updateAt(book.at), past_update_id: past };
    const sides = { ...rowsOf('asks', changes.asks), ...rowsOf('bids', changes.bids) };
    this.#push('depth_update', [false, { ...this.#stamps(book.at), ...ids, ...sides }, c.symbol], {
      symbol: c.symbol,
      isSnapshot: false,
    });
  }

  #stamps(at: number) {
    return { timestamp: at / 1000, event_time: this.now / 1000 };
  }

  #followPremium(id: unknown, params: readonly unknown[]): void {
    if (params.some((name) => this.#contract(name) === undefined)) {
      this.#refuse(id, 1, 'invalid argument');
      return;
    }
    this.#premium = params.map(String);
    this.#reply(id, { status: 'success' });
    this.#sendPremium();
  }

  #sendPremium(): void {
    const named = this.#premium;
    if (named === undefined) return;
    const all = pushed(this.world).filter((c) => named.length === 0 || named.includes(c.symbol));
    const records = all.map((c) => this.#premiumOf(c));
    if (named.length === 0) this.#push('premiumIndex_update', records);
    else for (const record of records) this.#push('premiumIndex_update', record);
  }

  #premiumOf(c: SimContract): readonly unknown[] {
    const row = futureRow(c, this.world, this.now);
    const next = Number(row.next_funding_rate_timestamp);
    return [c.symbol, row.mark_price, row.index_price, row.funding_rate, next, this.now / 1000];
  }

  #follow(id: unknown, params: readonly unknown[], topics: Set<string>): void {
    for (const name of params) topics.add(String(name));
    this.#reply(id, { status: 'success' });
  }

  #sendTouch(name: string): void {
    const c = this.#contract(name);
    if (c === undefined) return;
    const { bids, asks } = decimalSides(c, this.world, this.now, 1);
    const { timestamp, event_time } = this.#stamps(this.now);
    const touch = [...(bids[0] ?? ['0', '0']), ...(asks[0] ?? ['0', '0'])];
    this.#push('bookTicker_update', [[timestamp, event_time, c.symbol, updateAt(this.now), ...touch]]);
  }

  #sendStats(name: string): void {
    const c = this.#contract(name);
    if (c === undefined) return;
    const volume = this.world.volume24h(c, this.now);
    const mark = this.world.mark(c, this.now);
    const stats = { last: decimal(mark), volume: decimal(volume), deal: decimal(volume * mark) };
    this.#push('market_update', [c.symbol, { ...stats, period: 86_400 }]);
  }

  #push(method: string, params: readonly unknown[], about?: BookTag): void {
    this.send({ method, params, id: null }, about);
  }

  #reply(id: unknown, result: unknown): void {
    this.send({ error: null, result, id });
  }

  #refuse(id: unknown, code: number, message: string): void {
    this.send({ error: { code, message }, result: null, id });
  }
}
