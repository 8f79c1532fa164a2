import type { UnixMs } from '../../../domain/units.ts';
import type { MarketRow } from '../../../market/view.ts';
import type { Reading } from './compare-readings.ts';
import { COMPARED_FIELDS, type ComparedField } from './field-rules.ts';

type Shown = readonly [
  value: (row: MarketRow) => number | undefined,
  at: (row: MarketRow) => UnixMs | undefined,
];

const mark = (row: MarketRow): UnixMs => row.updatedAt;
const rateTime = (row: MarketRow): UnixMs => row.fundingUpdatedAt ?? row.updatedAt;

/** Amounts count base units, whichever of base and quote the venue states. */
const SHOWN: Readonly<Record<ComparedField, Shown>> = {
  funding_rate: [(row) => row.fundingRate, rateTime],
  funding_interval_hours: [(row) => row.fundingIntervalHours, rateTime],
  next_funding_time: [(row) => row.nextFundingTime, rateTime],
  mark_price: [(row) => row.markPrice, mark],
  index_price: [(row) => row.indexPrice, mark],
  open_interest: [(row) => row.openInterestBase, (row) => row.openInterestUpdatedAt],
  volume_24h: [(row) => row.volume24hBase, (row) => row.volumeUpdatedAt],
};

/** The value that a row shows of a field, with its time; undefined where it is unknown. */
export function shownReading(row: MarketRow, field: ComparedField): Reading | undefined {
  const [valueIn, timeIn] = SHOWN[field];
  const value = valueIn(row);
  const at = timeIn(row);
  return value === undefined || at === undefined ? undefined : { value, at };
}

export type Readings = Partial<Record<ComparedField, Reading>>;

/** All that a row shows. */
export function shownReadings(row: MarketRow): Readings {
  const readings: Readings = {};
  for (const field of COMPARED_FIELDS) {
    const reading = shownReading(row, field);
    if (reading !== undefined) readings[field] = reading;
  }
  return readings;
}
