import { gzipSync } from 'node:zlib';
import type { BookTag, Row } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { bookRows, listing } from './bingx-rows.ts';
import { readAsk } from './read-ask.ts';
import { SocketSession } from './socket-session.ts';
import { type SteppedBook, zeroed } from './stepped-book.ts';

const PING_MS = 5000;
/** A client that has not answered for this long is left. */
const SILENCE_MS = 30_000;
const MAX_TOPICS = 200;
const ALL_LEVELS = 1024;
const TOPIC = /^([^@]+)@(?:incrDepth|depth(5|10|20|50|100)(?:@\d+ms)?)$/;

interface Ask {
  readonly id?: string;
  readonly reqType?: string;
  readonly dataType?: string;
}

interface Topic {
  readonly dataType: string;
  readonly c: SimContract;
  readonly book: SteppedBook;
  /** The best levels only, whole each time and not numbered. */
  readonly isPartial: boolean;
  lastUpdateId: number;
  sent: number;
}

/** BingX's market socket: books by change and partial ones. Every frame is gzip, the pings too. */
export class BingxSocket extends SocketSession {
  readonly #topics = new Map<string, Topic>();
  #pingedAt: number | undefined;
  #heardAt = 0;

  onMessage(text: string): void {
    if (text === 'Pong') {
      this.#heardAt = this.now;
      return;
    }
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.#answer('', 100_400, 'invalid request');
      return;
    }
    const { id = '', reqType, dataType = '' } = ask;
    if (reqType === 'sub') this.#subscribe(dataType, id);
    else if (reqType === 'unsub') {
      this.#topics.delete(dataType);
      this.#answer(id, 0, '');
    } else this.#answer(id, 80_014, 'invalid reqType');
  }

  onTick(now: number): void {
    this.now = now;
    if (this.#pingedAt === undefined) this.#pingedAt = this.#heardAt = now;
    if (now - this.#heardAt > SILENCE_MS) {
      this.connection.close(1006);
      return;
    }
    for (const topic of this.#topics.values()) this.#publish(topic);
    if (now - this.#pingedAt < PING_MS) return;
    this.#pingedAt = now;
    this.connection.send(gzipSync('Ping'));
  }

  #subscribe(dataType: string, id: string): void {
    const [, symbol, partial] = TOPIC.exec(dataType) ?? [];
    const c = this.world
      .contracts(listing)
      .find((one) => one.symbol === symbol && one.kind === 'perp' && one.status === 'live');
    if (c === undefined) {
      this.#answer(id, 80_015, 'dataType not support');
      return;
    }
    if (this.#topics.size >= MAX_TOPICS && !this.#topics.has(dataType)) {
      this.#answer(id, 80_403, 'too many subscriptions');
      return;
    }
    this.#answer(id, 0, '');
    const levels = partial === undefined ? ALL_LEVELS : Number(partial);
    const book = this.steppedBook(c, (t) => bookRows(c, this.world, t, levels));
    const topic = { dataType, c, book, isPartial: partial !== undefined, lastUpdateId: book.at, sent: 0 };
    this.#topics.set(dataType, topic);
    this.#sendWhole(topic);
  }

  #publish(topic: Topic): void {
    const { book, isPartial } = topic;
    const changes = book.advance(this.now);
    if (changes === undefined) return;
    if (isPartial) {
      this.#sendWhole(topic);
      return;
    }
    // The first number follows the snapshot's, later ones skip.
    topic.sent += 1;
    topic.lastUpdateId += topic.sent === 1 ? 1 : 1 + (topic.sent % 9);
    this.#push(topic, 'update', zeroed(changes.bids, ['0.0000']), zeroed(changes.asks, ['0.0000']));
  }

  #sendWhole(topic: Topic): void {
    const { dataType, c, book, isPartial } = topic;
    const { bids, asks } = book.sides;
    if (!isPartial) {
      this.#push(topic, 'all', bids, asks);
      return;
    }
    const data = { bids, asks: worstFirst(asks) };
    this.send({ code: 0, dataType, ts: book.at, data }, { symbol: c.symbol, isSnapshot: true });
  }

  #push(topic: Topic, action: 'all' | 'update', bids: readonly Row[], asks: readonly Row[]): void {
    const { dataType, c, book, lastUpdateId } = topic;
    const sides = { bids, asks: action === 'all' ? asks : worstFirst(asks) };
    const data = { action, lastUpdateId, time: book.at, ...sides };
    this.send({ code: 0, dataType, data }, { symbol: c.symbol, isSnapshot: action === 'all' });
  }

  #answer(id: string, code: number, msg: string): void {
    this.send({ id, code, msg, dataType: '', data: null });
  }

  protected override send(frame: object, about?: BookTag): void {
    this.connection.send(gzipSync(JSON.stringify(frame)), about);
  }
}

/** Asks as updates and partial books have them. */
function worstFirst(asks: readonly Row[]): readonly Row[] {
  return [...asks].sort(([a], [b]) => Number(b) - Number(a));
}
