import type { BookTag, Sides } from '../book-distortion.ts';
import { baseText, priceText } from '../format.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { readAsk } from './read-ask.ts';
import { sidesOf } from './sides.ts';

const CHANNEL = 'v4_orderbook';
/** Books of a connection. */
const MAX_BOOKS = 32;
/** Subscriptions to one book within a second; more of them end the connection. */
const MAX_ATTEMPTS = 2;
const POLICY_VIOLATION = 1008;
const CONNECTION_ID = '7f6d1c62-93b1-4a5c-8e0e-5b0f8a1d2c3e';
/** Levels of the snapshot, a side: REST has as many. */
const LEVELS = 100;
/** Time that the snapshot of every other subscription takes; the others are there at the next tick. */
const SLOW_MS = 1200;

/** The contract that trades under a ticker. */
export type FindContract = (ticker: string | undefined) => SimContract | undefined;

interface Ask {
  readonly type?: string;
  readonly channel?: string;
  readonly id?: string;
  readonly batched?: boolean;
}

/** Facts of a subscription that its messages state. */
interface Subject {
  readonly batched: boolean;
  /** Number of the message that answers the subscription. */
  readonly messageId: number;
}

/** A subscription whose snapshot is being fetched; its number is taken. */
interface Awaited extends Subject {
  readonly c: SimContract;
  readonly dueAt: number;
}

/** Levels `[price, base units]` of the book, best first. */
export function bookSides(c: SimContract, world: World, t: number): Sides {
  return sidesOf(world.book(c, t, LEVELS), (price, size) => [priceText(c, price), baseText(c, size)]);
}

/** Levels as REST and snapshots have them; changes are pairs. */
export function keyed({ bids, asks }: Sides) {
  const side = (rows: Sides['bids']) => rows.map(([price, size]) => ({ price, size }));
  return { bids: side(bids), asks: side(asks) };
}

/**
 * The indexer's socket: books whole on subscription, then changes, in one count of messages a connection. A subscription
 * takes its number when it arrives and is answered once its snapshot is there, behind what other books sent meanwhile.
 */
export class DydxSocket extends BookSession<Subject> {
  readonly #find: FindContract;
  readonly #attempts = new Map<string, readonly number[]>();
  #awaited: readonly Awaited[] = [];
  #subscriptions = 0;
  /** Counts all messages of the connection, those that are still to be sent as well. */
  #messageId = 0;

  constructor(connection: SimConnection, world: World, find: FindContract) {
    super(connection, world);
    this.#find = find;
    this.#send('connected', this.#messageId, {});
  }

  onMessage(text: string): void {
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.#refuse('Invalid message: could not parse');
      return;
    }
    const { type, channel, id = '' } = ask;
    if (channel !== CHANNEL) this.#refuse(`Invalid channel: ${channel}`);
    else if (type === 'subscribe') this.#subscribe(id, ask.batched === true);
    else if (type === 'unsubscribe') {
      this.books.delete(id);
      this.#send('unsubscribed', ++this.#messageId, { channel, id });
    } else this.#refuse(`Invalid message type: ${type}`);
  }

  protected override tick(): void {
    const { now } = this;
    super.tick();
    const due = this.#awaited.filter(({ dueAt }) => dueAt <= now);
    this.#awaited = this.#awaited.filter(({ dueAt }) => dueAt > now);
    for (const awaited of due) this.#answer(awaited);
  }

  #subscribe(id: string, batched: boolean): void {
    const messageId = ++this.#messageId;
    const c = this.#find(id);
    if (c === undefined) {
      this.#refuse(`Invalid subscription id for channel: (${CHANNEL}-${id})`);
    } else if (this.books.size + this.#awaited.length >= MAX_BOOKS) {
      this.#refuse(`Per-connection subscription limit reached for ${CHANNEL} (limit=${MAX_BOOKS}).`);
    } else if (this.#isTooOften(id)) {
      const channel = `${CHANNEL}-${id}`;
      this.#refuse(`Too many subscribe attempts for channel ${channel}. Please  reconnect and try again.`);
      this.connection.close(POLICY_VIOLATION);
    } else {
      const dueAt = this.#subscriptions++ % 2 === 0 ? this.now : this.now + SLOW_MS;
      this.#awaited = [...this.#awaited, { c, batched, messageId, dueAt }];
    }
  }

  #answer({ c, batched, messageId }: Awaited): void {
    const id = c.symbol;
    const head = { channel: CHANNEL, id };
    if (this.books.has(id)) {
      const message = `Invalid subscribe message: already subscribed (${CHANNEL}-${id})`;
      this.#send('error', messageId, { message, ...head });
      return;
    }
    this.sendWhole(this.follow(id, c, LEVELS, { batched, messageId }));
  }

  #isTooOften(id: string): boolean {
    const recent = (this.#attempts.get(id) ?? []).filter((at) => this.now - at < 1000);
    this.#attempts.set(id, [...recent, this.now]);
    return recent.length >= MAX_ATTEMPTS;
  }

  protected sidesAt(c: SimContract, t: number): Sides {
    return bookSides(c, this.world, t);
  }

  protected sendBook(followed: FollowedBook<Subject>, { bids, asks }: Sides, before?: number): void {
    const { name: id, c, more } = followed;
    const tag = { symbol: c.symbol, isSnapshot: before === undefined };
    if (before === undefined) {
      const contents = keyed({ bids, asks });
      this.#send('subscribed', more.messageId, { channel: CHANNEL, id, contents }, tag);
      return;
    }
    const deltas = [...(bids.length > 0 ? [{ bids }] : []), ...(asks.length > 0 ? [{ asks }] : [])];
    const head = { id, channel: CHANNEL, version: '1.0.0' };
    if (more.batched) {
      this.#send('channel_batch_data', ++this.#messageId, { ...head, contents: deltas }, tag);
      return;
    }
    for (const contents of deltas) this.#send('channel_data', ++this.#messageId, { ...head, contents }, tag);
  }

  /** Under the number that is reached: a refusal takes none. */
  #refuse(message: string): void {
    this.#send('error', this.#messageId, { message });
  }

  #send(type: string, messageId: number, more: object, about?: BookTag): void {
    this.send({ type, connection_id: CONNECTION_ID, message_id: messageId, ...more }, about);
  }
}
