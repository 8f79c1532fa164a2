import { readNumber } from '../../domain/read.ts';
import type { Mean, Measure, SeriesBucket } from '../../domain/series.ts';
import { asRate, type UnixMs } from '../../domain/units.ts';
import { bucketsOfHours, type HourParts, hoursFromRollUps, hoursFromSamples } from '../hourly-sql.ts';
import type { Cells, Query } from '../store.ts';
import { bookCell, countCell, listingCells, timeCell } from './cells.ts';
import { paramsOf, type Scope, whereOf } from './scope.ts';

/** Where the hours of a window are read: roll-ups before `samplesFrom`, samples from there on. */
export interface HourSources {
  readonly samplesFrom: UnixMs;
}

/**
 * Buckets of a window by venue and contract, in that order. A bucket without a sample does not exist.
 *
 * @param stepMs a whole number of hours that divides a day
 */
export function bucketQuery(scope: Scope, parts: HourParts, stepMs: number, sources: HourSources): Query {
  const { from, to } = scope;
  const border = Math.min(Math.max(sources.samplesFrom, from), to);
  const halves = [
    ...(border > from ? [hoursFromRollUps(parts, whereOf(scope, '{from:UInt32}', '{border:UInt32}'))] : []),
    ...(border < to ? [hoursFromSamples(parts, whereOf(scope, '{border:UInt32}', '{to:UInt32}'))] : []),
  ];
  const params = { ...paramsOf(scope), border: Math.floor(border / 1000), step: stepMs / 1000 };
  return { sql: bucketsOfHours(parts, halves.join(' UNION ALL ')), params };
}

/** Cells before the means: contract, start, last time, three counts. */
const HEAD = 8;

/** A row of `bucketQuery`. */
export function readBucket(cells: Cells, parts: HourParts): SeriesBucket {
  const means: Partial<Record<Measure, Mean>> = {};
  for (const [at, measure] of parts.measures.entries()) {
    const mean = readNumber(cells[HEAD + at * 2 + 1]);
    if (mean !== undefined) means[measure] = { samples: countCell(cells[HEAD + at * 2]), mean };
  }
  const rest = cells.slice(HEAD + parts.measures.length * 2);
  const book = parts.book === true ? bookCell(rest[0]) : undefined;
  const last = parts.lastRate === true ? rest.at(-1) : undefined;
  const [rate, interval] = Array.isArray(last) ? last.map(readNumber) : [];
  return {
    ...listingCells(cells),
    start: timeCell(cells[3]),
    lastAt: timeCell(cells[4]),
    sampled: countCell(cells[5]),
    backfilled: countCell(cells[6]),
    backfilledHours: countCell(cells[7]),
    means,
    book,
    lastRate: rate === undefined ? undefined : asRate(rate),
    lastIntervalHours: interval,
  };
}
