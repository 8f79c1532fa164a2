import type { Row, Sides } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { VenuePings } from './pings.ts';
import { decimalSides } from './sides.ts';

const PING_MS = 20_000;
/** Pings in a row without an answer before the client is hung up on. */
const MISSES = 5;
const LEVELS = [15, 200];
const TICKERS = 'ticker.all.1s';
/** Levels that there are, a side, whatever is asked for. */
const MAX_LEVELS = 100;

interface Ask {
  readonly type?: string;
  readonly channel?: string;
  readonly time?: string;
}

/** Number of the contract, and the levels asked for. */
interface Subject {
  readonly id: string;
  readonly level: number;
}

/** The part of the venue's list that the socket uses. */
export interface EdgexList {
  /** The live contract of a number. */
  readonly find: (id: string | undefined) => SimContract | undefined;
  readonly tickers: (now: number) => readonly unknown[];
}

/** Levels `[price, size]` of the book, best first. */
export function bookSides(c: SimContract, world: World, t: number, level: number): Sides {
  return decimalSides(c, world, t, Math.min(MAX_LEVELS, level));
}

/** The header of a book message. */
export interface BookHead {
  readonly c: SimContract;
  readonly id: string;
  readonly level: number;
  readonly start: number;
  readonly end: number;
  readonly depthType: 'SNAPSHOT' | 'CHANGED';
}

/** A book message of stream and REST alike. */
export function bookData(head: BookHead, { bids, asks }: Sides) {
  const side = (rows: readonly Row[]) => rows.map(([price, size]) => ({ price, size }));
  return {
    startVersion: String(head.start),
    endVersion: String(head.end),
    level: head.level,
    contractId: head.id,
    contractName: head.c.symbol,
    asks: side(asks),
    bids: side(bids),
    depthType: head.depthType,
  };
}

/** edgeX's public socket: tickers of all contracts in one channel, and books. */
export class EdgexSocket extends BookSession<Subject> {
  readonly #list: EdgexList;
  protected override readonly gone = ['0.000'];
  readonly #pings = new VenuePings(PING_MS, MISSES);
  #hasTickers = false;
  #tickersAt = 0;

  constructor(connection: SimConnection, world: World, list: EdgexList) {
    super(connection, world);
    this.#list = list;
    this.send({ sid: 'sim', type: 'connected' });
  }

  onMessage(text: string): void {
    const { type, channel = '', time } = JSON.parse(text) as Ask;
    if (type === 'ping') this.send({ type: 'pong', time });
    else if (type === 'pong') this.#pings.answered();
    else if (type === 'subscribe') this.#subscribe(channel);
    else if (type === 'unsubscribe') {
      this.books.delete(channel);
      if (channel === TICKERS) this.#hasTickers = false;
      this.send({ type: 'unsubscribed', channel });
    }
  }

  protected override tick(): void {
    const { now } = this;
    const due = this.#pings.due(now);
    if (due === 'end') {
      this.connection.close(1006);
      return;
    }
    if (due === 'ping') this.send({ type: 'ping', time: String(now) });
    if (this.#hasTickers && now - this.#tickersAt >= 1000) this.#sendTickers('changed');
    super.tick();
  }

  #subscribe(channel: string): void {
    this.send({ type: 'subscribed', channel });
    if (channel === TICKERS) {
      this.#hasTickers = true;
      this.#sendTickers('Snapshot');
    }
    const [kind, id = '', asked] = channel.split('.');
    const c = this.#list.find(id);
    const level = Number(asked);
    if (kind !== 'depth' || c === undefined || !LEVELS.includes(level)) return;
    this.sendWhole(this.follow(channel, c, level, { id, level }));
  }

  protected sidesAt(c: SimContract, t: number, level: number): Sides {
    return bookSides(c, this.world, t, level);
  }

  protected sendBook(followed: FollowedBook<Subject>, sides: Sides, before?: number): void {
    const { name: channel, c, book, more } = followed;
    const depthType = before === undefined ? 'SNAPSHOT' : 'CHANGED';
    const head: BookHead = { c, ...more, start: before ?? book.at - 90, end: book.at, depthType };
    const dataType = before === undefined ? 'Snapshot' : 'changed';
    const content = { channel, dataType, data: [bookData(head, sides)] };
    this.push(followed, { type: 'quote-event', channel, content }, before === undefined);
  }

  #sendTickers(dataType: string): void {
    this.#tickersAt = this.now;
    const content = { channel: TICKERS, dataType, data: this.#list.tickers(this.now) };
    this.send({ type: 'quote-event', channel: TICKERS, content });
  }
}
