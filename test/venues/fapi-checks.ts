import { describe, expect, it } from 'vitest';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import * as fapi from './fapi-fixture.ts';
import { mutate, nonsenseProblems } from './mutate.ts';
import { callFor, contextOf } from './samples.ts';

/** Calls and the fixture that each must survive every mutation of. */
const MUTATED: readonly (readonly [url: string, payload: unknown])[] = [
  ['/fapi/v1/exchangeInfo', fapi.EXCHANGE_INFO],
  ['/fapi/v1/premiumIndex', fapi.PREMIUM_INDEX],
  ['/fapi/v1/premiumIndex?symbol=BTCUSDT', fapi.PREMIUM_INDEX[0]],
  ['/fapi/v1/fundingInfo', fapi.FUNDING_INFO],
  ['/fapi/v1/ticker/24hr', fapi.TICKER_24H],
  ['/fapi/v1/ticker/bookTicker', fapi.BOOK_TICKER],
  ['/fapi/v1/openInterest?symbol=1000PEPEUSDT', fapi.OPEN_INTEREST],
  ['/fapi/v1/fundingRate?symbol=BTCUSDT', fapi.FUNDING_HISTORY],
  ['/fapi/v1/markPriceKlines?symbol=BTCUSDT&interval=1h', fapi.MARK_KLINES],
  ['/fapi/v1/depth?symbol=1000PEPEUSDT', fapi.DEPTH],
  ['btcusdt@depth@100ms', { stream: 'btcusdt@depth@100ms', data: fapi.DEPTH_EVENT }],
  ['!markPrice@arr', [fapi.MARK_EVENT, { ...fapi.MARK_EVENT, s: '1000PEPEUSDT' }]],
  ['!ticker@arr', [fapi.TICKER_EVENT]],
];

/** Checks that hold for both venues of the family. */
export function describeFapiRobustness(adapter: VenueAdapter): void {
  describe(`${adapter.id} on changed payloads`, () => {
    it.each(MUTATED)('%s stays sane whatever field is changed', (url, payload) => {
      const call = callFor(adapter, url);
      if (call === undefined) throw new Error(`no call for ${url}`);
      const context = contextOf([], { method: 'GET', path: url });
      const { tried, problems } = mutate({ name: url, payload, decode: call.decode, context });
      expect(problems).toEqual([]);
      expect(tried).toBeGreaterThan(20);
    });

    it('any nonsense through any decoder is a reject or nothing', () => {
      expect(nonsenseProblems(adapter)).toEqual([]);
    });
  });
}
