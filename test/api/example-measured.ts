import { asMs } from '../../src/domain/units.ts';
import { QualityDays } from '../../src/modules/second-reader/counts/quality-days.ts';
import type { Measured } from '../../src/modules/second-reader/port.ts';
import { memoryQualityStore } from '../second-reader/memory-counts.ts';

const FOUND_AT = asMs(Date.UTC(2026, 10, 20, 20, 14, 3));

/** A few values that were measured. */
export const exampleMeasured = (): Measured => ({ counts: exampleCounts(), ccxtWays: () => [] });

/** Two comparisons of a field, one of a payment, and ages. */
function exampleCounts(): QualityDays {
  const quality = new QualityDays(memoryQualityStore());
  const mark = {
    symbol: 'BTCUSDT',
    way: 'markPriceKlines',
    at: FOUND_AT,
    shown: 86420.11,
    tolerance: 0.0025,
  };
  quality.compared('second', 'binance', 'mark_price', true, { ...mark, second: 86420.11, difference: 0 });
  quality.compared('second', 'binance', 'mark_price', true, {
    ...mark,
    second: 86421.5,
    difference: 0.0000160836,
  });
  const paid = { symbol: 'BTCUSDT', way: 'payment', at: FOUND_AT, shown: 0.0001, second: 0.00011 };
  quality.compared('paid', 'binance', 'shown_minute_before', true, {
    ...paid,
    difference: 0.00001,
    tolerance: 0.000015,
  });
  for (const seconds of [0.4, 1.1, 2.5, 9]) quality.age('binance', 'mark_price', seconds, FOUND_AT);
  return quality;
}
