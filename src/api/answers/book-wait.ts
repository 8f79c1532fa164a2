import { BOOK_FETCH_MS } from '../../market/books/book-asks.ts';
import type { BookView } from '../../market/books/book-view.ts';
import type { BookName, Plan } from '../../products/define-product.ts';
import { sleep, type Timer } from '../../runtime/timer.ts';

/** Time between two looks at whether books have come. */
const LOOK_MS = 50;
/** Bounds a wait also where the clock stands still. */
const MOST_LOOKS = BOOK_FETCH_MS / LOOK_MS;

export interface BookWaitParts {
  readonly books: Pick<BookView, 'isPending'>;
  readonly timer: Timer;
}

/**
 * Waits for the books that an answer rests on and that were first asked for just now, by this request or another one:
 * at most two seconds from when they were asked for. Books that did not come within that time are waited for no more.
 *
 * @param signal makes the signal that cuts the wait; called only where there is something to wait for
 * @returns undefined where nothing is pending; else a promise of whether the wait was cut
 */
export function waitForBooks(
  plan: Plan,
  { books, timer }: BookWaitParts,
  signal: () => AbortSignal,
): Promise<boolean> | undefined {
  let pending = pendingOf(plan.books?.() ?? [], books);
  if (pending.length === 0) return undefined;
  const cut = signal();
  const wait = async (): Promise<boolean> => {
    for (let look = 0; look < MOST_LOOKS && pending.length > 0 && !cut.aborted; look++) {
      await sleep(timer, LOOK_MS, cut);
      pending = pendingOf(pending, books);
    }
    return cut.aborted;
  };
  return wait();
}

/** Tells the collector that these books are wanted; it may have fetched them by the time that the answer is made. */
export function askForBooks(plan: Plan, books: Pick<BookView, 'isPending'>): void {
  pendingOf(plan.books?.() ?? [], books);
}

/** A look is an ask: every book is looked at. */
function pendingOf(names: readonly BookName[], books: Pick<BookView, 'isPending'>): readonly BookName[] {
  return names.filter(({ venue, symbol, usd, of = books }) => of.isPending(venue, symbol, usd));
}
