import { CoverageTracker } from '../../src/audit/coverage.ts';
import { Incidents } from '../../src/audit/incidents.ts';
import { QualityDays } from '../../src/audit/quality-days.ts';
import { asMs } from '../../src/domain/units.ts';
import { makeRow } from '../../src/market/row-fixture.ts';
import { makeTracked } from '../../src/products/asset-fixture.ts';
import type { AuditView } from '../../src/products/define-product.ts';
import {
  memoryCoverageStore,
  memoryIncidentStore,
  memoryQualityStore,
  quietAudit,
} from '../audit/memory-incidents.ts';

const FOUND_AT = asMs(Date.UTC(2026, 10, 20, 20, 14, 3));
const MINUTE = 60_000;

/** An audit that has found one thing, which is over, and one gap. */
export function exampleAudit(): AuditView {
  const incidents = new Incidents(memoryIncidentStore());
  const finding = { rule: 'jump', venue: 'binance', field: 'open_interest', contract: 'BTCUSDT' };
  const key = incidents.open({ ...finding, evidence: '81200.5 -> 8120050, x100 within 5 s' }, FOUND_AT);
  incidents.annotate(1, 'the venue announced another unit', asMs(FOUND_AT + 600_000));
  incidents.close(key, asMs(FOUND_AT + 3_600_000));
  const coverage = new CoverageTracker(memoryCoverageStore());
  for (let minute = 0; minute < 60; minute++) {
    const isOut = minute >= 30 && minute < 33;
    const rows = isOut ? [] : [makeRow(), makeRow({ ticker: 'ETH', index: undefined })];
    const view = { eachRow: () => rows, venues: () => [makeTracked()] };
    const health = { of: () => undefined };
    const now = asMs(FOUND_AT + minute * MINUTE);
    const out = { eachRow: () => [], venues: () => [{ ...makeTracked(), status: 'stale' as const }] };
    coverage.observe(isOut ? out : view, health, now);
  }
  return {
    ...quietAudit(),
    incidents,
    coverage,
    quality: exampleCounts(),
    predictions: () => ({ compared: 1200, elsewhere: 3 }),
  };
}

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
