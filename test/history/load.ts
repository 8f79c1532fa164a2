import type { Sample, Settlement } from '../../src/history/sample.ts';
import {
  SAMPLE_COLUMNS,
  SampleEncoder,
  SETTLEMENT_COLUMNS,
  settlementLine,
} from '../../src/history/sample-rows.ts';
import type { HistoryStore, StoreResult } from '../../src/history/store.ts';
import type { Recorded, SimLog } from './sim-log.ts';

const ROWS_AT_ONCE = 20_000;

/** The value, or the fault as an exception. */
export function valueIn<T>(result: StoreResult<T>): T {
  if (!result.ok) throw new Error(`${result.fault.kind}: ${result.fault.message}`);
  return result.value;
}

async function insert(
  store: HistoryStore,
  table: string,
  columns: readonly string[],
  lines: readonly string[],
) {
  for (let at = 0; at < lines.length; at += ROWS_AT_ONCE) {
    valueIn(await store.insert({ table, columns, lines: lines.slice(at, at + ROWS_AT_ONCE) }));
  }
}

export async function loadSamples(store: HistoryStore, samples: readonly Recorded<Sample>[]): Promise<void> {
  const encoder = new SampleEncoder();
  const lines = samples.map(({ value, recordedAt }) => encoder.line(value, recordedAt));
  await insert(store, 'samples', SAMPLE_COLUMNS, lines);
}

export async function loadSettlements(
  store: HistoryStore,
  settlements: readonly Recorded<Settlement>[],
): Promise<void> {
  const lines = settlements.map(({ value, recordedAt }) => settlementLine(value, recordedAt));
  await insert(store, 'settlements', SETTLEMENT_COLUMNS, lines);
}

/** All of a log, in the order in which it was recorded. */
export async function loadLog(store: HistoryStore, log: SimLog): Promise<void> {
  const byTime = <T>(rows: readonly Recorded<T>[]) => [...rows].sort((a, b) => a.recordedAt - b.recordedAt);
  await loadSamples(store, byTime(log.samples));
  await loadSettlements(store, byTime(log.settlements));
}
