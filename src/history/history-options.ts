import type { CollectLogger } from '../collect/logger.ts';
import type { HealthBoard } from '../collect/ports.ts';
import type { Clock } from '../domain/clock.ts';
import type { Lease } from '../domain/lease.ts';
import type { VenueId } from '../domain/venue.ts';
import type { MarketRow } from '../market/view.ts';
import type { Timer } from '../runtime/timer.ts';
import type { RecordsOf } from './contract-at.ts';
import type { ContractFee } from './fee-watch.ts';
import type { OpenReading } from './reading.ts';
import type { Retention } from './retention.ts';
import type { SampledBook } from './sample.ts';
import type { HistoryStore } from './store.ts';

export interface HistoryOptions {
  readonly store: HistoryStore;
  readonly rows: () => Iterable<MarketRow>;
  readonly health: HealthBoard;
  /** Identity ranges of a contract. */
  readonly recordsOf: RecordsOf;
  readonly book?: (venue: VenueId, symbol: string) => SampledBook | undefined;
  /** Taker fees of the contracts, where they are published. */
  readonly fees?: () => Iterable<ContractFee>;
  readonly clock: Clock;
  readonly timer?: Timer;
  readonly logger: CollectLogger;
  readonly retention: Retention;
  /** Knows how stored values are read; without it they are read as they were written. */
  readonly reading?: OpenReading | undefined;
  /**
   * True if this process keeps the history; otherwise it only reads the one that another keeps. Default true.
   */
  readonly records?: boolean;
  /**
   * Where several processes could keep it, the holder of this lease does; the others stand by. Without it this
   * one does.
   */
  readonly lease?: Lease | undefined;
  /** True while samples are taken at a longer step, because the machine is too slow. */
  readonly isShed?: () => boolean;
  /** Rows that may wait in memory; default ten minutes of nine thousand. */
  readonly maxWaitingRows?: number;
}
