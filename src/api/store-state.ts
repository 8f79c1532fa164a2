import type { History, HistoryPart } from '../history/history.ts';
import type { StoreEngine } from '../history/store.ts';
import type { WriteMode } from '../history/write-queue.ts';

/** State of the history store, where there is one. */
export interface StoreState {
  /** This process's part in the history. */
  readonly part: HistoryPart;
  readonly engine: StoreEngine;
  readonly ok: boolean;
  /** Age of the newest stored sample, seconds; undefined before the first. */
  readonly lagSeconds: number | undefined;
  readonly mode: WriteMode;
  /** The reason for which it is not writing. */
  readonly reason: string | undefined;
  /** Rows that wait in memory to be written. */
  readonly waitingRows: number;
  /** Rows that were not stored since start: the spans are noted as gaps. */
  readonly lostRows: number;
}

/** The published state of the history. */
export function storeState(history: History): StoreState {
  const { part, engine, ok, lagSeconds, write } = history.state();
  return {
    part,
    engine,
    ok,
    lagSeconds,
    mode: write.mode,
    reason: write.reason,
    waitingRows: write.queuedRows,
    lostRows: write.lostRows,
  };
}
