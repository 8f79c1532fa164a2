import type { Route } from '../../api/route.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Ports } from '../../products/define-product.ts';
import type { WatchListener } from './watch-listener.ts';
import type { WatchRecord } from './watch-record.ts';
import type { WatchStore } from './watch-store.ts';

export interface WatchEngineOptions {
  readonly store: WatchStore;
  readonly ports: Ports;
  readonly routes: readonly Route[];
  /** The time by which watches are held and judged, of the server where hosts share one; that of the data is the clock of the ports. */
  readonly clock: Clock;
  /** Name of this process. */
  readonly owner: string;
  readonly listener: WatchListener;
  /** Watches that are written at once, two or more. */
  readonly part?: number | undefined;
  /** The time that bounds the looks of a turn, ms from any beginning; left out: that of the process. */
  readonly stopwatch?: (() => number) | undefined;
  /** Signs the statement of a watch that has ended; undefined where no key signs. */
  readonly statementOf: (record: WatchRecord) => string | undefined;
  /** Takes a fault that harms no watch for good: the look is made again. */
  readonly onError: (cause: unknown) => void;
}

/** Since start. */
export interface EngineCounts {
  readonly looks: number;
  readonly firings: number;
  /** Turns that had more to look at than fits into one. */
  readonly crowded: number;
  /** Looks and writes that failed, and are made again. */
  readonly failures: number;
}
