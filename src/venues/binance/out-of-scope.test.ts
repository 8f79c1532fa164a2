import { type Calls, describeOutOfScope, LEVELS, TIME } from '../../../test/venues/out-of-scope.ts';
import { binance } from './index.ts';

const fapi = (symbol: string): Calls => [
  [`/fapi/v1/premiumIndex?symbol=${symbol}`, { symbol, nextFundingTime: TIME }],
  [`/fapi/v1/depth?symbol=${symbol}`, { lastUpdateId: 1, ...LEVELS }],
  [`/fapi/v1/fundingRate?symbol=${symbol}`, [{ symbol, fundingTime: TIME, fundingRate: '0' }]],
  [`/fapi/v1/markPriceKlines?symbol=${symbol}`, [[TIME, '100']]],
  [`/fapi/v1/klines?symbol=${symbol}`, [[TIME, '1', '1', '1', '1', '1', 0, '100']]],
  [`${symbol.toLowerCase()}@depth`, { e: 'depthUpdate', s: symbol, U: 1, u: 2, pu: 0, b: [], a: [] }],
];

describeOutOfScope(binance, {
  ours: 'BTCUSDT',
  outOfScope: {
    BTCUSDT_261225: 'dated',
    BTCUSD_PERP: 'inverse',
    BTCUSD_261225: 'dated',
    'BTC-261225-90000-C': 'option',
    ETHBTC: 'foreign_quote',
  },
  calls: fapi,
});
