import type { SimContract } from '../world.ts';
import { bookRows, openSwaps, seqIdAt } from './okx-rows.ts';
import { SocketSession } from './socket-session.ts';
import { type SteppedBook, zeroed } from './stepped-book.ts';

/** A connection on which nothing was received for this long is closed. */
const SILENCE_MS = 30_000;
/** A book at rest is confirmed after this long. */
const REST_MS = 60_000;

/** No size, no orders. */
const GONE = ['0', '0', '0'];

/** Levels of a channel; `books5` is sent whole each time. */
const LEVELS: Readonly<Record<string, number>> = { books: 400, books5: 5, 'bbo-tbt': 1 };

interface Argument {
  readonly channel?: string;
  readonly instId?: string;
}

interface Topic {
  readonly arg: Argument;
  readonly c: SimContract;
  readonly book: SteppedBook;
  readonly isWhole: boolean;
  sentAt: number;
}

const keyOf = ({ channel, instId }: Argument): string => `${channel}:${instId}`;

/** OKX's public socket: books by change and whole ones. */
export class OkxSocket extends SocketSession {
  readonly #topics = new Map<string, Topic>();
  readonly #connId = 'd0b44253';
  #heardAt: number | undefined;

  onMessage(text: string): void {
    this.#heardAt = this.now;
    if (text === 'ping') {
      this.connection.send('pong');
      return;
    }
    let ask: { readonly op?: string; readonly args?: readonly Argument[] };
    try {
      ask = JSON.parse(text) as typeof ask;
    } catch {
      this.#refuse('60012', 'Invalid request');
      return;
    }
    const { op, args = [] } = ask;
    if (op === 'subscribe') for (const arg of args) this.#subscribe(arg);
    else if (op === 'unsubscribe') for (const arg of args) this.#unsubscribe(arg);
    else this.#refuse('60012', 'Invalid request');
  }

  onTick(now: number): void {
    this.now = now;
    this.#heardAt ??= now;
    for (const topic of this.#topics.values()) this.#publish(topic);
    if (this.#topics.size === 0 && now - this.#heardAt > SILENCE_MS) this.connection.close(4004);
  }

  #subscribe(arg: Argument): void {
    const levels = LEVELS[arg.channel ?? ''];
    const c = openSwaps(this.world).find((one) => one.symbol === arg.instId);
    if (levels === undefined || c === undefined) {
      this.#refuse('60018', `Wrong URL or channel:${arg.channel},instId:${arg.instId} doesn't exist.`);
      return;
    }
    this.send({ event: 'subscribe', arg, connId: this.#connId });
    const book = this.steppedBook(c, (t) => bookRows(c, this.world, t, levels));
    const topic = { arg, c, book, isWhole: arg.channel !== 'books', sentAt: this.now };
    this.#topics.set(keyOf(arg), topic);
    this.#sendWhole(topic);
  }

  #unsubscribe(arg: Argument): void {
    this.#topics.delete(keyOf(arg));
    this.send({ event: 'unsubscribe', arg, connId: this.#connId });
  }

  #publish(topic: Topic): void {
    const { book, isWhole } = topic;
    const prevSeqId = seqIdAt(book.at);
    const changes = book.advance(this.now);
    if (changes === undefined && this.now - topic.sentAt < REST_MS) return;
    topic.sentAt = this.now;
    if (isWhole) {
      this.#sendWhole(topic);
      return;
    }
    // A book at rest repeats its number as the one before.
    const sides = { asks: zeroed(changes?.asks ?? [], GONE), bids: zeroed(changes?.bids ?? [], GONE) };
    this.#push(topic, 'update', sides, prevSeqId);
  }

  #sendWhole(topic: Topic): void {
    const { asks, bids } = topic.book.sides;
    this.#push(topic, 'snapshot', { asks, bids }, -1);
  }

  /** The checksum has been 0 since June 2026. */
  #push({ arg, c, book, isWhole }: Topic, action: string, sides: object, prevSeqId: number): void {
    const numbers = { ts: String(book.at), checksum: 0, seqId: seqIdAt(book.at), prevSeqId };
    this.send(
      { arg, ...(isWhole ? {} : { action }), data: [{ ...sides, ...numbers }] },
      { symbol: c.symbol, isSnapshot: action === 'snapshot' },
    );
  }

  #refuse(code: string, msg: string): void {
    this.send({ event: 'error', code, msg, connId: this.#connId });
  }
}
