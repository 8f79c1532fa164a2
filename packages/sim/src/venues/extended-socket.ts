import type { Sides } from '../book-distortion.ts';
import { decimal } from '../decimal.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { decimalSides } from './sides.ts';
import type { RowChange, SideChanges } from './stepped-book.ts';

const PATH = /\/stream\.extended\.exchange\/v1\/orderbooks(?:\/([^/?]+))?(\?depth=1)?$/;
/** Every book is sent again after this long. */
const SNAPSHOT_MS = 60_000;
/** Levels of the snapshot, a side: REST has as many. */
const LEVELS = 50;

/** The contracts that trade. */
export type ListContracts = () => readonly SimContract[];

interface Shown {
  wholeAt: number;
  /** The book before the latest step. */
  sides: Sides;
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
export class ExtendedSocket extends BookSession<Shown> {
  readonly #contracts: readonly SimContract[];
  readonly #isTouch: boolean;
  #isOpen = false;
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

  protected override tick(): void {
    if (!this.#isOpen) this.#open();
    this.#isOpen = true;
    super.tick();
  }

  #open(): void {
    const levels = this.#isTouch ? 1 : LEVELS;
    const none = { bids: [], asks: [] };
    const begun = this.#contracts.map((c) =>
      this.follow(c.symbol, c, levels, { wholeAt: this.now, sides: none }, this.#isTouch),
    );
    for (const followed of begun) this.sendWhole(followed);
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookSides(c, this.world, t, levels);
  }

  protected override publish(followed: FollowedBook<Shown>): void {
    const { book, more } = followed;
    more.sides = book.sides;
    super.publish(followed);
    if (this.#isTouch || this.now - more.wholeAt < SNAPSHOT_MS) return;
    more.wholeAt = this.now;
    this.sendWhole(followed);
  }

  protected override sendChanges(followed: FollowedBook<Shown>, { bids, asks }: SideChanges): void {
    const { sides } = followed.more;
    this.#pushRows(followed, 'DELTA', { b: changed(bids, sides.bids), a: changed(asks, sides.asks) });
  }

  protected sendBook(followed: FollowedBook<Shown>, { bids, asks }: Sides): void {
    const side = (rows: Sides['bids']) => rows.map(([p, q]) => ({ q, p }));
    this.#pushRows(followed, 'SNAPSHOT', { b: side(bids), a: side(asks) });
  }

  #pushRows(followed: FollowedBook<Shown>, type: 'SNAPSHOT' | 'DELTA', sides: object): void {
    this.#seq++;
    const data = { t: type, m: followed.c.symbol, ...sides, d: this.#isTouch ? '1' : 'f' };
    this.push(followed, { type, data, ts: followed.book.at, seq: this.#seq }, type === 'SNAPSHOT');
  }
}
