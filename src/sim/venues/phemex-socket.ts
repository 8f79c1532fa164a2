import type { SimConnection, SimSession } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookOf, quoted, tickerV3 } from './phemex-rows.ts';

/** A socket without a client ping for this long is closed, even while data flows. */
const PING_MS = 31_000;
/** Every book is sent anew after this long. */
const SNAPSHOT_MS = 60_000;
const MAX_SUBSCRIPTIONS = 101;

const FIELDS = [
  'symbol',
  'openRp',
  'highRp',
  'lowRp',
  'lastRp',
  'volumeRq',
  'turnoverRv',
  'openInterestRv',
  'indexRp',
  'markRp',
  'fundingRateRr',
  'predFundingRateRr',
  'bidRp',
  'askRp',
] as const;

interface Ask {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: readonly unknown[];
}

type Level = readonly string[];

/** Levels that differ from those sent before: new and changed ones, and "0" for those that are gone. */
function changes(before: readonly Level[], now: readonly Level[]): Level[] {
  const was = new Map(before.map(([price, size]) => [price, size]));
  const is = new Set(now.map(([price]) => price));
  const gone = before.filter(([price]) => !is.has(price)).map(([price = '']) => [price, '0']);
  return [...now.filter(([price, size]) => was.get(price) !== size), ...gone];
}

interface Followed {
  readonly c: SimContract;
  readonly depth: number;
  last: ReturnType<typeof bookOf>;
  wholeAt: number;
}

class Session implements SimSession {
  readonly #connection: SimConnection;
  readonly #world: World;
  readonly #books = new Map<string, Followed>();
  readonly #ticks = new Map<string, SimContract>();
  #pack = false;
  #now = 0;
  #pingedAt: number | undefined;

  constructor(connection: SimConnection, world: World) {
    this.#connection = connection;
    this.#world = world;
  }

  onMessage(text: string): void {
    let ask: Ask;
    try {
      ask = JSON.parse(text) as Ask;
    } catch {
      this.#refuse(null, 6001, 'invalid argument');
      return;
    }
    const { id = null, method, params = [] } = ask;
    switch (method) {
      case 'server.ping':
        this.#pingedAt = this.#now;
        this.#send({ error: null, id, result: 'pong' });
        return;
      case 'orderbook_p.subscribe':
        this.#followBook(id, params);
        return;
      case 'orderbook_p.unsubscribe':
        this.#books.clear();
        this.#acknowledge(id);
        return;
      case 'tick_p.subscribe':
        this.#followTick(id, params);
        return;
      case 'perp_market24h_pack_p.subscribe':
        this.#pack = true;
        this.#acknowledge(id);
        this.#sendPack('snapshot');
        return;
      default:
        this.#refuse(id, 6001, 'invalid argument');
    }
  }

  onTick(now: number): void {
    this.#now = now;
    this.#pingedAt ??= now;
    if (now - this.#pingedAt > PING_MS) {
      this.#connection.close(1006);
      return;
    }
    for (const followed of this.#books.values()) this.#sendBook(followed);
    for (const name of this.#ticks.keys()) this.#sendTick(name);
    if (this.#pack) this.#sendPack('incremental');
  }

  #followBook(id: unknown, params: readonly unknown[]): void {
    const [symbol, , depth = 30] = params;
    const c = quoted(this.#world).find((contract) => contract.symbol === symbol);
    if (c === undefined || ![0, 1, 5, 10, 30].includes(Number(depth))) {
      this.#refuse(id, 6001, 'invalid argument');
    } else if (this.#books.size >= MAX_SUBSCRIPTIONS) {
      this.#refuse(id, 6015, 'subscription limit exceeded');
    } else {
      const levels = Number(depth) || 30;
      const last = bookOf(c, this.#world, this.#now, levels);
      this.#books.set(c.symbol, { c, depth: levels, last, wholeAt: this.#now });
      this.#acknowledge(id);
      this.#send(last);
    }
  }

  #sendBook(followed: Followed): void {
    const { c, depth, last } = followed;
    const next = bookOf(c, this.#world, this.#now, depth);
    followed.last = next;
    if (this.#now - followed.wholeAt >= SNAPSHOT_MS) {
      followed.wholeAt = this.#now;
      this.#send(next);
      return;
    }
    const asks = changes(last.orderbook_p.asks, next.orderbook_p.asks);
    const bids = changes(last.orderbook_p.bids, next.orderbook_p.bids);
    if (asks.length + bids.length === 0) return;
    this.#send({ ...next, orderbook_p: { asks, bids }, type: 'incremental' });
  }

  #followTick(id: unknown, params: readonly unknown[]): void {
    const name = String(params[0]);
    const all = quoted(this.#world);
    const c = all.find(({ symbol: s }) => [`.${s}`, `.M${s}`, `.${s}FR`].includes(name));
    if (c === undefined) {
      this.#refuse(id, 6001, 'invalid argument');
      return;
    }
    this.#ticks.set(name, c);
    this.#acknowledge(id);
    this.#sendTick(name);
  }

  #sendTick(name: string): void {
    const c = this.#ticks.get(name);
    if (c === undefined) return;
    const { indexRp, markRp, fundingRateRr } = tickerV3(c, this.#world, this.#now);
    const last = name === `.${c.symbol}` ? indexRp : name === `.M${c.symbol}` ? markRp : fundingRateRr;
    this.#send({ tick_p: { last, symbol: name, timestamp: this.#now * 1e6 } });
  }

  #sendPack(type: 'snapshot' | 'incremental'): void {
    const rows = quoted(this.#world).map((c) => {
      const row = tickerV3(c, this.#world, this.#now);
      return FIELDS.map((field) => row[field]);
    });
    const data = type === 'snapshot' ? rows : rows.slice(0, 40);
    this.#send({
      data,
      fields: FIELDS,
      method: 'perp_market24h_pack_p.update',
      timestamp: this.#now * 1e6,
      type,
    });
  }

  #acknowledge(id: unknown): void {
    this.#send({ error: null, id, result: { status: 'success' } });
  }

  #refuse(id: unknown, code: number, message: string): void {
    this.#send({ error: { code, message }, id, result: null });
  }

  #send(frame: unknown): void {
    this.#connection.send(JSON.stringify(frame));
  }
}

/** Phemex's public socket: books, index and mark ticks, and the ticker of all contracts in columns. */
export function phemexSocket(connection: SimConnection, world: World): SimSession {
  return new Session(connection, world);
}
