import { asMs, type UnixMs } from '../domain/units.ts';
import type { Batch } from './batch.ts';
import type { Sample, Settlement } from './sample.ts';
import { SAMPLE_COLUMNS, SampleEncoder, SETTLEMENT_COLUMNS, settlementLine } from './sample-rows.ts';

/** Samples of whichever times, as they are back-filled, as rows to write. */
export function sampleBatch(samples: readonly Sample[], recordedAt: UnixMs): Batch {
  const encoder = new SampleEncoder();
  return {
    table: 'samples',
    columns: SAMPLE_COLUMNS,
    lines: samples.map((sample) => encoder.line(sample, recordedAt)),
    assets: [...new Set(samples.map(({ canonicalId }) => canonicalId))],
    ...spanOf(samples),
  };
}

/** Funding payments as rows to write. */
export function settlementBatch(settlements: readonly Settlement[], recordedAt: UnixMs): Batch {
  const lines = settlements.map((settlement) => settlementLine(settlement, recordedAt));
  return { table: 'settlements', columns: SETTLEMENT_COLUMNS, lines, ...spanOf(settlements) };
}

function spanOf(values: readonly { readonly at: UnixMs }[]): { from: UnixMs; to: UnixMs } {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const { at } of values) {
    from = Math.min(from, at);
    to = Math.max(to, at);
  }
  return { from: asMs(from), to: asMs(to) };
}
