import { expect, it } from 'vitest';
import { asPrice, asUsd } from '../domain/units.ts';
import { makeMarket } from './market-fixture.ts';

const MINUTE_MS = 60_000;
const LIMIT = asUsd(2_000_000);

/** A contract whose list states a tick, with a mark. */
function listed() {
  const fixture = makeMarket();
  fixture.list('lighter', [{ base: 'BTC', terms: { tick: asPrice(0.1), maxLeverage: 20 } }]);
  const quote = () => fixture.quote('lighter', { symbol: 'BTCUSDT', mark: 100 });
  const beside = (terms: object) =>
    fixture.market.sink.quotes('lighter', [{ symbol: 'BTCUSDT', ...terms }], fixture.now());
  const row = () => fixture.market.view.row('lighter', 'crypto:BTC');
  return { ...fixture, quote, beside, row };
}

it('terms beside the metrics: joined with the list’s, and before them', () => {
  const { quote, beside, row } = listed();
  quote();
  expect(row()?.terms).toEqual({ tick: 0.1, maxLeverage: 20 });
  beside({ maxLeverage: 50, openInterestLimitUsd: LIMIT });
  expect(row()?.terms).toEqual({ tick: 0.1, maxLeverage: 50, openInterestLimitUsd: LIMIT });
});

it('a limit that is stated no more: gone with the age of metrics', () => {
  const { quote, beside, row, pass } = listed();
  beside({ openInterestLimitUsd: LIMIT });
  pass(14 * MINUTE_MS);
  quote();
  expect(row()?.terms).toMatchObject({ openInterestLimitUsd: LIMIT });
  pass(2 * MINUTE_MS);
  quote();
  expect(row()?.terms).toEqual({ tick: 0.1, maxLeverage: 20 });
});

it('a limit that its venue lifted: gone at once, until another is stated', () => {
  const { quote, beside, row } = listed();
  quote();
  beside({ openInterestLimitUsd: LIMIT });
  beside({ openInterestLimitUsd: null });
  expect(row()?.terms).toEqual({ tick: 0.1, maxLeverage: 20 });
  beside({ openInterestLimitUsd: null });
  expect(row()?.terms).toEqual({ tick: 0.1, maxLeverage: 20 });
  beside({ openInterestLimitUsd: LIMIT });
  expect(row()?.terms).toMatchObject({ openInterestLimitUsd: LIMIT });
});

it('terms alone: no row', () => {
  const { beside, row } = listed();
  beside({ maxLeverage: 50 });
  expect(row()).toBeUndefined();
});
