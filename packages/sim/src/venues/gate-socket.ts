import type { BookTag, Row } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookIdAt, bookRows, ofSettle } from './gate-rows.ts';
import { readAsk } from './read-ask.ts';
import { SocketSession } from './socket-session.ts';
import { type SideChanges, type SteppedBook, zeroed } from './stepped-book.ts';

/** A socket without subscriptions and messages is closed after this long. */
const IDLE_MS = 30_000;

interface Ask {
  /** Comes back with the answer. */
  readonly id?: unknown;
  readonly channel?: string;
  readonly event?: string;
  readonly payload?: readonly unknown[];
}

/** The form of a channel's book. */
interface Form {
  /** Levels a side. */
  readonly levels: number;
  /** The book at the beginning; undefined where REST gives it. */
  readonly first?: (topic: Topic) => object;
  readonly next: (topic: Topic, changes: SideChanges, before: number) => object;
  /** Every message is a snapshot. */
  readonly isWhole: boolean;
}

interface Topic {
  readonly channel: string;
  /** `ob.BTC_USDT.400`, or the contract. */
  readonly name: string;
  readonly c: SimContract;
  readonly book: SteppedBook;
  readonly form: Form;
}

const keyed = (rows: readonly Row[]) => rows.map(([p, s]) => ({ p, s: Number(s) }));

/** A side without changes is left out. */
const present = (name: string, rows: readonly Row[]) => (rows.length === 0 ? {} : { [name]: rows });

const fullObu = ({ name, book }: Topic): object => ({
  ...{ t: book.at, full: true, s: name, u: bookIdAt(book.at) },
  ...{ b: book.sides.bids, a: book.sides.asks },
});

const changedObu: Form['next'] = ({ name, book }, { bids, asks }, before) => ({
  ...{ t: book.at, s: name, U: before + 1, u: bookIdAt(book.at) },
  ...present('b', zeroed(bids)),
  ...present('a', zeroed(asks)),
});

const wholeBook = ({ c, book }: Topic): object => ({
  ...{ t: book.at, id: bookIdAt(book.at), contract: c.symbol },
  ...{ asks: keyed(book.sides.asks), bids: keyed(book.sides.bids) },
});

const changedBook =
  (level: string): Form['next'] =>
  ({ c, book }, { bids, asks }, before) => ({
    ...{ t: book.at, U: before + 1, u: bookIdAt(book.at), s: c.symbol },
    ...{ a: keyed(zeroed(asks)), b: keyed(zeroed(bids)), l: level },
  });

const OBU = /^ob\.(.+)\.(50|400)$/;

/** The contract and form that a subscription names; undefined where there is no such channel. */
function formOf(channel: string, payload: readonly unknown[]): readonly [string, Form] | undefined {
  const [first = '', second, third] = payload.map(String);
  const [, symbol = '', levels = '50'] = OBU.exec(first) ?? [];
  switch (channel) {
    case 'futures.obu':
      return [symbol, { levels: Number(levels), first: fullObu, next: changedObu, isWhole: false }];
    case 'futures.order_book_update': {
      const level = third ?? '20';
      return [first, { levels: Number(level), next: changedBook(level), isWhole: false }];
    }
    case 'futures.order_book': {
      const most = Number(second ?? 20);
      return [first, { levels: most, first: wholeBook, next: (topic) => wholeBook(topic), isWhole: true }];
    }
    default:
      return undefined;
  }
}

/** Gate's futures socket: books by change with and without a first whole one, and snapshots. */
export class GateSocket extends SocketSession {
  readonly #settle: string;
  readonly #topics = new Map<string, Topic>();
  /** Answers repeat these fields of the message that they are to. */
  #echo: { readonly id?: unknown } = {};
  #heardAt: number | undefined;

  constructor(connection: SimConnection, world: World) {
    super(connection, world);
    this.#settle = /\/v4\/ws\/(\w+)/.exec(connection.path)?.[1] ?? 'usdt';
  }

  onMessage(text: string): void {
    this.#heardAt = this.now;
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.#refuse('', '', [], 1, 'invalid argument');
      return;
    }
    const { channel = '', event = '', payload = [] } = ask;
    this.#echo = ask.id === undefined ? {} : { id: ask.id };
    if (channel === 'futures.ping') this.send({ channel: 'futures.pong', event: '', result: null });
    else if (event === 'subscribe') this.#subscribe(channel, payload);
    else if (event === 'unsubscribe') this.#unsubscribe(channel, payload);
    else this.#refuse(channel, event, payload, 2, 'unknown event');
  }

  onTick(now: number): void {
    this.now = now;
    this.#heardAt ??= now;
    for (const topic of this.#topics.values()) this.#publish(topic);
    if (this.#topics.size === 0 && now - this.#heardAt > IDLE_MS) this.connection.close(1000);
  }

  /**
   * An unknown channel is acknowledged all the same, and silent. One payload may name many streams of `obu`.
   */
  #subscribe(channel: string, payload: readonly unknown[]): void {
    const parts = channel === 'futures.obu' ? payload.map((name) => [name]) : [payload];
    const twice = parts.find(([name]) => this.#topics.has(`${channel} ${String(name)}`));
    if (twice !== undefined) {
      this.#refuse(channel, 'subscribe', payload, 2, `Alert sub ${String(twice[0])}`);
      return;
    }
    this.send({ ...this.#echo, channel, event: 'subscribe', payload, result: { status: 'success' } });
    for (const part of parts) this.#follow(channel, part);
  }

  #follow(channel: string, payload: readonly unknown[]): void {
    const found = formOf(channel, payload);
    if (found === undefined) return;
    const [symbol, form] = found;
    const c = ofSettle(this.world, this.#settle).find((one) => one.symbol === symbol);
    if (c?.status !== 'live') return;
    const book = this.steppedBook(c, (t) => bookRows(c, this.world, t, form.levels));
    const name = String(payload[0]);
    const topic: Topic = { channel, name, c, book, form };
    this.#topics.set(`${channel} ${name}`, topic);
    if (form.first !== undefined) this.#push(topic, form.first(topic), true);
  }

  #unsubscribe(channel: string, payload: readonly unknown[]): void {
    const names = channel === 'futures.obu' ? payload : payload.slice(0, 1);
    for (const name of names) this.#topics.delete(`${channel} ${String(name)}`);
    this.send({ ...this.#echo, channel, event: 'unsubscribe', payload, result: { status: 'success' } });
  }

  #publish(topic: Topic): void {
    const { book, form } = topic;
    const before = bookIdAt(book.at);
    const changes = book.advance(this.now);
    if (changes !== undefined) this.#push(topic, form.next(topic, changes, before), form.isWhole);
  }

  #push({ channel, c, form }: Topic, result: object, isSnapshot: boolean): void {
    this.send({ channel, event: form.isWhole ? 'all' : 'update', result }, { symbol: c.symbol, isSnapshot });
  }

  #refuse(channel: string, event: string, payload: readonly unknown[], code: number, message: string): void {
    this.send({
      ...this.#echo,
      channel,
      event,
      payload,
      error: { code, message },
      result: { status: 'fail' },
    });
  }

  protected override send(frame: object, about?: BookTag): void {
    const stamps = { time: Math.floor(this.now / 1000), time_ms: this.now };
    super.send({ ...stamps, ...frame }, about);
  }
}
