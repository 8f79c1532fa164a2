import { describe, expect, it } from 'vitest';
import type { VenueHealth } from '../../src/collect/ports.ts';
import { asMs } from '../../src/domain/units.ts';
import type { VenueStatus } from '../../src/domain/venue.ts';
import { makeRow } from '../../src/market/row-fixture.ts';
import type { MarketRow } from '../../src/market/view.ts';
import { Breaches, HELD_MS } from '../../src/modules/audit/breaches.ts';
import { Incidents } from '../../src/modules/audit/incidents/incidents.ts';
import { RowWatch } from '../../src/modules/audit/row-watch.ts';
import { makeTracked } from '../../src/products/asset-fixture.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { memoryIncidentStore } from './memory-incidents.ts';

const T0 = Date.UTC(2026, 10, 20, 12);
const RULES = new Set(['stale', 'apart', 'clock']);

/** One venue and a contract of it, judged minute by minute; a restart begins with the incidents that were open. */
function watched() {
  const incidents = new Incidents(memoryIncidentStore());
  let now = T0;
  let breaches: Breaches;
  let rows: RowWatch;
  const restart = (): void => {
    breaches = new Breaches(incidents, (rule) => RULES.has(rule), asMs(now));
    rows = new RowWatch(breaches, incidents.lasting());
  };
  restart();
  const lasting = (): readonly string[] => [...incidents.lasting()].map(({ rule }) => rule).sort();
  const pass = (
    minutes: number,
    { status = 'live' as VenueStatus, row = {} as Partial<MarketRow>, retired = false } = {},
  ): readonly string[] => {
    for (let i = 0; i < minutes; i++) {
      now += MINUTE_MS;
      const health = { status, ...(retired && { retired }) } as VenueHealth;
      const seen = { ...makeRow({ venue: 'binance' }), ...row };
      const view = {
        eachRow: () => (retired ? [] : [seen]),
        venues: () => [{ ...makeTracked({ id: 'binance' }), status }],
      };
      void [...rows.judge(view, { of: () => health }, asMs(now))];
      breaches.settle(asMs(now));
    }
    return lasting();
  };
  const broken = (rule: string): void =>
    breaches.broken({ rule, venue: 'binance', field: 'venue_time', evidence: 'seen' }, asMs(now), false);
  return { pass, restart, broken };
}

const apart = { uncomparableReason: 'price_dispersion' } as const;
const HELD_MINUTES = HELD_MS / MINUTE_MS;

describe('an incident that was open at a restart', () => {
  it('lasts while the venue is down, closes after ten live minutes', () => {
    const { pass, restart } = watched();
    pass(6);
    expect(pass(1, { status: 'down' })).toEqual(['stale']);
    restart();
    expect(pass(HELD_MINUTES + 5, { status: 'down' })).toEqual(['stale']);
    expect(pass(HELD_MINUTES)).toEqual(['stale']);
    expect(pass(1)).toEqual([]);
  });

  it('lasts while the row is apart, closes ten minutes later', () => {
    const { pass, restart } = watched();
    pass(12);
    expect(pass(4, { row: apart })).toEqual(['apart']);
    restart();
    expect(pass(HELD_MINUTES + 5, { row: apart })).toEqual(['apart']);
    expect(pass(HELD_MINUTES)).toEqual(['apart']);
    expect(pass(1)).toEqual([]);
  });

  it('is none of a venue or a row that had not begun before', () => {
    const { pass, restart } = watched();
    restart();
    expect(pass(HELD_MINUTES + 5, { status: 'down', row: apart })).toEqual([]);
  });
});

it('a venue collected no more: incidents close, and start over', () => {
  const { pass, broken } = watched();
  pass(6);
  expect(pass(1, { status: 'down' })).toEqual(['stale']);
  broken('clock');
  expect(pass(HELD_MINUTES, { status: 'down', retired: true })).toEqual(['clock', 'stale']);
  expect(pass(1, { status: 'down', retired: true })).toEqual([]);
  expect(pass(5, { status: 'down' })).toEqual([]);
});
