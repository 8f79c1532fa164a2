import { decimal } from '../../decimal.ts';
import { json, type SpotRest } from '../spot-answer.ts';
import { spotBook } from '../spot-book.ts';
import { borrowLimit, borrowRate, spotPairs, spotQuote } from '../spot-pair.ts';

export const okxSpot: SpotRest = ({ path, query, now }, world, venue) => {
  const ok = (data: readonly object[]) => json({ code: '0', msg: '', data });
  const pairs = spotPairs(world, venue);
  if (path === '/api/v5/public/interest-rate-loan-quota') {
    const basic = pairs.map((pair) => ({
      ccy: pair.base,
      rate: decimal(24 * borrowRate(world, pair, now)),
      quota: String(borrowLimit(world, pair, now)),
    }));
    return ok([{ basic, configCcyList: [], config: [] }]);
  }
  if (path === '/api/v5/market/books') {
    const pair = pairs.find(({ base }) => `${base}-USDT` === query.get('instId'));
    if (pair === undefined) return undefined;
    const { bids, asks } = spotBook(world, pair, now, Number(query.get('sz') ?? 1));
    const counted = (side: typeof bids) => side.map((level) => [...level, '0', '1']);
    return ok([{ asks: counted(asks), bids: counted(bids), ts: String(now), seqId: now }]);
  }
  if (query.get('instType') !== 'SPOT') return undefined;
  if (path === '/api/v5/public/instruments')
    return ok(
      pairs.map((pair) => {
        const { tick, lot } = spotQuote(world, pair, now);
        const terms = { tickSz: tick, lotSz: lot, minSz: lot, state: 'live', listTime: '1611907686000' };
        return {
          instType: 'SPOT',
          instId: `${pair.base}-USDT`,
          baseCcy: pair.base,
          quoteCcy: 'USDT',
          ...terms,
        };
      }),
    );
  if (path !== '/api/v5/market/tickers') return undefined;
  return ok(
    pairs.map((pair) => {
      const { bid, bidSize, ask, askSize, last, volume, turnover } = spotQuote(world, pair, now);
      const touch = { bidPx: bid, bidSz: bidSize, askPx: ask, askSz: askSize, last };
      const volumes = { vol24h: volume, volCcy24h: turnover };
      return { instType: 'SPOT', instId: `${pair.base}-USDT`, ...touch, ...volumes, ts: String(now) };
    }),
  );
};
