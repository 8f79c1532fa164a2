import { asMs, type UnixMs } from '../domain/units.ts';
import type { Rows } from './store.ts';

/** Rows that belong together, with the span of time they are about. */
export interface Batch extends Rows {
  readonly from: UnixMs;
  readonly to: UnixMs;
  /** The assets concerned, where they are few. */
  readonly assets?: readonly string[];
  /**
   * Of rows that nobody offers again. `gap`: where they are lost, their span is without samples, and noted so. `wait`: few
   * notes, which wait beyond the limit. Without it, the caller or the venue repeats them.
   */
  readonly whenFull?: 'gap' | 'wait';
  /** True of a table from which no answer of the history is made. */
  readonly isAside?: true;
}

/** Batches of one table as one. */
export function joined(head: Batch, parts: readonly Batch[]): Batch {
  return {
    ...head,
    lines: parts.flatMap(({ lines }) => lines),
    from: asMs(Math.min(...parts.map(({ from }) => from))),
    to: asMs(Math.max(...parts.map(({ to }) => to))),
    ...(head.assets !== undefined && { assets: [...new Set(parts.flatMap(({ assets }) => assets ?? []))] }),
  };
}
