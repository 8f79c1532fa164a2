import { crc32 } from 'node:zlib';
import type { Sides } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookRows, listing, productOf, seqAt } from './bitget-rows.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { ClientPings } from './pings.ts';
import { readAsk } from './read-ask.ts';

/** A socket without a client ping for this long is closed, even while data flows. */
const PING_MS = 120_000;
/** Levels that a checksum is taken over. */
const CHECKED = 25;

/** Levels of a channel; all but `books` are sent whole each time. */
const LEVELS: Readonly<Record<string, number>> = {
  books: 400,
  books1: 1,
  books5: 5,
  books15: 15,
  books50: 50,
};

/** v2 names `channel` and `instId`, v3 `topic` and `symbol`. */
interface Argument {
  readonly instType?: string;
  readonly channel?: string;
  readonly instId?: string;
  readonly topic?: string;
  readonly symbol?: string;
}

interface Ask {
  readonly op?: string;
  readonly args?: readonly Argument[];
}

const channelOf = ({ channel, topic }: Argument): string => channel ?? topic ?? '';
const symbolOf = ({ instId, symbol }: Argument): string => instId ?? symbol ?? '';
const keyOf = (arg: Argument): string => `${channelOf(arg)} ${symbolOf(arg)}`;

/** CRC-32, signed, over the best levels of both sides in turn, joined with colons. */
function checksumOf({ bids, asks }: Sides): number {
  const parts: (string | number)[] = [];
  for (let rank = 0; rank < CHECKED; rank++) parts.push(...(bids[rank] ?? []), ...(asks[rank] ?? []));
  return crc32(parts.join(':')) | 0;
}

/** Bitget's public sockets: books with checksums at `/v2`, books by number at `/v3`. */
export class BitgetSocket extends BookSession<Argument> {
  readonly #isUnified: boolean;
  readonly #pings = new ClientPings(PING_MS);

  constructor(connection: SimConnection, world: World) {
    super(connection, world);
    this.#isUnified = connection.path.includes('/v3/');
  }

  onMessage(text: string): void {
    if (text === 'ping') {
      this.#pings.heard(this.now);
      this.connection.send('pong');
      return;
    }
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.send({ event: 'error', code: 30003, msg: 'Illegal request' });
      return;
    }
    const { op, args = [] } = ask;
    if (op === 'subscribe') for (const arg of args) this.#subscribe(arg);
    else if (op === 'unsubscribe') for (const arg of args) this.#unsubscribe(arg);
    else this.send({ event: 'error', code: 30002, msg: 'Unrecognized request', op });
  }

  protected override tick(): void {
    if (this.#pings.isOver(this.now)) this.connection.close(1000);
    else super.tick();
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookRows(c, this.world, t, levels);
  }

  protected sendBook(followed: FollowedBook<Argument>, sides: Sides, before?: number): void {
    const row = this.#isUnified ? unified(followed, sides, before) : classic(followed, sides, before);
    const action = before === undefined ? 'snapshot' : 'update';
    this.push(followed, { action, arg: followed.more, data: [row], ts: this.now }, before === undefined);
  }

  #subscribe(arg: Argument): void {
    const levels = LEVELS[channelOf(arg)];
    const product = arg.instType?.toUpperCase();
    const c = this.world
      .contracts(listing)
      .find(
        (contract) =>
          contract.symbol === symbolOf(arg) && productOf(contract) === product && contract.status === 'live',
      );
    if (levels === undefined || c === undefined) {
      const msg = `${Object.values(arg).join(',')} doesn't exist`;
      this.send({ event: 'error', arg, code: 30001, msg, op: 'subscribe' });
      return;
    }
    this.send({ event: 'subscribe', arg });
    this.sendWhole(this.follow(keyOf(arg), c, levels, arg, channelOf(arg) !== 'books'));
  }

  #unsubscribe(arg: Argument): void {
    this.books.delete(keyOf(arg));
    this.send({ event: 'unsubscribe', arg });
  }
}

/** A snapshot follows none. */
function unified(
  { book }: FollowedBook<Argument>,
  { asks, bids }: Sides,
  before: number | undefined,
): object {
  const pseq = before === undefined ? 0 : seqAt(before);
  return { a: asks, b: bids, seq: seqAt(book.at), pseq, ts: String(book.at), maxdepth: '1000' };
}

/** A snapshot has no checksum. */
function classic(
  { book }: FollowedBook<Argument>,
  { asks, bids }: Sides,
  before: number | undefined,
): object {
  const checksum = before === undefined ? 0 : checksumOf(book.sides);
  return { asks, bids, checksum, seq: seqAt(book.at), ts: String(book.at) };
}
