import type { Sides } from '../book-distortion.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { contractOf, DEXES, universeOf } from './hyperliquid-dexes.ts';
import { assetContext, bookData, bookSides, LEVELS } from './hyperliquid-rows.ts';
import { bookTime } from './stepped-book.ts';

interface Subscription {
  readonly type: string;
  readonly coin?: string;
}

/** Frame of a subscription at a time; undefined for a type that this chain does not know. */
function render({ type, coin }: Subscription, world: World, now: number): unknown {
  if (type === 'allDexsAssetCtxs') {
    const blocks = DEXES.map((dex) => {
      const rows = universeOf(world, dex).map((contract) => assetContext(contract, world, now));
      return [dex.name, rows] as const;
    });
    return { ctxs: blocks.sort(([a], [b]) => (a < b ? -1 : 1)) };
  }
  const contract = contractOf(world, coin);
  if (contract === undefined) return undefined;
  if (type === 'activeAssetCtx') return { coin, ctx: assetContext(contract, world, now) };
  if (type !== 'bbo') return undefined;
  const at = bookTime(now);
  const { time, levels } = bookData(contract, at, bookSides(contract, world, at, 1));
  return { coin, time, bbo: levels.map((side) => side[0] ?? null) };
}

/**
 * Hyperliquid's socket: contexts of all dexes or of one coin, best prices and books. Every frame states everything of
 * its subscription again; a book's is sent where the book has changed.
 */
export class HyperliquidSocket extends BookSession {
  readonly #subscriptions = new Map<string, Subscription>();

  onMessage(text: string): void {
    const message = JSON.parse(text) as { method?: string; subscription?: Subscription };
    const { method, subscription } = message;
    if (method === 'ping') this.send({ channel: 'pong' });
    else if (method === 'subscribe' && typeof subscription?.type === 'string') this.#subscribe(subscription);
    else if (method === 'unsubscribe') {
      const key = JSON.stringify(subscription);
      this.#subscriptions.delete(key);
      this.books.delete(key);
      this.send({ channel: 'subscriptionResponse', data: { method, subscription } });
    } else this.#refuse(`Error parsing JSON into valid websocket request: ${text}`);
  }

  protected override tick(): void {
    for (const [key, subscription] of this.#subscriptions) this.#push(key, subscription);
  }

  /** An unknown coin or type closes the connection without a word, as the chain's own does. */
  #subscribe(subscription: Subscription): void {
    const key = JSON.stringify(subscription);
    if (this.#subscriptions.has(key)) {
      this.#refuse(`Already subscribed: ${key}`);
      return;
    }
    this.send({ channel: 'subscriptionResponse', data: { method: 'subscribe', subscription } });
    if (this.#push(key, subscription)) this.#subscriptions.set(key, subscription);
    else this.connection.close();
  }

  /** False for what does not exist. */
  #push(key: string, subscription: Subscription): boolean {
    const { type, coin } = subscription;
    if (type === 'l2Book') return this.#pushBook(key, contractOf(this.world, coin));
    const data = render(subscription, this.world, this.now);
    if (data !== undefined) this.send({ channel: type, data });
    return data !== undefined;
  }

  #pushBook(key: string, contract: SimContract | undefined): boolean {
    if (contract === undefined) return false;
    const known = this.books.get(key);
    if (known === undefined) this.sendWhole(this.follow(key, contract, LEVELS, undefined, true));
    else this.publish(known);
    return true;
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookSides(c, this.world, t, levels);
  }

  protected sendBook(followed: FollowedBook, sides: Sides): void {
    const { c, book } = followed;
    this.push(followed, { channel: 'l2Book', data: bookData(c, book.at, sides) }, true);
  }

  #refuse(data: string): void {
    this.send({ channel: 'error', data });
  }
}
