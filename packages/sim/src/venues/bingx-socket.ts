import { gzipSync } from 'node:zlib';
import type { BookTag, Row, Sides } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { bookRows, listing } from './bingx-rows.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { readAsk } from './read-ask.ts';

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

interface Count {
  lastUpdateId: number;
  sent: number;
}

/** BingX's market socket: books by change and partial ones. Every frame is gzip, the pings too. */
export class BingxSocket extends BookSession<Count> {
  protected override readonly gone = ['0.0000'];
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
      this.books.delete(dataType);
      this.#answer(id, 0, '');
    } else this.#answer(id, 80_014, 'invalid reqType');
  }

  protected override tick(): void {
    const { now } = this;
    if (this.#pingedAt === undefined) this.#pingedAt = this.#heardAt = now;
    if (now - this.#heardAt > SILENCE_MS) {
      this.connection.close(1006);
      return;
    }
    super.tick();
    if (now - this.#pingedAt < PING_MS) return;
    this.#pingedAt = now;
    this.connection.send(gzipSync('Ping'));
  }

  #subscribe(dataType: string, id: string): void {
    const [, symbol, partial] = TOPIC.exec(dataType) ?? [];
    const c = this.world
      .contracts(listing)
      .find(
        (contract) => contract.symbol === symbol && contract.kind === 'perp' && contract.status === 'live',
      );
    if (c === undefined) {
      this.#answer(id, 80_015, 'dataType not support');
      return;
    }
    if (this.books.size >= MAX_TOPICS && !this.books.has(dataType)) {
      this.#answer(id, 80_403, 'too many subscriptions');
      return;
    }
    this.#answer(id, 0, '');
    const levels = partial === undefined ? ALL_LEVELS : Number(partial);
    const followed = this.follow(dataType, c, levels, { lastUpdateId: 0, sent: 0 }, partial !== undefined);
    followed.more.lastUpdateId = followed.book.at;
    this.sendWhole(followed);
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookRows(c, this.world, t, levels);
  }

  /** Partial books are not numbered. Of changes the first number follows the snapshot's, later ones skip. */
  protected sendBook(followed: FollowedBook<Count>, { bids, asks }: Sides, before?: number): void {
    const { name: dataType, book, isWhole, more } = followed;
    if (isWhole) {
      const data = { bids, asks: worstFirst(asks) };
      this.push(followed, { code: 0, dataType, ts: book.at, data }, true);
      return;
    }
    if (before !== undefined) {
      more.sent += 1;
      more.lastUpdateId += more.sent === 1 ? 1 : 1 + (more.sent % 9);
    }
    const action = before === undefined ? 'all' : 'update';
    const sides = { bids, asks: before === undefined ? asks : worstFirst(asks) };
    const data = { action, lastUpdateId: more.lastUpdateId, time: book.at, ...sides };
    this.push(followed, { code: 0, dataType, data }, before === undefined);
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
