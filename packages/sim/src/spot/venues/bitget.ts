import { decimal } from '../../decimal.ts';
import { json, type SpotRest } from '../spot-answer.ts';
import { spotBook } from '../spot-book.ts';
import { borrowLimit, borrowRate, type SpotName, spotPairs, spotQuote } from '../spot-pair.ts';

/** The coin of TON goes by an own name. */
export const NAMES: SpotName = (ticker) =>
  ticker === 'GRAM' ? { base: 'TONCOIN', multiplier: 1 } : undefined;

/** Some coins are on margin of their own pair alone. */
const isLent = (place: number): boolean => place % 12 !== 5;

export const bitgetSpot: SpotRest = ({ path, query, now }, world, venue) => {
  const ok = (data: object) => json({ code: '00000', msg: 'success', requestTime: now, data });
  const pairs = spotPairs(world, venue, NAMES);
  if (path === '/api/v2/spot/public/symbols')
    return ok(
      pairs.map((pair) => {
        const { tickDecimals, lotDecimals } = spotQuote(world, pair, now);
        const terms = { takerFeeRate: '0.002', pricePrecision: String(tickDecimals), status: 'online' };
        const least = { minTradeAmount: '0', minTradeUSDT: '1', quantityPrecision: String(lotDecimals) };
        return { symbol: `${pair.base}USDT`, baseCoin: pair.base, quoteCoin: 'USDT', ...terms, ...least };
      }),
    );
  if (path === '/api/v2/spot/market/tickers')
    return ok(
      pairs.map((pair) => {
        const { bid, bidSize, ask, askSize, last, volume, turnover } = spotQuote(world, pair, now);
        const touch = { lastPr: last, bidPr: bid, bidSz: bidSize, askPr: ask, askSz: askSize };
        const volumes = { baseVolume: volume, quoteVolume: turnover, usdtVolume: turnover };
        return { symbol: `${pair.base}USDT`, ...touch, ...volumes, ts: String(now) };
      }),
    );
  if (path === '/api/v2/spot/market/orderbook') {
    const pair = pairs.find(({ base }) => `${base}USDT` === query.get('symbol'));
    if (pair === undefined)
      return json({ code: '40034', msg: 'Parameter symbol does not exist', data: null });
    return ok({ ...spotBook(world, pair, now, Number(query.get('limit') ?? 150)), ts: String(now) });
  }
  if (path === '/api/v2/margin/currencies')
    return ok(
      pairs.map(({ base }, place) => {
        const names = { symbol: `${base}USDT`, baseCoin: base, quoteCoin: 'USDT', status: '1' };
        const isolated = { isIsolatedBaseBorrowable: true, isIsolatedQuoteBorrowable: true };
        return { ...names, isBorrowable: true, ...isolated, isCrossBorrowable: isLent(place) };
      }),
    );
  if (path !== '/api/v3/market/margin-loans') return undefined;
  const place = pairs.findIndex(({ base }) => base === query.get('coin'));
  const pair = pairs[place];
  if (pair === undefined) return json({ code: '40034', msg: 'Parameter coin does not exist', data: null });
  if (!isLent(place))
    return {
      status: 400,
      body: JSON.stringify({ code: '50001', msg: 'coin does not support cross', data: null }),
    };
  const dailyInterest = decimal(24 * borrowRate(world, pair, now));
  return ok({ dailyInterest, limit: String(borrowLimit(world, pair, now)) });
};
