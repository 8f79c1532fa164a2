import { describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { Breaches, HELD_MS } from '../../src/modules/audit/breaches.ts';
import { Incidents } from '../../src/modules/audit/incidents/incidents.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { memoryIncidentStore } from './memory-incidents.ts';

const T0 = Date.UTC(2026, 10, 20, 12);
const RULES = new Set(['jump']);
const FINDING = { rule: 'jump', venue: 'binance', field: 'mark_price', contract: 'BTCUSDT', evidence: '' };

/** A rule that is broken at noon; `hold` judges it for some minutes, in which it holds. */
function brokenAtNoon() {
  const incidents = new Incidents(memoryIncidentStore());
  const breaches = new Breaches(incidents, (rule) => RULES.has(rule), asMs(T0));
  breaches.broken(FINDING, asMs(T0), true);
  const hold = (from: number, ms: number): number => {
    for (let at = from; at <= from + ms; at += MINUTE_MS) {
      breaches.judged(RULES, asMs(at));
      breaches.settle(asMs(at));
    }
    return [...incidents.lasting()].length;
  };
  return { breaches, hold };
}

describe('the incident of a rule that holds again', () => {
  it('closes in time where the clock was set back since the rule was broken', () => {
    const { breaches, hold } = brokenAtNoon();
    expect(hold(T0 - HOUR_MS, HELD_MS - MINUTE_MS)).toBe(1);
    expect(hold(T0 - HOUR_MS + HELD_MS, 0)).toBe(0);
    expect(breaches.suspect('binance', 'BTCUSDT')).toBeUndefined();
  });

  it('closes in time where the clock was set back since the rule holds', () => {
    const { hold } = brokenAtNoon();
    expect(hold(T0 + MINUTE_MS, MINUTE_MS)).toBe(1);
    expect(hold(T0 - HOUR_MS, HELD_MS - MINUTE_MS)).toBe(1);
    expect(hold(T0 - HOUR_MS + HELD_MS, 0)).toBe(0);
  });

  it('lasts where another look has found it broken a moment later', () => {
    const { hold } = brokenAtNoon();
    hold(T0 - 2000, 0);
    expect(hold(T0, 0)).toBe(1);
  });
});
