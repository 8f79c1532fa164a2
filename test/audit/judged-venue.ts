import { emptyDecoded } from '../../src/domain/decoded.ts';
import type { FundingPoint, QuotePatch } from '../../src/domain/quote.ts';
import { asMs } from '../../src/domain/units.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { createMarket } from '../../src/market/live-table.ts';
import { makeInstrument, makeVenueInfo } from '../../src/market/market-fixture.ts';
import { Audit } from '../../src/modules/audit/audit.ts';
import { Incidents } from '../../src/modules/audit/incidents/incidents.ts';
import { memoryIdentityStore, memorySourceIdStore } from '../market/memory-stores.ts';
import { heardBy } from './heard-by.ts';
import { memoryIncidentStore } from './memory-incidents.ts';

/** Off every settlement. */
export const T0 = Date.UTC(2026, 9, 20, 13, 20);

/** A venue's contracts in the live table with the rules, judged after each of its statements. */
export function judged(...symbols: readonly string[]) {
  const incidents = new Incidents(memoryIncidentStore());
  let now = T0;
  const clock = { now: () => asMs(now) };
  const audit = new Audit(incidents, clock);
  const market = createMarket({
    clock,
    identity: createInstrumentIdentities(memoryIdentityStore()),
    sourceIds: memorySourceIdStore(),
    suspect: (venue, symbol) => audit.suspect(venue, symbol),
  });
  const sink = heardBy(audit, market);
  sink.venue(makeVenueInfo({ id: 'gate' }), 5000);
  const listed = symbols.map((symbol) =>
    makeInstrument({ venue: 'gate', symbol, base: symbol, ticker: symbol }),
  );
  sink.instruments('gate', listed, clock.now());
  const state = (afterMs: number, patchOf: (i: number) => Omit<QuotePatch, 'symbol'>): void => {
    now += afterMs;
    sink.quotes(
      'gate',
      symbols.map((symbol, i) => ({ symbol, ...patchOf(i) })),
      clock.now(),
    );
    void [...audit.minute(market, { of: () => undefined })];
  };
  const pay = (points: readonly FundingPoint[]): void => {
    for (const store of sink.stores ?? [])
      store.take('gate', { ...emptyDecoded(), funding: [...points] }, clock.now());
  };
  const predictions = () => audit.predictions('gate');
  const lasting = () => [...incidents.lasting()].map(({ rule, contract = '*' }) => `${rule} ${contract}`);
  return { state, pay, predictions, lasting, market, incidents };
}
