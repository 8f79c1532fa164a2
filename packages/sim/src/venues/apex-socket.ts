import type { Row, Sides } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { VenuePings } from './pings.ts';
import { decimalSides } from './sides.ts';
import { bookStep, type SideChanges } from './stepped-book.ts';

const PING_MS = 15_000;
/** Pings in a row without a word of the client before it is hung up on. */
const MISSES = 10;
const TICKERS = 'instrumentInfo.all';
const TICKERS_MS = 2000;
/** A book that missed more steps than this is sent whole. */
const MAX_MISSED_STEPS = 200;
/** Levels that there are, a side, whatever is asked for. */
const MAX_LEVELS = 100;

interface Ask {
  readonly op?: string;
  readonly args?: readonly string[];
}

interface Count {
  /** Number of the last message. */
  u: number;
}

/** The part of the venue's list that the socket uses. */
export interface ApexList {
  readonly live: () => readonly SimContract[];
  /** Rows of `instrumentInfo.all`. */
  readonly rows: (now: number) => readonly unknown[];
}

/** Levels `[price, size]` of the book, best first. */
export function bookSides(c: SimContract, world: World, t: number, depth: number): Sides {
  return decimalSides(c, world, t, Math.min(MAX_LEVELS, depth));
}

/** ApeX's public socket: tickers of all contracts in one topic, and books. */
export class ApexSocket extends BookSession<Count> {
  readonly #list: ApexList;
  readonly #topics = new Set<string>();
  readonly #pings = new VenuePings(PING_MS, MISSES);
  #tickersAt = 0;

  constructor(connection: SimConnection, world: World, list: ApexList) {
    super(connection, world);
    this.#list = list;
  }

  onMessage(text: string): void {
    this.#pings.answered();
    const ask = JSON.parse(text) as Ask;
    const { op, args = [] } = ask;
    if (op === 'ping') this.#reply(true, 'pong', { op: 'ping', args: null });
    else if (op === 'subscribe') this.#subscribe(ask, args);
    else if (op === 'unsubscribe') {
      for (const topic of args) this.#drop(topic);
      this.#reply(true, '', ask);
    }
  }

  protected override tick(): void {
    const { now } = this;
    const due = this.#pings.due(now);
    if (due === 'end') {
      this.connection.close(1006);
      return;
    }
    if (due === 'ping') this.send({ op: 'ping', args: [String(now)] });
    if (now - this.#tickersAt >= TICKERS_MS) this.#sendTickers();
    super.tick();
  }

  /** One topic that is unknown or held already refuses all of the frame. */
  #subscribe(ask: Ask, args: readonly string[]): void {
    if (!args.every((topic) => this.#isKnown(topic))) {
      this.#reply(false, 'error:handler not found', ask);
      return;
    }
    const held = args.find((topic) => this.#topics.has(topic));
    if (held !== undefined) {
      this.#reply(false, `error:topic:already subscribed ${held}`, ask);
      return;
    }
    for (const topic of args) this.#topics.add(topic);
    this.#reply(true, '', ask);
    for (const topic of args) this.#begin(topic);
  }

  /** Topics of a contract that are known and not simulated send nothing. */
  #isKnown(topic: string): boolean {
    const [, symbol] = /^(?:orderBook(?:25|200)|instrumentInfo|recentlyTrade)\.H\.(.+)$/.exec(topic) ?? [];
    return topic === TICKERS || this.#contract(symbol) !== undefined;
  }

  #contract(symbol: string | undefined): SimContract | undefined {
    return this.#list.live().find((contract) => contract.symbol === symbol);
  }

  #begin(topic: string): void {
    if (topic === TICKERS) this.#sendTickers();
    const [, depth, symbol] = /^orderBook(25|200)\.H\.(.+)$/.exec(topic) ?? [];
    const c = this.#contract(symbol);
    if (c !== undefined) this.sendWhole(this.follow(topic, c, Number(depth), { u: 0 }));
  }

  #drop(topic: string): void {
    this.#topics.delete(topic);
    this.books.delete(topic);
  }

  #sendTickers(): void {
    if (!this.#topics.has(TICKERS)) return;
    this.#tickersAt = this.now;
    const data = this.#list.rows(this.now);
    this.send({ topic: TICKERS, type: 'snapshot', data, ts: this.now * 1000 });
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookSides(c, this.world, t, levels);
  }

  /** Numbers go up by one: each step without a message is sent as an empty change. */
  protected override sendChanges(followed: FollowedBook<Count>, changes: SideChanges, before: number): void {
    const { book, more } = followed;
    const u = bookStep(book.at);
    if (u - more.u > MAX_MISSED_STEPS) {
      this.sendWhole(followed);
      return;
    }
    while (more.u < u - 1) {
      more.u++;
      this.#pushRows(followed, 'delta', [], []);
    }
    super.sendChanges(followed, changes, before);
  }

  /** Bids of a snapshot come worst first. */
  protected sendBook(followed: FollowedBook<Count>, { bids, asks }: Sides, before?: number): void {
    followed.more.u = bookStep(followed.book.at);
    if (before === undefined) this.#pushRows(followed, 'snapshot', bids.toReversed(), asks);
    else this.#pushRows(followed, 'delta', bids, asks);
  }

  #pushRows(
    followed: FollowedBook<Count>,
    type: 'snapshot' | 'delta',
    b: readonly Row[],
    a: readonly Row[],
  ): void {
    const { name: topic, c, more } = followed;
    const data = { s: c.symbol, b, a, u: more.u };
    this.push(followed, { topic, type, data, cs: more.u, ts: this.now * 1000 }, type === 'snapshot');
  }

  #reply(success: boolean, ret_msg: string, request: unknown): void {
    this.send({ success, ret_msg, conn_id: 'sim', request });
  }
}
