import type { VenueId } from '../../domain/venue.ts';
import type { Port } from '../../runtime/port.ts';
import type { SpotDecoded } from '../spot/spot-rows.ts';
import type { SpotBookView } from './books/spot-book-view.ts';
import type { BorrowView } from './borrow/borrow-table.ts';
import type { SpotView } from './market/spot-table.ts';
import type { PlannedCall } from './plan/spot-plan.ts';

/** The spot side of the venues as this process reads it. */
export interface SpotSide {
  readonly spot: SpotView;
  readonly borrow: BorrowView;
  /** Books of spot markets; reading one makes it be fetched. */
  readonly books: SpotBookView;
  /**
   * Asks a venue a further call, within its budget and after all that is collected, and reads the answer. Never rejects: undefined
   * where nothing came, the venue has no spot side here, or the process is to do less.
   */
  readonly read: (venue: VenueId, call: PlannedCall, signal: AbortSignal) => Promise<SpotDecoded | undefined>;
}

/** Undefined where the process does not collect. */
export const SPOT_SIDE: Port<SpotSide | undefined> = { name: 'spot side', absent: undefined };
