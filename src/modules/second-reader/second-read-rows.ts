import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { Batch } from '../../history/batch.ts';
import { textCell } from '../../history/cell.ts';
import { recordedCell } from '../../history/sample-rows.ts';

/** One field of one contract as it was shown, and as another way had it. */
export interface SecondRead {
  readonly at: UnixMs;
  readonly venue: VenueId;
  readonly symbol: string;
  readonly field: string;
  /** Name of the call that was asked the second time. */
  readonly way: string;
  readonly shown: { readonly value: number; readonly at: UnixMs };
  readonly second: { readonly value: number; readonly at: UnixMs };
  readonly difference: number;
  readonly tolerance: number;
  readonly agrees: boolean;
}

const COLUMNS =
  'venue symbol field way ts shown second shown_at second_at difference tolerance agrees recorded_at';

const SECOND_READS_TABLE = 'second_reads';

/** Comparisons as rows to write, in the order of their times. */
export function secondReadBatch(reads: readonly SecondRead[], recordedAt: UnixMs): Batch | undefined {
  const first = reads[0];
  const last = reads.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const lines = reads.map((read) =>
    [
      ...[read.venue, read.symbol, read.field, read.way].map(textCell),
      recordedCell(read.at),
      read.shown.value,
      read.second.value,
      ...[read.shown.at, read.second.at].map(recordedCell),
      read.difference,
      read.tolerance,
      read.agrees ? 1 : 0,
      recordedCell(recordedAt),
    ].join('\t'),
  );
  return { table: SECOND_READS_TABLE, columns: COLUMNS.split(' '), lines, from: first.at, to: last.at };
}
