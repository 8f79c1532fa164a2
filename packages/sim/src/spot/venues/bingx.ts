import { json, type SpotRest } from '../spot-answer.ts';
import { spotBook } from '../spot-book.ts';
import { type SpotName, spotPairs, spotQuote } from '../spot-pair.ts';

/** The coin of TRUMP is another one's name here. */
const NAMES: SpotName = (ticker) => (ticker === 'TRUMP' ? { base: 'TRUMPSOL', multiplier: 1 } : undefined);

export const bingxSpot: SpotRest = ({ path, query, now }, world, venue) => {
  if (!path.startsWith('/openApi/spot/')) return undefined;
  const pairs = spotPairs(world, venue, NAMES);
  const ok = (data: object) => json({ code: 0, msg: '', data });
  if (path === '/openApi/spot/v1/common/symbols')
    return ok({
      symbols: pairs.map((pair) => {
        const { tick, lot } = spotQuote(world, pair, now);
        const sizes = { minQty: Number(lot), stepSize: Number(lot), tickSize: Number(tick) };
        const state = { status: 1, apiStateSell: true, apiStateBuy: true };
        return { symbol: `${pair.base}-USDT`, ...sizes, minNotional: 5, ...state };
      }),
    });
  if (path === '/openApi/spot/v1/market/depth') {
    const pair = pairs.find(({ base }) => `${base}-USDT` === query.get('symbol'));
    if (pair === undefined) return json({ code: 100400, msg: 'symbol is not there', data: null });
    const { bids, asks } = spotBook(world, pair, now, Number(query.get('limit') ?? 20));
    // Asks go from the worst to the best.
    return ok({ bids, asks: asks.toReversed(), ts: now });
  }
  if (path !== '/openApi/spot/v1/ticker/24hr') return undefined;
  return ok(
    pairs.map((pair) => {
      const { bid, bidSize, ask, askSize, last, volume, turnover } = spotQuote(world, pair, now);
      const touch = {
        bidPrice: Number(bid),
        bidQty: Number(bidSize),
        askPrice: Number(ask),
        askQty: Number(askSize),
      };
      const volumes = { volume: Number(volume), quoteVolume: Number(turnover) };
      return { symbol: `${pair.base}-USDT`, lastPrice: last, ...touch, ...volumes, closeTime: now };
    }),
  );
};
