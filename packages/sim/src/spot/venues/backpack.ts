import { fixed } from '../../format.ts';
import { json, type SpotRest } from '../spot-answer.ts';
import { spotBook } from '../spot-book.ts';
import { borrowRate, spotPairs, spotQuote } from '../spot-pair.ts';

/** Pairs whose tickers the venue's bulk call has beside those of perpetuals. */
const LISTED = 8;

/** The list and the lending market; the tickers come with those of the perpetuals. */
export const backpackSpot: SpotRest = ({ path, query, now }, world, venue) => {
  const pairs = spotPairs(world, venue).slice(0, LISTED);
  if (path === '/api/v1/markets' && query.get('marketType') === 'SPOT')
    return json(
      pairs.map((pair) => {
        const { tick, lot } = spotQuote(world, pair, now);
        return {
          symbol: `${pair.base}_USDC`,
          baseSymbol: pair.base,
          quoteSymbol: 'USDC',
          marketType: 'SPOT',
          orderBookState: 'Open',
          visible: true,
          createdAt: '2025-01-21T06:34:54.691858',
          filters: { price: { tickSize: tick }, quantity: { stepSize: lot, minQuantity: lot } },
        };
      }),
    );
  if (path === '/api/v1/depth') {
    const pair = pairs.find(({ base }) => `${base}_USDC` === query.get('symbol'));
    if (pair === undefined) return undefined;
    const { bids, asks } = spotBook(world, pair, now, Number(query.get('limit') ?? 100));
    // Both sides ascend.
    const sides = { bids: bids.toReversed(), asks };
    return json({ ...sides, lastUpdateId: String(now), timestamp: now * 1000 });
  }
  if (path !== '/api/v1/borrowLend/markets') return undefined;
  return json(
    pairs.map((pair) => ({
      symbol: pair.base,
      state: 'Open',
      borrowInterestRate: fixed(8760 * borrowRate(world, pair, now), 8),
      borrowedQuantity: '100',
      lentQuantity: '1000',
      maxUtilization: '0.9',
      openBorrowLendLimit: '5000',
      timestamp: new Date(now).toISOString(),
    })),
  );
};
