import type { SimContract } from '../world.ts';
import { bookSides, indexOf, tickerRow, tradable, valuation } from './cryptocom-rows.ts';
import { readAsk } from './read-ask.ts';
import { SocketSession } from './socket-session.ts';
import { type SteppedBook, zeroed } from './stepped-book.ts';

const HEARTBEAT_MS = 30_000;
/** No quantity, no orders. */
const GONE = ['0', '0'];
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
  readonly name: string;
  readonly channel: string;
  readonly c: SimContract;
  readonly instrument: string;
  readonly depth: number;
  readonly changes: boolean;
  sentAt: number;
  readonly book: SteppedBook;
}

/** Number of the book of this time; it skips. */
const numberOf = (t: number): number => t * 4096;

/** Crypto.com's market socket: 400 channels a connection, heartbeats that want an answer. */
export class CryptocomSocket extends SocketSession {
  readonly #topics = new Map<string, Topic>();
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
      for (const name of params?.channels ?? []) this.#topics.delete(name);
      this.send({ id, method: 'unsubscribe', code: 0 });
    } else this.send({ id, method, code: 40_003, message: 'No such method' });
  }

  protected tick(): void {
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
    for (const topic of this.#topics.values()) this.#publish(topic, -1);
  }

  #subscribe(id: unknown, name: string, type: string | undefined): void {
    const [channel = '', ...rest] = name.split('.');
    const refuse = (code: number, message: string) =>
      this.send({ id, method: 'subscribe', code, channel: name, message });
    const last = rest.at(-1) ?? '';
    const depth = channel === 'book' ? Number(last) : 0;
    const instrument = (channel === 'book' ? rest.slice(0, -1) : rest).join('.');
    if (this.#topics.has(name)) return;
    if (this.#topics.size >= MAX_CHANNELS) {
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
    const book = this.steppedBook(c, (t) => bookSides(c, this.world, t, depth));
    const topic: Topic = {
      ...{ name, channel, c, instrument, depth, changes, book },
      sentAt: Number.NEGATIVE_INFINITY,
    };
    this.#topics.set(name, topic);
    if (channel === 'book') {
      this.send({ id, method: 'subscribe', code: 0, channel: name });
      this.#sendWhole(topic);
    } else this.#publish(topic, id);
  }

  /** An index goes by its own name only, everything else by that of the contract. */
  #contract(channel: string, instrument: string): SimContract | undefined {
    const perps = tradable(this.world).filter((c) => channel === 'book' || c.kind === 'perp');
    return perps.find((c) => (channel === 'index' ? indexOf(c) : c.symbol) === instrument);
  }

  /** The first push of a channel carries the id of its request. */
  #publish(topic: Topic, id: unknown): void {
    const { channel, c } = topic;
    if (channel === 'book') {
      this.#sendBook(topic);
      return;
    }
    const [kind, everyMs] = VALUATIONS[channel] ?? ['', 1000];
    if (this.now - topic.sentAt < everyMs) return;
    const row =
      channel === 'ticker'
        ? { ...tickerRow(c, this.world, this.now), bs: '1', ks: '1' }
        : valuation(kind, c, this.world, this.now);
    topic.sentAt = this.now;
    this.#push(topic, channel, [row], id);
  }

  #sendWhole(topic: Topic): void {
    const { book } = topic;
    topic.sentAt = this.now;
    this.#push(topic, 'book', [{ ...book.sides, ...this.#stamps(book), cs: 0 }], -1);
  }

  #stamps({ at }: SteppedBook) {
    return { t: this.now, tt: at, u: numberOf(at) };
  }

  #sendBook(topic: Topic): void {
    const { book } = topic;
    const pu = numberOf(book.at);
    const changes = book.advance(this.now);
    if (!topic.changes) {
      this.#sendWhole(topic);
      return;
    }
    if (changes === undefined && this.now - topic.sentAt < IDLE_MS) return;
    topic.sentAt = this.now;
    // A book at rest is sent as an empty change with a number of its own.
    const asks = zeroed(changes?.asks ?? [], GONE);
    const bids = zeroed(changes?.bids ?? [], GONE);
    this.#push(topic, 'book.update', [{ update: { asks, bids }, ...this.#stamps(book), pu, cs: 0 }], -1);
  }

  #push({ c, instrument, name, depth }: Topic, channel: string, data: readonly unknown[], id: unknown): void {
    const head = { instrument_name: instrument, subscription: name, channel };
    const result = { ...head, ...(depth > 0 ? { depth } : {}), data };
    const about = { symbol: c.symbol, isSnapshot: channel === 'book' };
    this.send({ id, method: 'subscribe', code: 0, result }, depth > 0 ? about : undefined);
  }
}
