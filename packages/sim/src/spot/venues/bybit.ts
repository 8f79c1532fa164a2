import { decimal } from '../../decimal.ts';
import type { SpotRest } from '../spot-answer.ts';
import { json } from '../spot-answer.ts';
import { spotBook } from '../spot-book.ts';
import { borrowLimit, borrowRate, spotPairs, spotQuote } from '../spot-pair.ts';

export const bybitSpot: SpotRest = ({ path, query, now }, world, venue) => {
  const ok = (result: object) => json({ retCode: 0, retMsg: 'OK', result, time: now });
  const pairs = spotPairs(world, venue);
  if (path === '/v5/spot-margin-trade/data') {
    const list = pairs.map((pair, i) => ({
      currency: pair.base,
      // Some coins are listed and not lent.
      borrowable: i % 10 !== 9,
      hourlyBorrowRate: decimal(borrowRate(world, pair, now)),
      maxBorrowingAmount: String(borrowLimit(world, pair, now)),
    }));
    return ok({ vipCoinList: [{ vipLevel: 'No VIP', list }] });
  }
  if (query.get('category') !== 'spot') return undefined;
  if (path === '/v5/market/instruments-info') {
    const list = pairs.map((pair) => {
      const { tick, lot } = spotQuote(world, pair, now);
      return {
        symbol: `${pair.base}USDT`,
        baseCoin: pair.base,
        quoteCoin: 'USDT',
        status: 'Trading',
        marginTrading: 'utaOnly',
        lotSizeFilter: { basePrecision: lot, minOrderQty: lot, minOrderAmt: '5' },
        priceFilter: { tickSize: tick },
      };
    });
    return ok({ category: 'spot', list });
  }
  if (path === '/v5/market/orderbook') {
    const pair = pairs.find(({ base }) => `${base}USDT` === query.get('symbol'));
    if (pair === undefined) return json({ retCode: 10001, retMsg: 'Not supported symbols', result: {} });
    const { bids, asks } = spotBook(world, pair, now, Number(query.get('limit') ?? 1));
    return ok({ s: `${pair.base}USDT`, b: bids, a: asks, ts: now, u: now, seq: now });
  }
  if (path !== '/v5/market/tickers') return undefined;
  const list = pairs.map((pair) => {
    const { bid, bidSize, ask, askSize, last, volume, turnover } = spotQuote(world, pair, now);
    const touch = { bid1Price: bid, bid1Size: bidSize, ask1Price: ask, ask1Size: askSize };
    return {
      symbol: `${pair.base}USDT`,
      ...touch,
      lastPrice: last,
      volume24h: volume,
      turnover24h: turnover,
    };
  });
  return ok({ category: 'spot', list });
};
