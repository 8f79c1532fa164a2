import type { Row, Sides } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import type { SimContract } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { readAsk } from './read-ask.ts';
import { decimalSides } from './sides.ts';
import type { SideChanges } from './stepped-book.ts';
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

/** Number of the book of this time; it skips. */
const updateAt = (t: number): number => Math.floor(t / 7);

/** A side without changes is left out. */
const present = (side: 'asks' | 'bids', rows: readonly Row[]) => (rows.length === 0 ? {} : { [side]: rows });

/** WhiteBIT's public socket: books, mark and index of all contracts, best prices and statistics. */
export class WhitebitSocket extends BookSession {
  protected override readonly restMs = KEEP_ALIVE_MS;
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

  protected override tick(): void {
    const { now } = this;
    this.#heardAt ??= now;
    if (now - this.#heardAt > SILENCE_MS) {
      this.connection.close(1006);
      return;
    }
    super.tick();
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
      if (multi !== true) this.books.clear();
      const followed = this.follow(c.symbol, c, Number(limit), undefined);
      this.#reply(id, { status: 'success' });
      this.sendWhole(followed);
    }
  }

  /** One market, or all of them. */
  #dropBooks(id: unknown, [name]: readonly unknown[]): void {
    if (name === undefined) this.books.clear();
    else this.books.delete(String(name));
    this.#reply(id, { status: 'success' });
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return decimalSides(c, this.world, t, levels);
  }

  /** A quiet book is sent whole. */
  protected override sendChanges(followed: FollowedBook, changes: SideChanges, before: number): void {
    if (changes.bids.length + changes.asks.length === 0) this.sendWhole(followed);
    else super.sendChanges(followed, changes, before);
  }

  protected sendBook(followed: FollowedBook, { asks, bids }: Sides, before?: number): void {
    const { c, book } = followed;
    const stamps = this.#stamps(book.at);
    const update_id = updateAt(book.at);
    const data =
      before === undefined
        ? { ...stamps, update_id, asks, bids }
        : {
            ...stamps,
            update_id,
            past_update_id: updateAt(before),
            ...present('asks', asks),
            ...present('bids', bids),
          };
    const isWhole = before === undefined;
    this.push(followed, { method: 'depth_update', params: [isWhole, data, c.symbol], id: null }, isWhole);
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
    if (named.length === 0) this.#say('premiumIndex_update', records);
    else for (const record of records) this.#say('premiumIndex_update', record);
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
    this.#say('bookTicker_update', [[timestamp, event_time, c.symbol, updateAt(this.now), ...touch]]);
  }

  #sendStats(name: string): void {
    const c = this.#contract(name);
    if (c === undefined) return;
    const volume = this.world.volume24h(c, this.now);
    const mark = this.world.mark(c, this.now);
    const stats = { last: decimal(mark), volume: decimal(volume), deal: decimal(volume * mark) };
    this.#say('market_update', [c.symbol, { ...stats, period: 86_400 }]);
  }

  #say(method: string, params: readonly unknown[]): void {
    this.send({ method, params, id: null });
  }

  #reply(id: unknown, result: unknown): void {
    this.send({ error: null, result, id });
  }

  #refuse(id: unknown, code: number, message: string): void {
    this.send({ error: { code, message }, result: null, id });
  }
}
