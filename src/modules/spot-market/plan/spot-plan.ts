import type { VenueId } from '../../../domain/venue.ts';
import type { Budget } from '../../../venues/adapter.ts';
import type { SpotMarket } from '../../spot/spot-rows.ts';

/** A call of a venue's spot side that is made again and again. */
export interface PlannedCall {
  /** Path with its query, as the venue documents it: it names the call that reads the answer. */
  readonly path: string;
  /** Sent by POST where it is there. */
  readonly body?: string;
  /** Weight in the unit of the venue's limit; default 1. */
  readonly weight?: number;
  /** Pool of the perpetuals' budget, where it is not the one of the plan. */
  readonly pool?: string;
}

/** A host that the venue's perpetuals are not read from, with its limit. */
export interface OwnHost {
  readonly address: string;
  readonly budget: Budget;
}

/** The source of a venue's borrow rates. */
export interface BorrowPlan {
  /** States every coin that the venue lends, with its rate unless `ofCoin` has it: a coin that it leaves out is not lent. */
  readonly list: PlannedCall;
  /** The rate of one coin, of venues that state one a call. */
  readonly ofCoin?: (asset: string) => PlannedCall;
}

/** A call by its path. */
export const callName = ({ path }: PlannedCall): string => path.split('?', 1)[0] ?? path;

/** The call of the book of one market. */
export interface BookPlan {
  readonly of: (market: Pick<SpotMarket, 'symbol' | 'altId'>) => PlannedCall;
  /** Levels, or single orders, a side that its answer has at most. */
  readonly levels: number;
}

/** The calls that a venue's spot side is read by. */
export interface SpotPlan {
  readonly venue: VenueId;
  /** Name of the base of the perpetuals that spot is read from, within its budget; or a host of its own. */
  readonly host: string | OwnHost;
  /** Pool of the perpetuals' budget; its first where absent. */
  readonly pool?: string;
  /** Absent where the call of tickers states the list, too. */
  readonly list?: PlannedCall;
  readonly tickers: PlannedCall;
  /** Absent where the venue publishes no borrow rate. */
  readonly borrow?: BorrowPlan;
  readonly book: BookPlan;
}
