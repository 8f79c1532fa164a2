import { expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { makeMarket } from '../../src/market/market-fixture.ts';
import { Audit } from '../../src/modules/audit/audit.ts';
import { HELD_MS } from '../../src/modules/audit/breaches.ts';
import { Incidents } from '../../src/modules/audit/incidents/incidents.ts';
import { MINUTE_RULES } from '../../src/modules/audit/minute-rules.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { T0 } from './judged-venue.ts';
import { memoryIncidentStore } from './memory-incidents.ts';

it.each([...MINUTE_RULES])('%s was broken before a restart and holds now: it closes', (rule) => {
  const incidents = new Incidents(memoryIncidentStore());
  incidents.open({ rule, venue: 'gate', field: '*', contract: 'BTC', evidence: 'seen' }, asMs(T0));
  let now = T0 + MINUTE_MS;
  const audit = new Audit(incidents, { now: () => asMs(now) });
  const { market } = makeMarket();
  for (; now <= T0 + HELD_MS + 2 * MINUTE_MS; now += MINUTE_MS)
    void [...audit.minute(market, { of: () => undefined })];
  expect([...incidents.lasting()]).toEqual([]);
});
