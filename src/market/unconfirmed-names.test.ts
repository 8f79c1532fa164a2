import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { baseName } from '../domain/ticker.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import type { Eligibility } from './comparable.ts';
import { judgeAsset } from './comparable.ts';
import { makeMarket } from './market-fixture.ts';

const named = (base: string) => ({ base, ...baseName(base) });

/** The contracts of a coin at venues of their own, each at the price of one coin. */
function venues(...contracts: readonly (readonly [base: string, mark: number])[]) {
  const fixture = makeMarket();
  for (const [at, [base]] of contracts.entries()) fixture.list(`venue${at}`, [named(base)]);
  const quoteAll = () => {
    for (const [at, [base, mark]] of contracts.entries())
      fixture.quote(`venue${at}`, { symbol: `${base}USDT`, mark, rate: 0.0001, volumeUsd: 1e6 });
    fixture.pass(0);
  };
  quoteAll();
  const reasons = () => fixture.market.view.rows().map(({ uncomparableReason }) => uncomparableReason);
  return { ...fixture, quoteAll, reasons };
}

describe('a multiplier that is read by rule', () => {
  test('alone it is uncertain', () => {
    const { market, reasons } = venues(['1MFOO', 0.5]);
    expect(market.view.rows()).toMatchObject([{ ticker: 'FOO', multiplier: 1_000_000 }]);
    expect(reasons()).toEqual(['identity_uncertain']);
  });

  test('a price of the coin at another venue confirms it', () => {
    expect(venues(['1MFOO', 0.5], ['FOO', 0.501]).reasons()).toEqual([undefined, undefined]);
  });

  test('the same reading elsewhere confirms nothing, another one does', () => {
    expect(venues(['1000FOO', 0.5], ['1000FOO', 0.5]).reasons()).toEqual([
      'identity_uncertain',
      'identity_uncertain',
    ]);
    expect(venues(['1000FOO', 0.5], ['1MFOO', 0.501]).reasons()).toEqual([undefined, undefined]);
  });

  test('a power of ten off is a multiplier fault, and never a split', () => {
    const fixture = venues(['10000FOO', 5], ['FOO', 0.5]);
    expect(fixture.reasons()).toEqual(['multiplier_suspect', undefined]);
    for (let hour = 0; hour < 30; hour++) {
      fixture.pass(HOUR_MS - 2 * MINUTE_MS);
      fixture.quoteAll();
      fixture.pass(2 * MINUTE_MS);
    }
    expect(fixture.market.view.rows().map(({ canonicalId }) => canonicalId)).toEqual([
      'crypto:FOO',
      'crypto:FOO',
    ]);
  });

  test('many of them move no measure: a certain row stands', () => {
    const rows = venues(['1000FOO', 9], ['1000FOO', 9], ['1000FOO', 9], ['FOO', 0.5]).reasons();
    expect(rows).toEqual(['identity_uncertain', 'identity_uncertain', 'identity_uncertain', undefined]);
  });

  test('an unknown number before a name: uncertain', () => {
    expect(venues(['3KINGS', 0.5]).reasons()).toEqual(['identity_uncertain']);
    expect(venues(['2Z', 0.5], ['1INCH', 0.2], ['1000PEPE', 0.00001]).reasons()).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('beside the coin itself on one venue: never the one shown', () => {
    const fixture = makeMarket();
    fixture.list('binance', [named('1000FOO'), named('FOO')]);
    const quote = (base: string, volumeUsd: number) =>
      fixture.quote('binance', { symbol: `${base}USDT`, mark: 0.5, volumeUsd });
    quote('FOO', 1000);
    quote('1000FOO', 1e9);
    fixture.pass(0);
    expect(fixture.market.view.rows()).toMatchObject([{ symbol: 'FOOUSDT', comparable: true }]);
    // The shown contract confirms the other.
    expect(fixture.market.view.contract('binance', '1000FOOUSDT')).toMatchObject({ comparable: true });
  });

  test('law: no row by rule is comparable without another reading at its price', () => {
    const row = fc.record({
      mark: fc.constantFrom(0.5, 0.505, 5, 9),
      unconfirmed: fc.constantFrom(undefined, 1000, 1_000_000),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), (rows) => {
        const sound = { identityCertain: true, dead: false, placeholder: false, fresh: true };
        const eligible = rows.map((it): Eligibility => ({ ...sound, ...it }));
        judgeAsset(eligible, 'crypto').forEach((reason, at) => {
          const mine = eligible[at];
          if (reason !== undefined || mine?.unconfirmed === undefined) return;
          const agreeing = eligible.filter(
            (other) =>
              other.unconfirmed !== mine.unconfirmed &&
              (other.mark ?? 0) / (mine.mark ?? 1) < 2 &&
              (mine.mark ?? 0) / (other.mark ?? 1) < 2,
          );
          expect(agreeing.length).toBeGreaterThan(0);
        });
      }),
    );
  });
});
