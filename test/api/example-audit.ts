import { asMs } from '../../src/domain/units.ts';
import { makeRow } from '../../src/market/row-fixture.ts';
import { CoverageTracker } from '../../src/modules/audit/coverage/coverage.ts';
import { Incidents } from '../../src/modules/audit/incidents/incidents.ts';
import { AUDIT, type AuditView } from '../../src/modules/audit/port.ts';
import { makeTracked } from '../../src/products/asset-fixture.ts';
import { memoryCoverageStore, memoryIncidentStore } from '../audit/memory-incidents.ts';

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
    ...AUDIT.absent,
    incidents,
    coverage,
    predictions: () => ({ compared: 1200, elsewhere: 3 }),
  };
}
