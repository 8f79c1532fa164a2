import { crc32 } from 'node:zlib';
import type { Sides } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookRows, listing, productOf, seqAt } from './bitget-rows.ts';
import { ClientPings } from './pings.ts';
import { readAsk } from './read-ask.ts';
import { SocketSession } from './socket-session.ts';
import { type SteppedBook, zeroed } from './stepped-book.ts';

/** A socket without a client ping for this long is closed, even while data flows. */
const PING_MS = 120_000;
/** Levels that a checksum is taken over. */
const CHECKED = 25;

/** Levels of a channel; all but `books` are sent whole each time. */
const LEVELS: Readonly<Record<string, number>> = {
  books: 400,
  books1: 1,
  books5: 5,
  books15: 15,
  books50: 50,
};

/** v2 names `channel` and `instId`, v3 `topic` and `symbol`. */
interface Argument {
  readonly instType?: string;
  readonly channel?: string;
  readonly instId?: string;
  readonly topic?: string;
  readonly symbol?: string;
}

interface Topic {
  readonly arg: Argument;
  readonly c: SimContract;
  readonly book: SteppedBook;
  readonly isWhole: boolean;
}

const channelOf = ({ channel, topic }: Argument): string => channel ?? topic ?? '';
const symbolOf = ({ instId, symbol }: Argument): string => instId ?? symbol ?? '';
const keyOf = (arg: Argument): string => `${channelOf(arg)} ${symbolOf(arg)}`;

/** CRC-32, signed, over the best levels of both sides in turn, joined with colons. */
function checksumOf({ bids, asks }: Sides): number {
  const parts: (string | number)[] = [];
  for (let rank = 0; rank < CHECKED; rank++) parts.push(...(bids[rank] ?? []), ...(asks[rank] ?? []));
  return crc32(parts.join(':')) | 0;
}

/** Bitget's public sockets: books with checksums at `/v2`, books by number at `/v3`. */
export class BitgetSocket extends SocketSession {
  readonly #isUnified: boolean;
  readonly #topics = new Map<string, Topic>();
  readonly #pings = new ClientPings(PING_MS);

  constructor(connection: SimConnection, world: World) {
    super(connection, world);
    this.#isUnified = connection.path.includes('/v3/');
  }

  onMessage(text: string): void {
    if (text === 'ping') {
      this.#pings.heard(this.now);
      this.connection.send('pong');
      return;
    }
    const ask = readAsk<{ readonly op?: string; readonly args?: readonly Argument[] }>(text);
    if (ask === undefined) {
      this.send({ event: 'error', code: 30003, msg: 'Illegal request' });
      return;
    }
    const { op, args = [] } = ask;
    if (op === 'subscribe') for (const arg of args) this.#subscribe(arg);
    else if (op === 'unsubscribe') for (const arg of args) this.#unsubscribe(arg);
    else this.send({ event: 'error', code: 30002, msg: 'Unrecognized request', op });
  }

  onTick(now: number): void {
    this.now = now;
    if (this.#pings.isOver(now)) {
      this.connection.close(1000);
      return;
    }
    for (const topic of this.#topics.values()) this.#publish(topic);
  }

  #subscribe(arg: Argument): void {
    const levels = LEVELS[channelOf(arg)];
    const product = arg.instType?.toUpperCase();
    const c = this.world
      .contracts(listing)
      .find((one) => one.symbol === symbolOf(arg) && productOf(one) === product && one.status === 'live');
    if (levels === undefined || c === undefined) {
      const msg = `${Object.values(arg).join(',')} doesn't exist`;
      this.send({ event: 'error', arg, code: 30001, msg, op: 'subscribe' });
      return;
    }
    this.send({ event: 'subscribe', arg });
    const book = this.steppedBook(c, (t) => bookRows(c, this.world, t, levels));
    const topic: Topic = { arg, c, book, isWhole: channelOf(arg) !== 'books' };
    this.#topics.set(keyOf(arg), topic);
    this.#sendWhole(topic);
  }

  #unsubscribe(arg: Argument): void {
    this.#topics.delete(keyOf(arg));
    this.send({ event: 'unsubscribe', arg });
  }

  #publish(topic: Topic): void {
    const { book, isWhole } = topic;
    const before = seqAt(book.at);
    const changes = book.advance(this.now);
    if (changes === undefined) return;
    if (isWhole) this.#sendWhole(topic);
    else this.#push(topic, { asks: zeroed(changes.asks), bids: zeroed(changes.bids) }, before);
  }

  /** A snapshot has no checksum and follows none. */
  #sendWhole(topic: Topic): void {
    const { asks, bids } = topic.book.sides;
    this.#push(topic, { asks, bids }, undefined);
  }

  #push({ arg, c, book }: Topic, sides: Sides, before: number | undefined): void {
    const row = this.#isUnified ? this.#unified(book, sides, before) : this.#classic(book, sides, before);
    const action = before === undefined ? 'snapshot' : 'update';
    this.send(
      { action, arg, data: [row], ts: this.now },
      { symbol: c.symbol, isSnapshot: before === undefined },
    );
  }

  #unified(book: SteppedBook, { asks, bids }: Sides, before = 0): object {
    const stamps = { seq: seqAt(book.at), pseq: before, ts: String(book.at) };
    return { a: asks, b: bids, ...stamps, maxdepth: '1000' };
  }

  #classic(book: SteppedBook, sides: Sides, before: number | undefined): object {
    const checksum = before === undefined ? 0 : checksumOf(book.sides);
    return { ...sides, checksum, seq: seqAt(book.at), ts: String(book.at) };
  }
}
