import type { Sides } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { bookSides, contractsWith, interestRow, markRow, tickerRow, updateAt } from './backpack-rows.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { readAsk } from './read-ask.ts';

/** Levels that a book has, a side. */
const DEPTH = 200;
const INTEREST_MS = 60_000;
const WINDOWS = ['200ms', '600ms', '1000ms'];

interface Ask {
  readonly method?: string;
  readonly params?: readonly string[];
}

/** Backpack's public socket: changes of books without a snapshot, marks, volumes and best prices. */
export class BackpackSocket extends BookSession<string> {
  protected override readonly gone = ['0.00000'];

  /** Requests that are right are not acknowledged. */
  onMessage(text: string): void {
    const { method, params = [] } = readAsk<Ask>(text) ?? {};
    if (method === 'SUBSCRIBE') for (const stream of params) this.#subscribe(stream);
    else if (method === 'UNSUBSCRIBE') for (const stream of params) this.books.delete(stream);
    else this.#refuse(4002, 'Parse error');
  }

  #subscribe(stream: string): void {
    const [, event = '', window, symbol] = /^(\w+)\.(?:(\d+ms)\.)?(.+)$/.exec(stream) ?? [];
    if (!['depth', 'markPrice', 'ticker', 'bookTicker', 'openInterest'].includes(event)) {
      this.#refuse(4006, 'Invalid stream');
      return;
    }
    if (window !== undefined && !WINDOWS.includes(window)) {
      this.#refuse(4008, 'Invalid depth window');
      return;
    }
    // An unknown or closed market is met with silence.
    const c = contractsWith(this.world, 'live').find((contract) => contract.symbol === symbol);
    if (c === undefined || this.books.has(stream)) return;
    this.follow(stream, c, event === 'depth' ? DEPTH : 0, event).sentAt = 0;
  }

  protected override publish(followed: FollowedBook<string>): void {
    const { c, more: event } = followed;
    const t = this.now;
    const head = this.#headOf(followed);
    if (event === 'depth') {
      super.publish(followed);
    } else if (event === 'markPrice') {
      const {
        markPrice: p,
        indexPrice: i,
        fundingRate: f,
        nextFundingTimestamp: n,
      } = markRow(c, this.world, t);
      this.#say(followed, { ...head, T: t * 1000, p, i, f, n });
    } else if (event === 'ticker') {
      const { volume: v, quoteVolume: V, lastPrice } = tickerRow(c, this.world, t);
      this.#say(followed, { ...head, v, V, c: lastPrice });
    } else if (event === 'bookTicker') {
      const { bids, asks } = bookSides(c, this.world, t, 1);
      const [b, B] = bids[0] ?? [null, null];
      const [a, A] = asks[0] ?? [null, null];
      this.#say(followed, { ...head, T: t * 1000, a, A, b, B, u: updateAt(t) });
    } else if (t - followed.sentAt >= INTEREST_MS) {
      this.#say(followed, { ...head, o: interestRow(c, this.world, t).openInterest });
    }
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookSides(c, this.world, t, levels);
  }

  protected sendBook(followed: FollowedBook<string>, { bids, asks }: Sides, before = 0): void {
    const { name: stream, book } = followed;
    const numbers = { T: book.at * 1000, U: updateAt(before) + 1, u: updateAt(book.at) };
    const data = { ...this.#headOf(followed), ...numbers, a: asks, b: bids };
    this.push(followed, { data, stream }, false);
  }

  #headOf({ c, more: event }: FollowedBook<string>) {
    return { e: event, E: this.now * 1000, s: c.symbol };
  }

  #say(followed: FollowedBook<string>, data: object): void {
    followed.sentAt = this.now;
    this.send({ data, stream: followed.name });
  }

  #refuse(code: number, message: string): void {
    this.send({ id: null, error: { code, message } });
  }
}
