import { json, type SpotRest } from '../spot-answer.ts';
import { spotBook } from '../spot-book.ts';
import { spotPairs, spotQuote } from '../spot-pair.ts';

export const kucoinSpot: SpotRest = ({ path, query, now }, world, venue) => {
  const calls = ['/api/v2/symbols', '/api/v1/market/allTickers', '/api/v1/market/orderbook/level2_100'];
  if (!calls.includes(path)) return undefined;
  const pairs = spotPairs(world, venue);
  if (path === '/api/v1/market/orderbook/level2_100') {
    const pair = pairs.find(({ base }) => `${base}-USDT` === query.get('symbol'));
    if (pair === undefined) return json({ code: '400100', msg: 'symbol is not there' });
    const stamps = { time: now, sequence: String(now) };
    return json({ code: '200000', data: { ...stamps, ...spotBook(world, pair, now, 100) } }, 4);
  }
  if (path === '/api/v2/symbols')
    return json({
      code: '200000',
      data: pairs.map((pair) => {
        const { tick, lot } = spotQuote(world, pair, now);
        const symbol = `${pair.base}-USDT`;
        const names = {
          symbol,
          name: symbol,
          baseCurrency: pair.base,
          quoteCurrency: 'USDT',
          market: 'USDS',
        };
        const terms = { baseMinSize: lot, baseIncrement: lot, priceIncrement: tick, minFunds: '0.1' };
        return {
          ...names,
          ...terms,
          isMarginEnabled: true,
          enableTrading: true,
          takerFeeCoefficient: '1.00',
        };
      }),
    });
  const ticker = pairs.map((pair) => {
    const { bid, bidSize, ask, askSize, last, volume, turnover } = spotQuote(world, pair, now);
    const touch = { buy: bid, bestBidSize: bidSize, sell: ask, bestAskSize: askSize, last };
    const fees = { takerFeeRate: '0.001', takerCoefficient: '1' };
    return { symbol: `${pair.base}-USDT`, ...touch, vol: volume, volValue: turnover, ...fees };
  });
  return json({ code: '200000', data: { time: now, ticker } }, 15);
};
