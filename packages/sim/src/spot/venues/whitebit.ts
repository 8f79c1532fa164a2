import { json, type SpotRest } from '../spot-answer.ts';
import { spotBook } from '../spot-book.ts';
import { type SpotPair, spotPairs, spotQuote } from '../spot-pair.ts';
import { withRows } from '../with-rows.ts';

const LISTS = ['/api/v4/public/markets', '/api/v2/public/ticker', '/api/v4/public/ticker'];
const BOOK = '/api/v4/public/orderbook/';
const MAX_DEPTH = 100;

const symbolOf = ({ base }: SpotPair): string => `${base}_USDT`;

/** Spot pairs stand before the perpetuals in the list; the second version of the tickers has both sides, the fourth neither. */
export const whitebitSpot: SpotRest = (request, world, venue) => {
  const { path, query, now } = request;
  if (!LISTS.includes(path) && !path.startsWith(BOOK)) return undefined;
  const pairs = spotPairs(world, venue);
  const quoted = () =>
    pairs.map((pair) => ({ pair, symbol: symbolOf(pair), ...spotQuote(world, pair, now) }));
  if (path === '/api/v4/public/markets') {
    const rows = quoted().map(({ pair, symbol, tickDecimals, lotDecimals, lot }) => {
      const digits = { stockPrec: String(lotDecimals), moneyPrec: String(tickDecimals), feePrec: '6' };
      const least = { minAmount: lot, minTotal: '5', maxTotal: '10000000' };
      const state = { tradesEnabled: true, isCollateral: true, type: 'spot', delistedAt: null };
      const fees = { makerFee: '0.1', takerFee: '0.1' };
      return { name: symbol, stock: pair.base, money: 'USDT', ...digits, ...fees, ...least, ...state };
    });
    return withRows(venue.rest(request, world), [], rows);
  }
  if (path === '/api/v2/public/ticker') {
    const result = quoted().map(({ symbol, bid, ask, last, volume, turnover }) => {
      const touch = { lastPrice: last, lowestAsk: ask, highestBid: bid };
      const volumes = { baseVolume24h: volume, quoteVolume24h: turnover };
      const at = { lastUpdateTimestamp: new Date(now).toISOString() };
      return { ...at, tradingPairs: symbol, ...touch, ...volumes, tradesEnabled: true };
    });
    return json({ success: true, message: '', result });
  }
  if (path === '/api/v4/public/ticker') {
    const perps = JSON.parse(venue.rest(request, world)?.body ?? '{}');
    const rows = quoted().map(({ symbol, last, volume, turnover }) => {
      const row = { last_price: last, quote_volume: turnover, base_volume: volume };
      return [symbol, { base_id: 1, quote_id: 825, ...row, isFrozen: false, change: '0.5' }] as const;
    });
    return json({ ...Object.fromEntries(rows), ...perps });
  }
  const asked = pairs.find((pair) => path === `${BOOK}${symbolOf(pair)}`);
  if (asked === undefined) return undefined;
  const depth = Math.min(MAX_DEPTH, Number(query.get('limit') ?? MAX_DEPTH));
  const { bids, asks } = spotBook(world, asked, now, depth);
  return json({ ticker_id: symbolOf(asked), timestamp: Math.floor(now / 1000), asks, bids });
};
