import { describe, expect, it } from 'vitest';
import type { SpotDecoded } from '../../src/modules/spot/spot-rows.ts';
import { spotCallFor, spotContext } from './recordings.ts';

/** Decodes an answer of this form. */
function decoded(venue: string, url: string, payload: unknown): SpotDecoded {
  const call = spotCallFor(venue, url);
  if (call === undefined) throw new Error(`${venue}: no call ${url}`);
  return call.decode(payload, spotContext(url, []));
}

type Row = Readonly<Record<string, unknown>>;

/** A list of one pair that trades, with these fields changed. */
const LISTS: Readonly<Record<string, (changed: Row) => SpotDecoded>> = {
  htx: (changed) => {
    const pair = { symbol: 'btcusdt', 'base-currency': 'btc', 'quote-currency': 'usdt', state: 'online' };
    return decoded('htx', '/v1/common/symbols', { status: 'ok', data: [{ ...pair, ...changed }] });
  },
  'htx, short': (changed) => {
    const pair = { symbol: 'btcusdt', bc: 'btc', qc: 'usdt', state: 'online' };
    const url = '/v1/settings/common/market-symbols';
    return decoded('htx', url, { status: 'ok', data: [{ ...pair, ...changed }] });
  },
  bybit: (changed) => {
    const pair = { symbol: 'BTCUSDT', baseCoin: 'BTC', quoteCoin: 'USDT', status: 'Trading' };
    const steps = { priceFilter: { tickSize: '0.1' }, lotSizeFilter: { basePrecision: '0.001' } };
    const result = { category: 'spot', list: [{ ...pair, ...steps, ...changed }] };
    return decoded('bybit', '/v5/market/instruments-info?category=spot', { retCode: 0, result });
  },
  whitebit: (changed) => {
    const pair = { name: 'BTC_USDT', stock: 'BTC', money: 'USDT', type: 'spot', tradesEnabled: true };
    return decoded('whitebit', '/api/v4/public/markets', [{ ...pair, ...changed }]);
  },
  mexc: (changed) => {
    const pair = { symbol: 'BTCUSDT', baseAsset: 'BTC', quoteAsset: 'USDT', status: '1' };
    const symbols = [{ ...pair, isSpotTradingAllowed: true, ...changed }];
    return decoded('mexc', '/api/v3/exchangeInfo', { symbols });
  },
  okx: (changed) => {
    const pair = { instType: 'SPOT', instId: 'TSLA-USDT', baseCcy: 'TSLA', quoteCcy: 'USDT', state: 'live' };
    const steps = { tickSz: '0.01', lotSz: '0.001', minSz: '0.001' };
    const data = [{ ...pair, ...steps, ...changed }];
    return decoded('okx', '/api/v5/public/instruments?instType=SPOT', { code: '0', data });
  },
  kucoin: (changed) => {
    const pair = { symbol: 'BTC-USDT', name: 'BTC-USDT', baseCurrency: 'BTC', quoteCurrency: 'USDT' };
    const data = [{ ...pair, enableTrading: true, ...changed }];
    return decoded('kucoin', '/api/v2/symbols', { code: '200000', data });
  },
};

describe('the state of a spot market', () => {
  it.each<[string, Row, string | undefined]>([
    ['htx', { underlying: null, 'init-nav': '' }, undefined],
    ['htx', { underlying: 'btcusdt' }, 'leveraged_token'],
    ['htx', { 'api-trading': 'enabled' }, undefined],
    ['htx', { 'api-trading': 'disabled' }, 'not_trading'],
    ['htx, short', { te: true }, undefined],
    ['htx, short', { te: false }, 'not_trading'],
    ['bybit', { contractType: '' }, undefined],
    ['bybit', { contractType: 'LinearPerpetual' }, 'perpetual'],
    ['bybit', { symbolType: 'innovation' }, undefined],
    ['bybit', { symbolType: 'stock' }, 'tokenized_share'],
    ['okx', { instCategory: '1' }, undefined],
    ['okx', { instCategory: '' }, undefined],
    ['okx', { instCategory: '3' }, 'tokenized_share'],
    ['whitebit', { delistedAt: '' }, undefined],
    ['whitebit', { delistedAt: '0' }, undefined],
    ['whitebit', { delistedAt: '1764000000' }, 'delisted'],
    ['mexc', { status: 1, tradeSideType: 1 }, undefined],
    ['mexc', { status: 'ENABLED' }, undefined],
    ['mexc', { tradeSideType: 3 }, 'not_trading'],
    ['mexc', { tradeSideType: '4' }, 'not_trading'],
    ['kucoin', { callauctionIsEnabled: false }, undefined],
    ['kucoin', { callauctionIsEnabled: true }, 'prelisting'],
  ])('%s, %o: %s', (list, changed, reason) => {
    const { markets, rejects } = LISTS[list]?.(changed) ?? { markets: [], rejects: [] };
    expect(rejects.map((reject) => reject.reason)).toEqual(reason === undefined ? [] : [reason]);
    expect(markets).toHaveLength(reason === undefined ? 1 : 0);
  });

  it('gate, marks of a leveraged token that are blank: a pair', () => {
    const row = { currency_pair: 'BTC_USDT', last: '50000', etf_net_value: '', etf_leverage: null };
    expect(decoded('gate', '/api/v4/spot/tickers', [row]).tickers).toHaveLength(1);
    const marked = decoded('gate', '/api/v4/spot/tickers', [{ ...row, etf_leverage: '3' }]);
    expect(marked.rejects.map(({ reason }) => reason)).toEqual(['leveraged_token']);
  });

  it('kraken, a warning beside the result: the result', () => {
    const rows = { XXBTZUSD: { b: ['1', '1', '1'], a: ['2', '1', '1'], c: ['1', '1'] } };
    const read = (error: readonly string[]) => decoded('kraken', '/0/public/Ticker', { error, result: rows });
    expect(read(['WGeneral:Deprecated']).tickers).toMatchObject([{ symbol: 'XXBTZUSD', bestBid: 1 }]);
    expect(read(['WGeneral:Deprecated', 'EService:Busy']).tickers).toEqual([]);
  });

  it('bitget, a coin that cross margin does not have: not lent', () => {
    const url = '/api/v3/market/margin-loans?coin=XYZ';
    const answer = { code: '50001', msg: 'coin does not support cross', data: null };
    expect(decoded('bitget', url, answer)).toMatchObject({
      borrow: [{ asset: 'XYZ', ticker: 'XYZ', refused: 'not_borrowable' }],
      rejects: [],
    });
  });

  it.each<[unknown, unknown, string]>([
    [true, true, 'lent'],
    ['true', 'YES', 'lent'],
    ['true', 'false', 'not_borrowable'],
    [true, 'NO', 'not_borrowable'],
    [true, 'maybe', 'malformed'],
    [true, undefined, 'missing_field'],
  ])('bitget, a coin marked %s and %s: %s', (isBorrowable, isCrossBorrowable, expected) => {
    const row = { symbol: 'BTCUSDT', baseCoin: 'BTC', isBorrowable, isCrossBorrowable };
    const { borrow, rejects } = decoded('bitget', '/api/v2/margin/currencies', {
      code: '00000',
      data: [row],
    });
    expect([
      ...rejects.map(({ reason }) => reason),
      ...borrow.map(({ refused = 'lent' }) => refused),
    ]).toEqual([expected]);
  });
});
