import {
  aster,
  backpack,
  binance,
  bingx,
  bitget,
  bybit,
  cryptocom,
  type Exchange,
  gate,
  htx,
  hyperliquid,
  kraken,
  kucoin,
  lighter,
  mexc,
  okx,
  whitebit,
} from 'ccxt';
import type { SpotReader } from './spot-reading.ts';

const SPOT = { options: { defaultType: 'spot', fetchMarkets: { types: ['spot'] } } };

/** An exchange that does not ask for the lists named. */
function without(exchange: Exchange, ...calls: readonly string[]): Exchange {
  return Object.assign(exchange, Object.fromEntries(calls.map((call) => [call, async () => []])));
}

const bySpotType: SpotReader['tickers'] = (exchange) => exchange.fetchTickers(undefined, { type: 'spot' });

/** ccxt as second reader of every spot side that is simulated. */
export const SPOT_READERS: readonly SpotReader[] = [
  {
    venue: 'aster',
    exchange: () => new aster(SPOT),
    tickers: bySpotType,
    levels: 100,
    known: {
      takerFeeBps:
        'ccxt has 3.5 bps for perpetuals and spot alike; of the documents one says 7 for spot and a newer page 4, here the worst counts',
    },
  },
  { venue: 'backpack', exchange: () => new backpack(), levels: 100 },
  { venue: 'binance', exchange: () => new binance(SPOT), tickers: bySpotType, levels: 100 },
  {
    venue: 'bingx',
    exchange: () => without(new bingx(SPOT), 'fetchSwapMarkets', 'fetchInverseSwapMarkets'),
    tickers: bySpotType,
    levels: 100,
  },
  {
    venue: 'bitget',
    exchange: () => new bitget(SPOT),
    tickers: bySpotType,
    levels: 150,
    borrow: async (exchange, code) => {
      const { rate, period } = await (exchange as bitget).fetchCrossBorrowRate(code, { uta: true });
      return (Number(rate) * 3_600_000) / Number(period);
    },
    known: {
      takerFeeBps:
        'ccxt reads `takerFeeRate` of the list, 20 bps; the fee page and `vip-fee-rate` say 10 without a level',
    },
  },
  { venue: 'bybit', exchange: () => new bybit(SPOT), tickers: bySpotType, levels: 200 },
  { venue: 'cryptocom', exchange: () => new cryptocom(), levels: 50 },
  {
    venue: 'gate',
    exchange: () => without(new gate(SPOT), 'publicMarginGetCurrencyPairs'),
    tickers: bySpotType,
    levels: 100,
    known: {
      markets: 'ccxt lists leveraged tokens and tokens of shares, which `base_name` alone tells from coins',
      takerFeeBps:
        'ccxt reads the list rate `fee`, 20 bps; the announcement of 2026-03-25 says 10 without a level',
    },
  },
  {
    venue: 'htx',
    exchange: () =>
      new htx({
        options: {
          defaultType: 'spot',
          fetchMarkets: { types: { spot: true, linear: false, inverse: false } },
        },
      }),
    tickers: bySpotType,
    levels: 150,
  },
  {
    venue: 'hyperliquid',
    exchange: () => new hyperliquid(SPOT),
    tickers: bySpotType,
    levels: 20,
    known: {
      tick: 'ccxt looks for the present of a pair at the place of its number, and has no step of a price without it; contexts name their pair',
    },
  },
  { venue: 'kraken', exchange: () => new kraken(), levels: 100 },
  { venue: 'kucoin', exchange: () => new kucoin(SPOT), tickers: bySpotType, levels: 100 },
  {
    venue: 'lighter',
    exchange: () => new lighter(),
    symbolOf: (market) => String(market?.info.symbol),
    levels: 100,
  },
  {
    venue: 'mexc',
    exchange: () => without(new mexc(SPOT), 'fetchSwapMarkets'),
    tickers: bySpotType,
    levels: 100,
  },
  {
    venue: 'okx',
    exchange: () => new okx(SPOT),
    tickers: bySpotType,
    levels: 100,
    known: { takerFeeBps: 'ccxt has 15 bps; the fee page says 10 at level 1' },
  },
  { venue: 'whitebit', exchange: () => new whitebit(), levels: 100 },
];
