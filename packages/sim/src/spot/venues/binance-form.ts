import type { SimRequest, SimVenue } from '../../venue.ts';
import type { World } from '../../world.ts';
import { json, type SpotRest } from '../spot-answer.ts';
import { spotBook } from '../spot-book.ts';
import { type SpotName, type SpotPair, spotPairs, spotQuote } from '../spot-pair.ts';

/** Names of coins on the spot sides that write as Binance does. */
export const BLOCKS: SpotName = (ticker) => {
  if (ticker === 'SATS') return { base: '1000SATS', multiplier: 1000 };
  return ticker === 'BABYDOGE' ? { base: '1MBABYDOGE', multiplier: 1_000_000 } : undefined;
};

type Market = (pair: SpotPair, quote: ReturnType<typeof spotQuote>) => object;

/** A row of Binance's list, with filters. */
const filtered: Market = ({ base }, { tick, lot }) => ({
  symbol: `${base}USDT`,
  status: 'TRADING',
  baseAsset: base,
  quoteAsset: 'USDT',
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: true,
  filters: [
    { filterType: 'PRICE_FILTER', tickSize: tick },
    { filterType: 'LOT_SIZE', stepSize: lot, minQty: lot },
    { filterType: 'NOTIONAL', minNotional: '5' },
  ],
});

/** A row of MEXC's list, with digits. */
export const digits: Market = ({ base, asset }, { tickDecimals, lotDecimals, lot }) => ({
  symbol: `${base}USDT`,
  status: '1',
  baseAsset: base,
  fullName: asset.ticker,
  quoteAsset: 'USDT',
  baseAssetPrecision: lotDecimals,
  quoteAssetPrecision: tickDecimals,
  quotePrecision: tickDecimals,
  baseSizePrecision: lot,
  quoteAmountPrecision: '1',
  takerCommission: '0.0005',
  isSpotTradingAllowed: true,
});

function tickerRow(pair: SpotPair, world: World, now: number): object {
  const { bid, bidSize, ask, askSize, last, volume, turnover } = spotQuote(world, pair, now);
  return {
    symbol: `${pair.base}USDT`,
    bidPrice: bid,
    bidQty: bidSize,
    askPrice: ask,
    askQty: askSize,
    lastPrice: last,
    volume,
    quoteVolume: turnover,
    closeTime: now,
  };
}

/** The spot calls of a venue that answers as Binance does. */
export const binanceSpot =
  (market: Market = filtered): SpotRest =>
  (request: SimRequest, world: World, venue: SimVenue) => {
    const { path, query, now } = request;
    const pairs = spotPairs(world, venue, BLOCKS);
    if (path === '/api/v3/exchangeInfo')
      return json({ symbols: pairs.map((pair) => market(pair, spotQuote(world, pair, now))) }, 20);
    if (path === '/api/v3/ticker/24hr')
      return json(
        pairs.map((pair) => tickerRow(pair, world, now)),
        40,
      );
    if (path !== '/api/v3/depth') return undefined;
    const pair = pairs.find(({ base }) => `${base}USDT` === query.get('symbol'));
    const depth = Number(query.get('limit') ?? 100);
    return pair && json({ lastUpdateId: now, ...spotBook(world, pair, now, depth) }, 5);
  };
