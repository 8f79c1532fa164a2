import { decimal } from '../decimal.ts';
import type { SimConnection, SimSession } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookSides, futureRow, pushed } from './whitebit-rows.ts';

/** A client that says nothing for so long is disconnected. */
const SILENCE_MS = 60_000;
/** A quiet book is sent whole after this long. */
const KEEP_ALIVE_MS = 10_000;
const LIMITS = [1, 5, 10, 20, 30, 50, 100];

type Level = readonly string[];

interface Ask {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: readonly unknown[];
}

interface Followed {
  readonly c: SimContract;
  readonly limit: number;
  sides: ReturnType<typeof bookSides>;
  update: number;
  sentAt: number;
}

/** New and changed levels, and "0" for those that are gone. */
function changes(before: readonly Level[], now: readonly Level[]): Level[] {
  const was = new Map(before.map(([price, size]) => [price, size]));
  const is = new Set(now.map(([price]) => price));
  const gone = before.filter(([price]) => !is.has(price)).map(([price = '']) => [price, '0']);
  return [...now.filter(([price, size]) => was.get(price) !== size), ...gone];
}

class Session implements SimSession {
  readonly #connection: SimConnection;
  readonly #world: World;
  readonly #books = new Map<string, Followed>();
  /** Markets of `premiumIndex`; empty = all in one frame. */
  #premium: readonly string[] | undefined;
  readonly #touches = new Set<string>();
  readonly #stats = new Set<string>();
  #now = 0;
  #heardAt: number | undefined;

  constructor(connection: SimConnection, world: World) {
    this.#connection = connection;
    this.#world = world;
  }

  onMessage(text: string): void {
    this.#heardAt = this.#now;
    let ask: Ask;
    try {
      ask = JSON.parse(text) as Ask;
    } catch {
      this.#connection.close(1006);
      return;
    }
    const { id = null, method = '', params = [] } = ask;
    if (method === 'ping') this.#reply(id, 'pong');
    else if (method === 'depth_subscribe') this.#followBook(id, params);
    else if (method === 'premiumIndex_subscribe') this.#followPremium(id, params);
    else if (method === 'bookTicker_subscribe') this.#follow(id, params, this.#touches);
    else if (method === 'market_subscribe') this.#follow(id, params, this.#stats);
    else if (method.startsWith('balance')) this.#refuse(id, 6, 'require authentication');
    else this.#refuse(id, 4, 'method not found');
  }

  onTick(now: number): void {
    this.#now = now;
    this.#heardAt ??= now;
    if (now - this.#heardAt > SILENCE_MS) {
      this.#connection.close(1006);
      return;
    }
    for (const followed of this.#books.values()) this.#sendBook(followed);
    this.#sendPremium();
    for (const name of this.#touches) this.#sendTouch(name);
    for (const name of this.#stats) this.#sendStats(name);
  }

  #contract(name: unknown): SimContract | undefined {
    return pushed(this.#world).find((c) => c.symbol === name);
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
      const sides = bookSides(c, this.#world, this.#now, Number(limit));
      const followed: Followed = {
        c,
        limit: Number(limit),
        sides,
        update: this.#update(),
        sentAt: this.#now,
      };
      this.#books.set(c.symbol, followed);
      this.#reply(id, { status: 'success' });
      this.#sendWhole(followed);
    }
  }

  #update(): number {
    return Math.floor(this.#now / 7);
  }

  #sendWhole({ c, sides, update }: Followed): void {
    this.#push('depth_update', [true, { ...this.#stamps(), update_id: update, ...sides }, c.symbol]);
  }

  #sendBook(followed: Followed): void {
    const { c, limit, sides: before, update: past } = followed;
    const sides = bookSides(c, this.#world, this.#now, limit);
    const asks = changes(before.asks, sides.asks);
    const bids = changes(before.bids, sides.bids);
    followed.sides = sides;
    if (asks.length + bids.length === 0) {
      if (this.#now - followed.sentAt < KEEP_ALIVE_MS) return;
      followed.sentAt = this.#now;
      this.#sendWhole(followed);
      return;
    }
    followed.update = this.#update();
    followed.sentAt = this.#now;
    const changed = { ...(asks.length > 0 ? { asks } : {}), ...(bids.length > 0 ? { bids } : {}) };
    const ids = { update_id: followed.update, past_update_id: past };
    this.#push('depth_update', [false, { ...this.#stamps(), ...ids, ...changed }, c.symbol]);
  }

  #stamps() {
    return { timestamp: (this.#now - 40) / 1000, event_time: this.#now / 1000 };
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
    const all = pushed(this.#world).filter((c) => named.length === 0 || named.includes(c.symbol));
    const records = all.map((c) => this.#premiumOf(c));
    if (named.length === 0) this.#push('premiumIndex_update', records);
    else for (const record of records) this.#push('premiumIndex_update', record);
  }

  #premiumOf(c: SimContract): readonly unknown[] {
    const row = futureRow(c, this.#world, this.#now);
    const next = Number(row.next_funding_rate_timestamp);
    return [c.symbol, row.mark_price, row.index_price, row.funding_rate, next, this.#now / 1000];
  }

  #follow(id: unknown, params: readonly unknown[], topics: Set<string>): void {
    for (const name of params) topics.add(String(name));
    this.#reply(id, { status: 'success' });
  }

  #sendTouch(name: string): void {
    const c = this.#contract(name);
    if (c === undefined) return;
    const { bids, asks } = bookSides(c, this.#world, this.#now, 1);
    const { timestamp, event_time } = this.#stamps();
    const touch = [...(bids[0] ?? ['0', '0']), ...(asks[0] ?? ['0', '0'])];
    this.#push('bookTicker_update', [[timestamp, event_time, c.symbol, this.#update(), ...touch]]);
  }

  #sendStats(name: string): void {
    const c = this.#contract(name);
    if (c === undefined) return;
    const volume = this.#world.volume24h(c, this.#now);
    const mark = this.#world.mark(c, this.#now);
    const stats = { last: decimal(mark), volume: decimal(volume), deal: decimal(volume * mark) };
    this.#push('market_update', [c.symbol, { ...stats, period: 86_400 }]);
  }

  #push(method: string, params: readonly unknown[]): void {
    this.#send({ method, params, id: null });
  }

  #reply(id: unknown, result: unknown): void {
    this.#send({ error: null, result, id });
  }

  #refuse(id: unknown, code: number, message: string): void {
    this.#send({ error: { code, message }, result: null, id });
  }

  #send(frame: unknown): void {
    this.#connection.send(JSON.stringify(frame));
  }
}

/** WhiteBIT's public socket: books, mark and index of all contracts, best prices and statistics. */
export function whitebitSocket(connection: SimConnection, world: World): SimSession {
  return new Session(connection, world);
}
