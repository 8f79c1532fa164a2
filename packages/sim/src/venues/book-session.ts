import type { Row, Sides } from '../book-distortion.ts';
import type { SimContract } from '../world.ts';
import { SocketSession } from './socket-session.ts';
import { type SideChanges, type SteppedBook, zeroed } from './stepped-book.ts';

/** A book that a client follows. */
export interface FollowedBook<More = undefined> {
  /** As the subscription names it. */
  readonly name: string;
  readonly c: SimContract;
  readonly book: SteppedBook;
  /** Every message is all of the book. */
  readonly isWhole: boolean;
  /** Further facts of the subscription that the venue's messages state. */
  readonly more: More;
  /** Time of the last message. */
  sentAt: number;
}

const NO_CHANGES: SideChanges = { bids: [], asks: [] };

/**
 * The books of a simulated socket: followed by name, sent whole, moved on with each tick and sent by change. A venue
 * states its levels (`sidesAt`) and its messages (`sendBook`) with their numbers and checksums.
 */
export abstract class BookSession<More = undefined> extends SocketSession {
  protected readonly books = new Map<string, FollowedBook<More>>();
  /** The end of a row whose level is gone, behind its price. */
  protected readonly gone: Row = ['0'];
  /** A book at rest is sent again after this long, without a change or whole. */
  protected readonly restMs: number = Number.POSITIVE_INFINITY;

  protected tick(): void {
    for (const followed of this.books.values()) this.publish(followed);
  }

  /** The venue's levels of a book, best first. */
  protected abstract sidesAt(c: SimContract, t: number, levels: number, more: More): Sides;

  /**
   * Sends a message of a book.
   * @param sides the levels of a snapshot, or those that changed
   * @param before time of the book that a change follows; undefined for a snapshot
   */
  protected abstract sendBook(followed: FollowedBook<More>, sides: Sides, before: number | undefined): void;

  /** Follows a book from now on. Nothing is sent yet. */
  protected follow(
    name: string,
    c: SimContract,
    levels: number,
    more: More,
    isWhole = false,
  ): FollowedBook<More> {
    const book = this.steppedBook(c, (t) => this.sidesAt(c, t, levels, more));
    const followed: FollowedBook<More> = { name, c, book, isWhole, more, sentAt: this.now };
    this.books.set(name, followed);
    return followed;
  }

  protected sendWhole(followed: FollowedBook<More>): void {
    followed.sentAt = this.now;
    this.sendBook(followed, followed.book.sides, undefined);
  }

  /** Sends a change. A venue whose messages state more of a level than its size overrides this. */
  protected sendChanges(followed: FollowedBook<More>, { bids, asks }: SideChanges, before: number): void {
    this.sendBook(followed, { bids: zeroed(bids, this.gone), asks: zeroed(asks, this.gone) }, before);
  }

  /** Moves a book on to a time, the present by default, and sends the message that is due. */
  protected publish(followed: FollowedBook<More>, t = this.now): void {
    const { book, isWhole } = followed;
    const before = book.at;
    const changes = book.advance(t);
    if (changes === undefined && this.now - followed.sentAt < this.restMs) return;
    followed.sentAt = this.now;
    if (isWhole) this.sendWhole(followed);
    else this.sendChanges(followed, changes ?? NO_CHANGES, before);
  }

  /** Sends a frame that is a message of a book. */
  protected push({ c }: FollowedBook<More>, frame: unknown, isSnapshot: boolean): void {
    this.send(frame, { symbol: c.symbol, isSnapshot });
  }
}
