import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeMarket } from '../../market/market-fixture.ts';
import { makeRow } from '../../market/row-fixture.ts';
import { made, makeTracked } from '../asset-fixture.ts';
import { PUBLIC_FEES, readFees, statedFees, takerFeeOf } from './asked-fees.ts';

const VENUES = ['binance', 'bybit', 'okx', 'hyperliquid'];

function viewOf(venues: readonly string[] = VENUES) {
  const fixture = makeMarket();
  for (const venue of venues) fixture.list(venue, ['BTC']);
  return fixture.market.view;
}

describe('fees of a request', () => {
  const view = viewOf();

  it('by venue: read as they were written, whatever the case and blanks', () => {
    const fee = fc.integer({ min: -500, max: 10_000 }).map((hundredths) => hundredths / 100);
    const named = fc.uniqueArray(fc.tuple(fc.constantFrom(...VENUES), fee), {
      selector: ([venue]) => venue,
      minLength: 1,
    });
    fc.assert(
      fc.property(named, fc.boolean(), (entries, isLoud) => {
        const text = entries
          .map(([venue, bps]) => (isLoud ? ` ${venue.toUpperCase()} : ${bps} ` : `${venue}:${bps}`))
          .join(',');
        const fees = made(readFees({ fees: text, maker: text }, view));
        expect([...fees.taker]).toEqual(entries);
        const stated = entries.map(([venue, bps]) => ({ venue, taker_fee_bps: bps, maker_fee_bps: bps }));
        expect(statedFees(fees)).toEqual({ fees: stated });
      }),
    );
  });

  it('none: the public ones, and nothing is repeated', () => {
    expect(readFees({}, view)).toEqual({ ok: true, value: PUBLIC_FEES });
    expect(statedFees(PUBLIC_FEES)).toEqual({});
  });

  it.each([
    ['binance', 'must be venue:bps, as in binance:2.4,bybit:3; "binance" is not'],
    ['binance:', 'must be venue:bps, as in binance:2.4,bybit:3; "binance:" is not'],
    [':2', 'must be venue:bps, as in binance:2.4,bybit:3; ":2" is not'],
    ['binance:2.4,', 'must be venue:bps, as in binance:2.4,bybit:3; "" is not'],
    ['binance:2.4bps', 'must be venue:bps, as in binance:2.4,bybit:3; "binance:2.4bps" is not'],
    ['binance:2:3', 'must be venue:bps, as in binance:2.4,bybit:3; "binance:2:3" is not'],
    ['binance:0x1', 'must be venue:bps, as in binance:2.4,bybit:3; "binance:0x1" is not'],
    ['binance:100.01', 'binance must be from -5 to 100 bps'],
    ['binance:-5.01', 'binance must be from -5 to 100 bps'],
    ['binance:1,Binance:2', 'names binance more than once'],
    [Array.from({ length: 34 }, (_, i) => `v${i}:1`).join(','), 'must name at most 33 venues'],
  ])('%s is refused', (text, message) => {
    for (const parameter of ['fees', 'maker']) {
      expect(readFees({ [parameter]: text }, view)).toMatchObject({
        error: { code: 'invalid_parameter', errors: [{ parameter, message }] },
      });
    }
  });

  it('an unknown venue: 404, with the list as it would be served', () => {
    expect(readFees({ fees: 'bybit:3, binanse:2.4' }, view)).toMatchObject({
      error: {
        code: 'unknown_venue',
        detail: expect.stringContaining('did you mean binance?'),
        corrections: [{ parameter: 'fees', value: 'bybit:3,binance:2.4' }],
      },
    });
    expect(readFees({ maker: 'nowhere-near:1' }, view)).toMatchObject({ error: { code: 'unknown_venue' } });
  });

  it('count before a contract’s own fee, and that before its venue’s', () => {
    const fees = { taker: new Map([['bybit', 1]]), maker: new Map() };
    const venue = makeTracked({ id: 'bybit' });
    const plain = makeRow({ venue: 'bybit' });
    const own = { ...plain, takerFeeBps: 3 as never };
    expect(takerFeeOf(own, venue, fees)).toBe(1);
    expect(takerFeeOf(own, venue)).toBe(3);
    expect(takerFeeOf(plain, venue)).toBe(venue.info.takerFeeBps);
    expect(takerFeeOf(plain, undefined)).toBeUndefined();
  });
});
