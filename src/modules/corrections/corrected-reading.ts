import type { Reading, Readings } from '../../history/reading.ts';
import {
  correctedCount,
  correctedLast,
  correctedPart,
  correctedSample,
  correctedSum,
  paymentTimes,
} from './corrected-sql.ts';
import { type Correction, concerning, concerningPayments, keyOf } from './correction.ts';

const readingOf = (corrections: readonly Correction[]): Reading => ({
  key: corrections.map(keyOf).join('\n'),
  changes: corrections,
  sample: correctedSample(corrections),
  last: correctedLast(corrections),
  sum: correctedSum(corrections),
  count: correctedCount(corrections),
  part: correctedPart(corrections),
});

/** The reading of a store under the corrections that stand. */
export const readingsOf = (corrections: readonly Correction[]): Readings => ({
  of: (scope, measures) => readingOf(concerning(corrections, scope, measures)),
  payments: (scope) => {
    const shifts = concerningPayments(corrections, scope);
    return shifts.length === 0 ? undefined : paymentTimes(shifts);
  },
});
