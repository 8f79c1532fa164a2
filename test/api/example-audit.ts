import { Incidents } from '../../src/audit/incidents.ts';
import { asMs } from '../../src/domain/units.ts';
import type { AuditView } from '../../src/products/define-product.ts';
import { memoryIncidentStore } from '../audit/memory-incidents.ts';

const FOUND_AT = asMs(Date.UTC(2026, 10, 20, 20, 14, 3));

/** An audit that has found one thing, which is over. */
export function exampleAudit(): AuditView {
  const incidents = new Incidents(memoryIncidentStore());
  const finding = { rule: 'jump', venue: 'binance', field: 'open_interest', contract: 'BTCUSDT' };
  const key = incidents.open({ ...finding, evidence: '81200.5 -> 8120050, x100 within 5 s' }, FOUND_AT);
  incidents.annotate(1, 'the venue announced another unit', asMs(FOUND_AT + 600_000));
  incidents.close(key, asMs(FOUND_AT + 3_600_000));
  return { incidents };
}
