import { json, type SpotRest } from '../spot-answer.ts';
import { inNumbers, spotBook } from '../spot-book.ts';
import { spotPairs, spotQuote } from '../spot-pair.ts';

export const htxSpot: SpotRest = ({ path, query, now }, world, venue) => {
  if (path !== '/v1/common/symbols' && path !== '/market/tickers' && path !== '/market/depth')
    return undefined;
  const pairs = spotPairs(world, venue);
  const ok = (data: readonly object[]) => json({ status: 'ok', ts: now, data });
  if (path === '/market/depth') {
    const pair = pairs.find(({ base }) => `${base.toLowerCase()}usdt` === query.get('symbol'));
    if (pair === undefined) return json({ status: 'error', 'err-code': 'invalid-parameter', ts: now });
    const { bids, asks } = spotBook(world, pair, now, Number(query.get('depth') ?? 150));
    const tick = { bids: inNumbers(bids), asks: inNumbers(asks), version: now, ts: now };
    return json({ ch: `market.${query.get('symbol')}.depth.step0`, status: 'ok', ts: now, tick });
  }
  if (path === '/v1/common/symbols')
    return ok(
      pairs.map((pair) => {
        const { tickDecimals, lotDecimals, lot } = spotQuote(world, pair, now);
        const base = pair.base.toLowerCase();
        return {
          symbol: `${base}usdt`,
          'base-currency': base,
          'quote-currency': 'usdt',
          'price-precision': tickDecimals,
          'amount-precision': lotDecimals,
          state: 'online',
          'limit-order-min-order-amt': Number(lot),
          'min-order-value': 5,
          tags: '',
        };
      }),
    );
  return ok(
    pairs.map((pair) => {
      const { bid, bidSize, ask, askSize, last, volume, turnover } = spotQuote(world, pair, now);
      const touch = {
        bid: Number(bid),
        bidSize: Number(bidSize),
        ask: Number(ask),
        askSize: Number(askSize),
      };
      const volumes = { amount: Number(volume), vol: Number(turnover) };
      return { symbol: `${pair.base.toLowerCase()}usdt`, close: Number(last), ...touch, ...volumes };
    }),
  );
};
