import type { BookTag, Sides } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { decimalSides } from './sides.ts';
import { SocketSession } from './socket-session.ts';
import type { RowChange, SteppedBook } from './stepped-book.ts';

const PATH = /\/stream\.extended\.exchange\/v1\/orderbooks(?:\/([^/?]+))?(\?depth=1)?$/;
/** Every book is sent again after this long. */
const SNAPSHOT_MS = 60_000;
/** Levels of the snapshot, a side: REST has as many. */
const LEVELS = 50;

/** The contracts that trade. */
export type ListContracts = () => readonly SimContract[];

interface Followed {
  readonly c: SimContract;
  readonly book: SteppedBook;
  wholeAt: number;
}

/** Levels `[price, base units]` of the book, best first. */
export function bookSides(c: SimContract, world: World, t: number, depth = LEVELS): Sides {
  return decimalSides(c, world, t, depth);
}

/** A change states by how much the size changed, and the size that it came to. */
function changed(changes: readonly RowChange[], before: Sides['bids']) {
  const was = new Map(before.map(([price, size]) => [price, Number(size)]));
  return changes.map(({ kind, row: [price, size] }) => {
    const now = kind === 'delete' ? 0 : Number(size);
    const by = now - (was.get(price ?? '') ?? 0);
    return { q: (by < 0 ? '-' : '') + decimal(Math.abs(by)), p: price, c: decimal(now) };
  });
}

/**
 * Extended's book streams: a snapshot first and once a minute, changes between, numbered over the connection. One
 * stream a path: the books of all markets, or of the one that the path names. Client frames say nothing.
 */
export class ExtendedSocket extends SocketSession {
  readonly #contracts: readonly SimContract[];
  readonly #isTouch: boolean;
  #books: readonly Followed[] | undefined;
  /** Counts the frames of the connection. */
  #seq = 0;

  constructor(connection: SimConnection, world: World, list: ListContracts) {
    super(connection, world);
    const found = PATH.exec(connection.path);
    const name = found?.[1];
    const all = found === null ? [] : list();
    this.#contracts = name === undefined ? all : all.filter((c) => c.symbol === decodeURIComponent(name));
    this.#isTouch = found?.[2] !== undefined;
    if (this.#contracts.length === 0) connection.close(1008);
  }

  onMessage(): void {}

  protected tick(): void {
    if (this.#books === undefined) {
      this.#books = this.#contracts.map((c) => this.#follow(c));
      for (const followed of this.#books) this.#sendWhole(followed);
    }
    for (const followed of this.#books) this.#publish(followed);
  }

  #follow(c: SimContract): Followed {
    const depth = this.#isTouch ? 1 : LEVELS;
    const book = this.steppedBook(c, (t) => bookSides(c, this.world, t, depth));
    return { c, book, wholeAt: this.now };
  }

  #publish(followed: Followed): void {
    const { book } = followed;
    const before = book.sides;
    const changes = book.advance(this.now);
    if (changes !== undefined && !this.#isTouch) {
      const b = changed(changes.bids, before.bids);
      const a = changed(changes.asks, before.asks);
      this.#push(followed, 'DELTA', { b, a });
    }
    const isDue = this.#isTouch ? changes !== undefined : this.now - followed.wholeAt >= SNAPSHOT_MS;
    if (isDue) this.#sendWhole(followed);
  }

  #sendWhole(followed: Followed): void {
    followed.wholeAt = this.now;
    const { bids, asks } = followed.book.sides;
    const side = (rows: Sides['bids']) => rows.map(([p, q]) => ({ q, p }));
    this.#push(followed, 'SNAPSHOT', { b: side(bids), a: side(asks) });
  }

  #push({ c, book }: Followed, type: 'SNAPSHOT' | 'DELTA', sides: object): void {
    this.#seq++;
    const data = { t: type, m: c.symbol, ...sides, d: this.#isTouch ? '1' : 'f' };
    const tag: BookTag = { symbol: c.symbol, isSnapshot: type === 'SNAPSHOT' };
    this.send({ type, data, ts: book.at, seq: this.#seq }, tag);
  }
}
