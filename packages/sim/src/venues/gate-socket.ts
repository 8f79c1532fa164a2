import type { BookTag, Row, Sides } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { bookIdAt, bookRows, ofSettle } from './gate-rows.ts';
import { readAsk } from './read-ask.ts';

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
  /** A book or, where the number of the one before is given, a change. */
  readonly result: (topic: Followed, sides: Sides, before: number | undefined) => object;
  /** Every message is a snapshot. */
  readonly isWhole: boolean;
  /** REST gives the book at the beginning. */
  readonly beginsEmpty?: true;
}

interface Topic {
  readonly channel: string;
  /** `ob.BTC_USDT.400`, or the contract. */
  readonly stream: string;
  readonly form: Form;
}

type Followed = FollowedBook<Topic>;

const keyed = (rows: readonly Row[]) => rows.map(([p, s]) => ({ p, s: Number(s) }));

/** A side without changes is left out. */
const present = (name: string, rows: readonly Row[]) => (rows.length === 0 ? {} : { [name]: rows });

const obu: Form['result'] = ({ book, more }, { bids, asks }, before) =>
  before === undefined
    ? { t: book.at, full: true, s: more.stream, u: bookIdAt(book.at), b: bids, a: asks }
    : {
        t: book.at,
        s: more.stream,
        U: before + 1,
        u: bookIdAt(book.at),
        ...present('b', bids),
        ...present('a', asks),
      };

const wholeBook: Form['result'] = ({ c, book }, { bids, asks }) => ({
  t: book.at,
  id: bookIdAt(book.at),
  contract: c.symbol,
  asks: keyed(asks),
  bids: keyed(bids),
});

const changedBook =
  (level: string): Form['result'] =>
  ({ c, book }, { bids, asks }, before = 0) => ({
    t: book.at,
    U: before + 1,
    u: bookIdAt(book.at),
    s: c.symbol,
    a: keyed(asks),
    b: keyed(bids),
    l: level,
  });

const OBU = /^ob\.(.+)\.(50|400)$/;

/** The contract and form that a subscription names; undefined where there is no such channel. */
function formOf(channel: string, payload: readonly unknown[]): readonly [string, Form] | undefined {
  const [first = '', second, third] = payload.map(String);
  const [, symbol = '', levels = '50'] = OBU.exec(first) ?? [];
  switch (channel) {
    case 'futures.obu':
      return [symbol, { levels: Number(levels), result: obu, isWhole: false }];
    case 'futures.order_book_update': {
      const level = third ?? '20';
      return [
        first,
        { levels: Number(level), result: changedBook(level), isWhole: false, beginsEmpty: true },
      ];
    }
    case 'futures.order_book': {
      return [first, { levels: Number(second ?? 20), result: wholeBook, isWhole: true }];
    }
    default:
      return undefined;
  }
}

/** Gate's futures socket: books by change with and without a first whole one, and snapshots. */
export class GateSocket extends BookSession<Topic> {
  readonly #settle: string;
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

  protected override tick(): void {
    this.#heardAt ??= this.now;
    super.tick();
    if (this.books.size === 0 && this.now - this.#heardAt > IDLE_MS) this.connection.close(1000);
  }

  /**
   * An unknown channel is acknowledged all the same, and silent. One payload may name many streams of `obu`.
   */
  #subscribe(channel: string, payload: readonly unknown[]): void {
    const parts = channel === 'futures.obu' ? payload.map((name) => [name]) : [payload];
    const twice = parts.find(([name]) => this.books.has(`${channel} ${String(name)}`));
    if (twice !== undefined) {
      this.#refuse(channel, 'subscribe', payload, 2, `Alert sub ${String(twice[0])}`);
      return;
    }
    this.send({ ...this.#echo, channel, event: 'subscribe', payload, result: { status: 'success' } });
    for (const part of parts) this.#followPart(channel, part);
  }

  #followPart(channel: string, payload: readonly unknown[]): void {
    const found = formOf(channel, payload);
    if (found === undefined) return;
    const [symbol, form] = found;
    const c = ofSettle(this.world, this.#settle).find((contract) => contract.symbol === symbol);
    if (c?.status !== 'live') return;
    const stream = String(payload[0]);
    const followed = this.follow(
      `${channel} ${stream}`,
      c,
      form.levels,
      { channel, stream, form },
      form.isWhole,
    );
    if (!form.beginsEmpty) this.sendWhole(followed);
  }

  #unsubscribe(channel: string, payload: readonly unknown[]): void {
    const names = channel === 'futures.obu' ? payload : payload.slice(0, 1);
    for (const name of names) this.books.delete(`${channel} ${String(name)}`);
    this.send({ ...this.#echo, channel, event: 'unsubscribe', payload, result: { status: 'success' } });
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookRows(c, this.world, t, levels);
  }

  protected sendBook(followed: Followed, sides: Sides, before?: number): void {
    const { channel, form } = followed.more;
    const result = form.result(followed, sides, before === undefined ? undefined : bookIdAt(before));
    this.push(followed, { channel, event: form.isWhole ? 'all' : 'update', result }, before === undefined);
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
