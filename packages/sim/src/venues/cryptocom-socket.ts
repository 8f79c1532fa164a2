import type { Sides } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { bookSides, indexOf, tickerRow, tradable, valuation } from './cryptocom-rows.ts';
import { readAsk } from './read-ask.ts';

const HEARTBEAT_MS = 30_000;
/** Heartbeats without an answer after which the venue hangs up. */
const MISSED = 3;
const MAX_CHANNELS = 400;
/** An idle book is confirmed by an empty change after this long. */
const IDLE_MS = 5000;

/** Valuation behind a channel, and how often it is sent. */
const VALUATIONS: Readonly<Record<string, readonly [kind: string, everyMs: number]>> = {
  mark: ['mark_price', 1000],
  index: ['index_price', 1000],
  funding: ['funding_rate', 60_000],
  estimatedfunding: ['estimated_funding_rate', 60_000],
};

interface Ask {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: {
    readonly channels?: readonly string[];
    readonly book_subscription_type?: string;
  };
}

interface Topic {
  readonly channel: string;
  readonly instrument: string;
  readonly depth: number;
  readonly changes: boolean;
}

type Followed = FollowedBook<Topic>;

/** Number of the book of this time; it skips. */
const numberOf = (t: number): number => t * 4096;

/** Crypto.com's market socket: 400 channels a connection, heartbeats that want an answer. */
export class CryptocomSocket extends BookSession<Topic> {
  /** No quantity, no orders. */
  protected override readonly gone = ['0', '0'];
  protected override readonly restMs = IDLE_MS;
  #beatAt: number | undefined;
  #missed = 0;

  onMessage(text: string): void {
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      return;
    }
    const { id = null, method, params } = ask;
    if (method === 'public/respond-heartbeat') this.#missed = 0;
    else if (method === 'subscribe') {
      for (const name of params?.channels ?? []) this.#subscribe(id, name, params?.book_subscription_type);
    } else if (method === 'unsubscribe') {
      for (const name of params?.channels ?? []) this.books.delete(name);
      this.send({ id, method: 'unsubscribe', code: 0 });
    } else this.send({ id, method, code: 40_003, message: 'No such method' });
  }

  protected override tick(): void {
    const { now } = this;
    this.#beatAt ??= now;
    if (now - this.#beatAt >= HEARTBEAT_MS) {
      if (++this.#missed > MISSED) {
        this.connection.close(1000);
        return;
      }
      this.#beatAt = now;
      this.send({ id: now, method: 'public/heartbeat', code: 0 });
    }
    super.tick();
  }

  #subscribe(id: unknown, name: string, type: string | undefined): void {
    const [channel = '', ...rest] = name.split('.');
    const refuse = (code: number, message: string) =>
      this.send({ id, method: 'subscribe', code, channel: name, message });
    const last = rest.at(-1) ?? '';
    const depth = channel === 'book' ? Number(last) : 0;
    const instrument = (channel === 'book' ? rest.slice(0, -1) : rest).join('.');
    if (this.books.has(name)) return;
    if (this.books.size >= MAX_CHANNELS) {
      this.send({ id, method: 'subscribe', code: 40_107, message: 'Maximum subscriptions exceeded' });
      return;
    }
    if (!(channel in VALUATIONS) && channel !== 'book' && channel !== 'ticker') {
      refuse(40_003, 'Unrecognized channel');
      return;
    }
    if (channel === 'book' && depth !== 10 && depth !== 50) {
      refuse(40_003, 'Invalid depth');
      return;
    }
    const c = this.#contract(channel, instrument);
    if (c === undefined) {
      refuse(40_003, channel === 'book' ? 'Unknown symbol' : 'Unsupported instrument');
      return;
    }
    const changes = type === 'SNAPSHOT_AND_UPDATE';
    const followed = this.follow(name, c, depth, { channel, instrument, depth, changes });
    if (channel === 'book') {
      this.send({ id, method: 'subscribe', code: 0, channel: name });
      this.sendWhole(followed);
    } else this.#sendValues(followed, id);
  }

  /** An index goes by its own name only, everything else by that of the contract. */
  #contract(channel: string, instrument: string): SimContract | undefined {
    const perps = tradable(this.world).filter((c) => channel === 'book' || c.kind === 'perp');
    return perps.find((c) => (channel === 'index' ? indexOf(c) : c.symbol) === instrument);
  }

  /** Without changes a book is sent whole at every tick. */
  protected override publish(followed: Followed): void {
    const { channel, changes } = followed.more;
    if (channel !== 'book') {
      const [, everyMs] = VALUATIONS[channel] ?? ['', 1000];
      if (this.now - followed.sentAt >= everyMs) this.#sendValues(followed, -1);
    } else if (changes) super.publish(followed);
    else {
      followed.book.advance(this.now);
      this.sendWhole(followed);
    }
  }

  /** The first push of a channel carries the id of its request. */
  #sendValues(followed: Followed, id: unknown): void {
    const { c, more } = followed;
    const [kind] = VALUATIONS[more.channel] ?? [''];
    const row =
      more.channel === 'ticker'
        ? { ...tickerRow(c, this.world, this.now), bs: '1', ks: '1' }
        : valuation(kind, c, this.world, this.now);
    followed.sentAt = this.now;
    this.send(pushed(followed, more.channel, [row], id));
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookSides(c, this.world, t, levels);
  }

  /** A book at rest is sent as an empty change with a number of its own. */
  protected sendBook(followed: Followed, { bids, asks }: Sides, before?: number): void {
    const { at } = followed.book;
    const stamps = { t: this.now, tt: at, u: numberOf(at) };
    if (before === undefined) {
      this.push(followed, pushed(followed, 'book', [{ bids, asks, ...stamps, cs: 0 }], -1), true);
      return;
    }
    const row = { update: { asks, bids }, ...stamps, pu: numberOf(before), cs: 0 };
    this.push(followed, pushed(followed, 'book.update', [row], -1), false);
  }
}

/** A push of a channel. */
function pushed({ name, more }: Followed, channel: string, data: readonly unknown[], id: unknown): object {
  const head = { instrument_name: more.instrument, subscription: name, channel };
  const result = more.depth > 0 ? { ...head, depth: more.depth, data } : { ...head, data };
  return { id, method: 'subscribe', code: 0, result };
}
