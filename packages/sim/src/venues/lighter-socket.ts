import type { Sides } from '../book-distortion.ts';
import { baseText, priceText } from '../format.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { sidesOf } from './sides.ts';
import { bookTime } from './stepped-book.ts';

/** A client that has sent nothing is asked after this long, and hung up on after twice of it. */
const QUIET_MS = 60_000;
const MAX_MESSAGES = 200;
const PER_MS = 60_000;
/** Levels of the snapshot, a side. */
const WHOLE = 125;

/** The venue's state that the socket reads. */
export interface LighterMarkets {
  /** The market of an id that trades. */
  readonly find: (id: string | undefined) => SimContract | undefined;
  /** The stats of `market_stats/all` or `market_stats/<id>`; undefined for an unknown one. */
  readonly statsOf: (channel: string, world: World, t: number) => object | undefined;
}

/** Levels `[price, base units]` of the book, best first. */
export function bookSides(c: SimContract, world: World, t: number, depth = WHOLE): Sides {
  return sidesOf(world.book(c, t, depth), (price, size) => [priceText(c, price), baseText(c, size)]);
}

const levelsOf = (rows: Sides['bids']) => rows.map(([price, size]) => ({ price, size }));

const colon = (channel: string): string => channel.replace('/', ':');

/** Lighter's socket: market statistics, and books whole on subscription and by change after it. */
export class LighterSocket extends BookSession {
  protected override readonly gone = ['0.0000'];
  readonly #markets: LighterMarkets;
  readonly #stats = new Set<string>();
  readonly #touches = new Map<string, SimContract>();
  /** The last message of each market by channel: an unchanged one is not sent again. */
  readonly #said = new Map<string, string>();
  #heardAt: number | undefined;
  #askedAt = 0;
  #windowAt = 0;
  #messages = 0;

  constructor(connection: SimConnection, world: World, markets: LighterMarkets) {
    super(connection, world);
    this.#markets = markets;
    this.send({ type: 'connected', session_id: 'sim' });
  }

  onMessage(text: string): void {
    this.#heardAt = this.now;
    if (this.#isTooMany()) {
      this.#refuse(30_009, 'Too Many Websocket Messages!');
      return;
    }
    let ask: { readonly type?: string; readonly channel?: string };
    try {
      ask = JSON.parse(text) as typeof ask;
    } catch {
      this.#refuse(30_001, 'Invalid JSON');
      return;
    }
    const { type, channel = '' } = ask;
    if (type === 'ping') this.send({ type: 'pong' });
    else if (type === 'subscribe') this.#subscribe(channel);
    else if (type === 'unsubscribe') {
      this.#stats.delete(channel);
      this.books.delete(channel);
      this.#touches.delete(channel);
      this.send({ type: 'unsubscribed', channel: colon(channel) });
    }
  }

  protected override tick(): void {
    const { now } = this;
    this.#heardAt ??= now;
    const quiet = now - this.#heardAt;
    if (quiet > 2 * QUIET_MS) {
      this.connection.close(1006);
      return;
    }
    if (quiet > QUIET_MS && now - this.#askedAt > QUIET_MS) {
      this.#askedAt = now;
      this.send({ type: 'ping' });
    }
    for (const channel of this.#stats) this.#sendStats(channel, 'update');
    for (const [channel, c] of this.#touches) this.#sendTouch('update', channel, c);
    super.tick();
  }

  #isTooMany(): boolean {
    if (this.now - this.#windowAt >= PER_MS) {
      this.#windowAt = this.now;
      this.#messages = 0;
    }
    this.#messages++;
    return this.#messages > MAX_MESSAGES;
  }

  #subscribe(channel: string): void {
    const c = this.#markets.find(/^order_book\/(\d+)$/.exec(channel)?.[1]);
    const touched = this.#markets.find(/^ticker\/(\d+)$/.exec(channel)?.[1]);
    if (touched !== undefined) {
      this.#touches.set(channel, touched);
      this.#sendTouch('subscribed', channel, touched);
    } else if (c !== undefined) this.sendWhole(this.follow(channel, c, WHOLE, undefined));
    else if (this.#sendStats(channel, 'subscribed')) this.#stats.add(channel);
    else this.#refuse(30_005, 'Invalid Channel');
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookSides(c, this.world, t, levels);
  }

  /** The nonce of a book is its time; the offset grows besides, and proves nothing. */
  protected sendBook(followed: FollowedBook, { asks, bids }: Sides, before?: number): void {
    const { at } = followed.book;
    const type = before === undefined ? 'subscribed/order_book' : 'update/order_book';
    const channel = colon(followed.name);
    const offset = Math.floor(at / 7);
    const levels = { asks: levelsOf(asks), bids: levelsOf(bids) };
    const order_book = { code: 0, ...levels, offset, nonce: at, begin_nonce: before ?? at };
    const head = { type, channel, last_updated_at: at * 1000, offset };
    this.push(followed, { ...head, timestamp: at, order_book }, before === undefined);
  }

  #sendStats(channel: string, type: 'subscribed' | 'update'): boolean {
    const stats = this.#markets.statsOf(channel, this.world, this.now);
    if (stats === undefined) return false;
    const market_stats = channel === 'market_stats/all' ? this.#changed(channel, stats) : stats;
    if (type === 'update' && Object.keys(market_stats).length === 0) return true;
    this.send({ type: `${type}/market_stats`, channel: colon(channel), timestamp: this.now, market_stats });
    return true;
  }

  /** The markets of a map by id that differ from the last message. */
  #changed(channel: string, stats: object): object {
    const rows = Object.entries(stats).filter(([id, row]) => this.#isNews(`${channel} ${id}`, row));
    return Object.fromEntries(rows);
  }

  #isNews(about: string, what: unknown): boolean {
    const text = JSON.stringify(what);
    if (this.#said.get(about) === text) return false;
    this.#said.set(about, text);
    return true;
  }

  #sendTouch(type: 'subscribed' | 'update', channel: string, c: SimContract): void {
    const { bids, asks } = bookSides(c, this.world, bookTime(this.now), 1);
    const best = ([level]: Sides['bids']) => (level === undefined ? {} : { price: level[0], size: level[1] });
    const ticker = { s: c.symbol, a: best(asks), b: best(bids) };
    if (type === 'update' && !this.#isNews(channel, ticker)) return;
    this.send({ type: `${type}/ticker`, channel: colon(channel), timestamp: this.now, ticker });
  }

  #refuse(code: number, message: string): void {
    this.send({ error: { code, message } });
  }
}
