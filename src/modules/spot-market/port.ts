import type { Port } from '../../runtime/port.ts';
import type { SpotBookView } from './books/spot-book-view.ts';
import type { BorrowView } from './borrow/borrow-table.ts';
import type { SpotView } from './market/spot-table.ts';

/** The spot side of the venues as this process reads it. */
export interface SpotSide {
  readonly spot: SpotView;
  readonly borrow: BorrowView;
  /** Books of spot markets; reading one makes it be fetched. */
  readonly books: SpotBookView;
}

/** Undefined where the process does not collect. */
export const SPOT_SIDE: Port<SpotSide | undefined> = { name: 'spot side', absent: undefined };
