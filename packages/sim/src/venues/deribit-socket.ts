import type { BookTag, Sides } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { bookRows, changeIdAt, openContracts, ticker } from './deribit-rows.ts';
import { readAsk } from './read-ask.ts';
import type { RowChange, SideChanges } from './stepped-book.ts';

/** A client that does not answer a test request for this long is hung up on. */
const PATIENCE_MS = 10_000;
/** Levels of the snapshot, a side. */
const WHOLE = 400;

const CHANNEL =
  /^(?:(book)\.([^.]+)\.(?:100ms|agg2)|(book)\.([^.]+)\.none\.(1|10|20)\.100ms|(ticker)\.([^.]+)\.(?:100ms|agg2))$/;

interface Ask {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly channels?: readonly string[]; readonly interval?: number };
}

type Kind = 'book' | 'window' | 'ticker';

const actions = (changes: readonly RowChange[]) =>
  changes.map(({ kind, row: [price, size] }) => [kind, price, kind === 'delete' ? 0 : size]);

const news = (rows: Sides['bids']) => rows.map(([price, size]) => ['new', price, size]);

const numbersOf = ({ c, book }: FollowedBook<Kind>) => ({
  timestamp: book.at,
  change_id: changeIdAt(book.at),
  instrument_name: c.symbol,
});

const notification = ({ name }: FollowedBook<Kind>, data: object) => ({
  method: 'subscription',
  params: { channel: name, data },
});

/** Deribit's JSON-RPC socket: books of all levels by change, grouped windows, tickers, heartbeats on demand. */
export class DeribitSocket extends BookSession<Kind> {
  /** Seconds between heartbeats; none until the client asks for them. */
  #interval: number | undefined;
  #beatAt = 0;
  #askedAt: number | undefined;

  onMessage(text: string): void {
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.send({ error: { code: 11050, data: 'invalid json', message: 'bad_request' } });
      return;
    }
    const { id, method, params } = ask;
    const channels = params?.channels ?? [];
    switch (method) {
      case 'public/test':
        this.#askedAt = undefined;
        this.#reply(id, { version: '1.2.26' });
        return;
      case 'public/set_heartbeat':
        this.#interval = params?.interval;
        this.#beatAt = this.now;
        this.#reply(id, 'ok');
        return;
      case 'public/subscribe':
        this.#subscribe(id, channels);
        return;
      case 'public/unsubscribe':
        this.#reply(
          id,
          channels.filter((name) => this.books.delete(name)),
        );
        return;
      default:
        this.send({ id, error: { code: -32601, message: 'Method not found' } });
    }
  }

  protected override tick(): void {
    if (this.#askedAt !== undefined && this.now - this.#askedAt > PATIENCE_MS) {
      this.connection.close(4000);
      return;
    }
    this.#beat();
    super.tick();
  }

  #beat(): void {
    if (this.#interval === undefined || this.now - this.#beatAt < this.#interval * 1000) return;
    this.#beatAt = this.now;
    this.#askedAt ??= this.now;
    this.send({ params: { type: 'test_request' }, method: 'heartbeat' });
  }

  /** An unknown channel is left out of the answer; one that is followed already is named and not sent again. */
  #subscribe(id: unknown, channels: readonly string[]): void {
    if (channels.some((name) => name.endsWith('.raw'))) {
      const message = 'raw_subscriptions_not_available_for_unauthorized';
      this.send({ id, error: { code: 13778, message } });
      return;
    }
    const made: FollowedBook<Kind>[] = [];
    const taken = channels.filter((name) => {
      if (this.books.has(name)) return true;
      const followed = this.#followChannel(name);
      if (followed !== undefined) made.push(followed);
      return followed !== undefined;
    });
    this.#reply(id, taken);
    for (const followed of made) {
      if (followed.more === 'ticker') this.#sendTicker(followed);
      else this.sendWhole(followed);
    }
  }

  #followChannel(name: string): FollowedBook<Kind> | undefined {
    const [, isSnapshot, ofWhole, window, ofWindow, depth, , ofTicker] = CHANNEL.exec(name) ?? [];
    const symbol = ofWhole ?? ofWindow ?? ofTicker;
    const c = openContracts(this.world).find((contract) => contract.symbol === symbol);
    if (c === undefined) return undefined;
    const kind = isSnapshot !== undefined ? 'book' : window !== undefined ? 'window' : 'ticker';
    const levels = Number(depth ?? (kind === 'book' ? WHOLE : 1));
    return this.follow(name, c, levels, kind, kind === 'window');
  }

  protected override publish(followed: FollowedBook<Kind>): void {
    if (followed.more === 'ticker') this.#sendTicker(followed);
    else super.publish(followed);
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookRows(c, this.world, t, levels);
  }

  protected override sendChanges(followed: FollowedBook<Kind>, changes: SideChanges, before: number): void {
    const sides = { bids: actions(changes.bids), asks: actions(changes.asks) };
    const data = { type: 'change', ...numbersOf(followed), ...sides, prev_change_id: changeIdAt(before) };
    this.push(followed, notification(followed, data), false);
  }

  protected sendBook(followed: FollowedBook<Kind>, { bids, asks }: Sides): void {
    const numbers = numbersOf(followed);
    const data =
      followed.more === 'window'
        ? { ...numbers, bids, asks }
        : { type: 'snapshot', ...numbers, bids: news(bids), asks: news(asks) };
    this.push(followed, notification(followed, data), true);
  }

  #sendTicker(followed: FollowedBook<Kind>): void {
    this.send(notification(followed, ticker(followed.c, this.world, this.now)));
  }

  #reply(id: unknown, result: unknown): void {
    const us = this.now * 1000;
    this.send({ id, result, usIn: us, usOut: us + 400, usDiff: 400, testnet: false });
  }

  protected override send(frame: object, about?: BookTag): void {
    super.send({ jsonrpc: '2.0', ...frame }, about);
  }
}
