import type { Sides } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { bookFrame, bookSides, quoted, tickerV3, WHOLE } from './phemex-rows.ts';
import { ClientPings } from './pings.ts';
import { readAsk } from './read-ask.ts';

/** A socket without a client ping for this long is closed, even while data flows. */
const PING_MS = 31_000;
/** Every book is sent again after this long. */
const SNAPSHOT_MS = 60_000;
const MAX_SUBSCRIPTIONS = 101;
const DEPTHS = [0, 1, 5, 10, 30];

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

/** The state of a subscription. */
interface Subject {
  /** 0 = all levels. */
  readonly depth: number;
  wholeAt: number;
}

/** Phemex's public socket: books, index and mark ticks, and the ticker of all contracts in columns. */
export class PhemexSocket extends BookSession<Subject> {
  readonly #ticks = new Map<string, SimContract>();
  readonly #pings = new ClientPings(PING_MS);
  #pack = false;

  onMessage(text: string): void {
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.#refuse(null, 6001, 'invalid argument');
      return;
    }
    const { id = null, method, params = [] } = ask;
    switch (method) {
      case 'server.ping':
        this.#pings.heard(this.now);
        this.send({ error: null, id, result: 'pong' });
        return;
      case 'orderbook_p.subscribe':
        this.#followBook(id, params);
        return;
      case 'orderbook_p.unsubscribe':
        this.books.clear();
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

  protected override tick(): void {
    if (this.#pings.isOver(this.now)) {
      this.connection.close(1006);
      return;
    }
    super.tick();
    for (const name of this.#ticks.keys()) this.#sendTick(name);
    if (this.#pack) this.#sendPack('incremental');
  }

  #followBook(id: unknown, params: readonly unknown[]): void {
    const [symbol, slow, depth] = params;
    const c = quoted(this.world).find((contract) => contract.symbol === symbol);
    if (c === undefined || (depth !== undefined && !DEPTHS.includes(Number(depth)))) {
      this.#refuse(id, 6001, 'invalid argument');
    } else if (this.books.size >= MAX_SUBSCRIPTIONS && !this.books.has(c.symbol)) {
      this.#refuse(id, 6015, 'subscription limit exceeded');
    } else {
      // All levels come to those who ask for slow frames and no depth; a depth of 0 gives 30.
      const stated = slow === true && depth === undefined ? 0 : Number(depth) || 30;
      const levels = stated === 0 ? WHOLE : stated;
      const followed = this.follow(c.symbol, c, levels, { depth: stated, wholeAt: this.now });
      this.#acknowledge(id);
      this.sendWhole(followed);
    }
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookSides(c, this.world, t, levels);
  }

  protected sendBook(followed: FollowedBook<Subject>, { asks, bids }: Sides, before?: number): void {
    const { c, book, more } = followed;
    const type = before === undefined ? 'snapshot' : 'incremental';
    this.push(followed, bookFrame(c, more.depth, book.at, { asks, bids }, type), before === undefined);
  }

  /** A snapshot that is due comes behind the change of the same moment and repeats its number. */
  protected override publish(followed: FollowedBook<Subject>): void {
    super.publish(followed);
    if (this.now - followed.more.wholeAt < SNAPSHOT_MS) return;
    followed.more.wholeAt = this.now;
    this.sendWhole(followed);
  }

  #followTick(id: unknown, params: readonly unknown[]): void {
    const name = String(params[0]);
    const all = quoted(this.world);
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
    const { indexRp, markRp, fundingRateRr } = tickerV3(c, this.world, this.now);
    const last = name === `.${c.symbol}` ? indexRp : name === `.M${c.symbol}` ? markRp : fundingRateRr;
    this.send({ tick_p: { last, symbol: name, timestamp: this.now * 1e6 } });
  }

  #sendPack(type: 'snapshot' | 'incremental'): void {
    const rows = quoted(this.world).map((c) => {
      const row = tickerV3(c, this.world, this.now);
      return FIELDS.map((field) => row[field]);
    });
    const isWhole = type === 'snapshot';
    // Increments leave the columns out: they are those of the snapshot.
    this.send({
      data: isWhole ? rows : rows.slice(0, 40),
      ...(isWhole ? { fields: FIELDS } : {}),
      method: 'perp_market24h_pack_p.update',
      timestamp: this.now * 1e6,
      type,
    });
  }

  #acknowledge(id: unknown): void {
    this.send({ error: null, id, result: { status: 'success' } });
  }

  #refuse(id: unknown, code: number, message: string): void {
    this.send({ error: { code, message }, id, result: null });
  }
}
