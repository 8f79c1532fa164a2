import { readNumber, readText } from '../../domain/read.ts';
import type { Mean, Measure, SeriesBucket } from '../../domain/series.ts';
import { asRate, type UnixMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { buckets, type HourParts, type ReadParts, rolledHours, sampledHours } from '../hourly-sql.ts';
import type { Cells, Query } from '../store.ts';
import { bookCell, countCell, timeCell } from './cells.ts';
import { paramsOf, type Scope, seconds, whereOf } from './scope.ts';

/** The hours of a window are read from roll-ups before `samplesFrom`, and from samples from there on. */
export interface HourSources {
  readonly samplesFrom: UnixMs;
}

export interface BucketQuery extends Query {
  /** Its rows are revisions, of which `latestHours` finds those that stand. */
  readonly revisions: boolean;
}

/**
 * Buckets of a window by venue and contract, in that order. A bucket without a sample does not exist.
 *
 * @param stepMs a whole number of hours that divides a day
 */
export function bucketQuery(
  scope: Scope,
  parts: ReadParts,
  stepMs: number,
  sources: HourSources,
): BucketQuery {
  const { from, to } = scope;
  const border = Math.min(Math.max(sources.samplesFrom, from), to);
  const rolled = border > from ? whereOf(scope, '{from:UInt32}', '{border:UInt32}') : undefined;
  const sampled = border < to ? whereOf(scope, '{border:UInt32}', '{to:UInt32}') : undefined;
  const params = { ...paramsOf(scope), border: seconds(border), step: stepMs / 1000 };
  if (stepMs === HOUR_MS && rolled !== undefined && sampled === undefined) {
    return { sql: rolledHours(parts, rolled), params, revisions: true };
  }
  if (stepMs === HOUR_MS && sampled !== undefined && rolled === undefined) {
    return { sql: sampledHours(parts, sampled), params, revisions: false };
  }
  return { sql: buckets(parts, { rolled, sampled }), params, revisions: false };
}

/** Cells before the means: contract, start, last time, three counts. */
const HEAD = 8;

/** Cells of a measure. */
const widthOf = ({ coverage }: HourParts): number => (coverage === true ? 3 : 2);

function meansIn(cells: Cells, parts: HourParts): SeriesBucket['means'] {
  const { measures } = parts;
  const width = widthOf(parts);
  const means: Partial<Record<Measure, Mean>> = {};
  let at = HEAD;
  for (const measure of measures) {
    const samples = countCell(cells[at]);
    const mean = readNumber(cells[at + 1]);
    if (mean !== undefined && samples > 0) {
      means[measure] = width === 2 ? { samples, mean } : { samples, mean, minutes: countCell(cells[at + 2]) };
    }
    at += width;
  }
  return means;
}

/** A row of `bucketQuery`. There are thousands of them: nothing is spread or sliced. */
export function readBucket(cells: Cells, parts: HourParts): SeriesBucket {
  const { measures, book, lastRate } = parts;
  const rest = HEAD + measures.length * widthOf(parts);
  const lastAt = rest + (book === true ? 1 : 0);
  const last = lastRate === true ? cells[lastAt] : undefined;
  const rate = Array.isArray(last) ? readNumber(last[0]) : undefined;
  return {
    venue: readText(cells[0]) ?? '',
    symbol: readText(cells[1]) ?? '',
    listedAt: timeCell(cells[2]),
    start: timeCell(cells[3]),
    lastAt: timeCell(cells[4]),
    sampled: countCell(cells[5]),
    backfilled: countCell(cells[6]),
    backfilledHours: countCell(cells[7]),
    means: meansIn(cells, parts),
    book: book === true ? bookCell(cells[rest]) : undefined,
    lastRate: rate === undefined ? undefined : asRate(rate),
    lastIntervalHours: Array.isArray(last) ? readNumber(last[1]) : undefined,
    intervalHours: lastRate === true ? readNumber(cells[lastAt + 1]) : undefined,
    intervalChanged: lastRate === true ? countCell(cells[lastAt + 2]) === 1 : undefined,
  };
}
