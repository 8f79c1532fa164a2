import type { Sides } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { bookRows, listing, versionAt, WHOLE } from './mexc-rows.ts';
import { ClientPings } from './pings.ts';
import { readAsk } from './read-ask.ts';

/** A socket without a client ping for this long is closed, even while data flows. */
const PING_MS = 60_000;

interface Ask {
  readonly method?: string;
  readonly param?: { readonly symbol?: string; readonly limit?: number };
}

/** MEXC's futures socket: books by change, and the best levels whole. */
export class MexcSocket extends BookSession {
  /** No contracts, no orders. */
  protected override readonly gone = [0, 0];
  readonly #pings = new ClientPings(PING_MS);

  onMessage(text: string): void {
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.#send('rs.error', 'Invalid message');
      return;
    }
    const { method, param = {} } = ask;
    switch (method) {
      case 'ping':
        this.#pings.heard(this.now);
        this.#send('pong', this.now);
        return;
      case 'sub.depth':
        this.#follow(method, param.symbol, WHOLE, false);
        return;
      case 'sub.depth.full':
        this.#follow(method, param.symbol, param.limit ?? 20, true);
        return;
      case 'unsub.depth':
      case 'unsub.depth.full':
        this.books.delete(`${method.slice(2)} ${param.symbol}`);
        this.#send(`rs.${method}`, 'success');
        return;
      default:
        this.#send('rs.error', 'Invalid method');
    }
  }

  protected override tick(): void {
    if (this.#pings.isOver(this.now)) this.connection.close(1000);
    else super.tick();
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookRows(c, this.world, t, levels);
  }

  protected sendBook(followed: FollowedBook, { asks, bids }: Sides, before?: number): void {
    const { c, book } = followed;
    const end = versionAt(book.at);
    const data =
      before === undefined
        ? { cts: book.at, asks, bids, version: end }
        : { cts: book.at, asks, bids, end, begin: versionAt(before) + 1, version: end };
    const channel = before === undefined ? 'push.depth.full' : 'push.depth';
    this.push(followed, { symbol: c.symbol, data, channel, ts: this.now }, before === undefined);
  }

  /** Changes come without a snapshot before them. */
  #follow(method: string, symbol: string | undefined, levels: number, isWhole: boolean): void {
    const c = this.world
      .contracts(listing)
      .find((contract) => contract.symbol === symbol && contract.status === 'live');
    if (c === undefined) {
      this.#send('rs.error', `Contract [${symbol}] not exists`);
      return;
    }
    this.#send(`rs.${method}`, 'success');
    const followed = this.follow(`${method} ${symbol}`, c, levels, undefined, isWhole);
    if (isWhole) this.sendWhole(followed);
  }

  /** Acknowledgements name no contract. */
  #send(channel: string, data: unknown): void {
    this.send({ data, channel, ts: this.now });
  }
}
