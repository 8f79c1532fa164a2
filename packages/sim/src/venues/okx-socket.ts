import type { Sides } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { bookRows, openSwaps, seqIdAt } from './okx-rows.ts';
import { readAsk } from './read-ask.ts';

/** A connection on which nothing was received for this long is closed. */
const SILENCE_MS = 30_000;
/** A book at rest is confirmed after this long. */
const REST_MS = 60_000;

/** Levels of a channel; `books5` is sent whole each time. */
const LEVELS: Readonly<Record<string, number>> = { books: 400, books5: 5, 'bbo-tbt': 1 };

interface Argument {
  readonly channel?: string;
  readonly instId?: string;
}

interface Ask {
  readonly op?: string;
  readonly args?: readonly Argument[];
}

const keyOf = ({ channel, instId }: Argument): string => `${channel}:${instId}`;

/** OKX's public socket: books by change and whole ones. */
export class OkxSocket extends BookSession<Argument> {
  /** No size, no orders. */
  protected override readonly gone = ['0', '0', '0'];
  protected override readonly restMs = REST_MS;
  readonly #connId = 'd0b44253';
  #heardAt: number | undefined;

  onMessage(text: string): void {
    this.#heardAt = this.now;
    if (text === 'ping') {
      this.connection.send('pong');
      return;
    }
    const { op, args = [] } = readAsk<Ask>(text) ?? {};
    if (op === 'subscribe') for (const arg of args) this.#subscribe(arg);
    else if (op === 'unsubscribe') for (const arg of args) this.#unsubscribe(arg);
    else this.#refuse('60012', 'Invalid request');
  }

  protected override tick(): void {
    this.#heardAt ??= this.now;
    super.tick();
    if (this.books.size === 0 && this.now - this.#heardAt > SILENCE_MS) this.connection.close(4004);
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookRows(c, this.world, t, levels);
  }

  /** A book at rest repeats its number as the one before. The checksum has been 0 since June 2026. */
  protected sendBook(followed: FollowedBook<Argument>, { asks, bids }: Sides, before?: number): void {
    const { book, isWhole, more: arg } = followed;
    const prevSeqId = before === undefined ? -1 : seqIdAt(before);
    const data = [{ asks, bids, ts: String(book.at), checksum: 0, seqId: seqIdAt(book.at), prevSeqId }];
    const action = before === undefined ? 'snapshot' : 'update';
    this.push(followed, isWhole ? { arg, data } : { arg, action, data }, before === undefined);
  }

  #subscribe(arg: Argument): void {
    const levels = LEVELS[arg.channel ?? ''];
    const c = openSwaps(this.world).find(({ symbol }) => symbol === arg.instId);
    if (levels === undefined || c === undefined) {
      this.#refuse('60018', `Wrong URL or channel:${arg.channel},instId:${arg.instId} doesn't exist.`);
      return;
    }
    this.send({ event: 'subscribe', arg, connId: this.#connId });
    this.sendWhole(this.follow(keyOf(arg), c, levels, arg, arg.channel !== 'books'));
  }

  #unsubscribe(arg: Argument): void {
    this.books.delete(keyOf(arg));
    this.send({ event: 'unsubscribe', arg, connId: this.#connId });
  }

  #refuse(code: string, msg: string): void {
    this.send({ event: 'error', code, msg, connId: this.#connId });
  }
}
