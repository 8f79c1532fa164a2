import { textCell } from '../../history/cell.ts';
import type { Expression, PaymentTimes } from '../../history/reading.ts';
import { FIRST, LAST } from '../../history/sample-sql.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { type Correction, corrects, venuePrefix } from './correction.ts';

/**
 * A value as it reads, from the column that holds it as it was written. This is the only place where corrections meet
 * values:
 *
 * - a sample is corrected by what covers the time at which it was recorded;
 * - an hour of the roll-ups holds uncorrected sums, and is corrected by what covers the recording of all its samples;
 * - what covers only a part of an hour's samples is applied to that part when the hour is rolled up, and never again.
 */

/** A text as a literal. */
export const quoted = (text: string): string => `'${textCell(text).replaceAll("'", "\\'")}'`;

/** A time as a literal, to the millisecond. */
export const timeLiteral = (ms: number): string => `fromUnixTimestamp64Milli(${Math.floor(ms)}, 'UTC')`;

function isConcerned({ venue, origin }: Correction): string {
  const prefix = venuePrefix(venue);
  const place = prefix === undefined ? `venue = ${quoted(venue)}` : `startsWith(venue, ${quoted(prefix)})`;
  return origin === undefined ? place : `${place} AND origin = ${quoted(origin)}`;
}

function isWithin({ from, before }: Correction, first: string, last: string): string {
  const until = `${last} < ${timeLiteral(before)}`;
  return from > 0 ? `${first} >= ${timeLiteral(from)} AND ${until}` : until;
}

/** Condition that a correction covers an hour of the roll-ups whole. */
const coversHour = (correction: Correction): string =>
  `${isConcerned(correction)} AND ${isWithin(correction, FIRST, LAST)}`;
const coversSample = (correction: Correction): string =>
  `${isConcerned(correction)} AND ${isWithin(correction, 'recorded_at', 'recorded_at')}`;

/** Condition that a correction covers a part of an hour, and not the whole: on a row of the roll-ups. */
export function splitsHour(correction: Correction): string {
  const { from, before } = correction;
  const touches = `${FIRST} < ${timeLiteral(before)} AND ${LAST} >= ${timeLiteral(from)}`;
  return `${isConcerned(correction)} AND ${touches} AND NOT (${isWithin(correction, FIRST, LAST)})`;
}

function correctedBy(
  corrections: readonly Correction[],
  covers: (correction: Correction) => string,
  withdrawn: string,
): Expression {
  return (column, measure) =>
    corrections
      .filter((correction) => corrects(correction, measure))
      .reduce(
        (value, correction) =>
          correction.factor === undefined
            ? `if(${covers(correction)}, ${withdrawn}, ${value})`
            : `${value} * if(${covers(correction)}, ${correction.factor}, 1)`,
        column,
      );
}

/** Values of samples, and the last values of hours: nothing where they are withdrawn. */
export const correctedSample = (corrections: readonly Correction[]): Expression =>
  correctedBy(corrections, coversSample, 'NULL');

/** Last values of hours of the roll-ups: nothing where they are withdrawn. */
export const correctedLast = (corrections: readonly Correction[]): Expression =>
  correctedBy(corrections, coversHour, 'NULL');

/** Sums of hours of the roll-ups: zero where they are withdrawn, as of no sample. */
export const correctedSum = (corrections: readonly Correction[]): Expression =>
  correctedBy(corrections, coversHour, '0');

/** Counts of hours of the roll-ups: only what is withdrawn changes how many samples know a value. */
export const correctedCount = (corrections: readonly Correction[]): Expression =>
  correctedSum(corrections.filter(({ factor }) => factor === undefined));

/** Values of samples that are being rolled up, beside the first and last recording of their hour. */
export const correctedPart = (corrections: readonly Correction[]): Expression =>
  correctedBy(
    corrections,
    (correction) => `${coversSample(correction)} AND NOT (${isWithin(correction, FIRST, LAST)})`,
    'NULL',
  );

const shiftOf = ({ shiftMs = 0 }: Correction): number => Math.round(shiftMs / SECOND_MS);

/** @param shifts corrections of `payment_time`; each covers what was recorded in its span */
export function paymentTimes(shifts: readonly Correction[]): PaymentTimes {
  const seconds = shifts.map(shiftOf);
  const terms = shifts.map((shift) => `if(${coversSample(shift)}, ${shiftOf(shift)}, 0)`);
  const at = ['ts', ...terms].join(' + ');
  const early = shifts.map(
    (shift) => `NOT (${coversSample(shift)} AND ${at} >= ${timeLiteral(shift.before)})`,
  );
  return {
    at,
    isMade: ['1', ...early].join(' AND '),
    latestBy: seconds.reduce((sum, by) => sum + Math.max(0, by), 0),
    earliestBy: seconds.reduce((sum, by) => sum + Math.max(0, -by), 0),
  };
}
