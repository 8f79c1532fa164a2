import { decimal } from '../../decimal.ts';
import { json, type SpotRest } from '../spot-answer.ts';
import { spotBook } from '../spot-book.ts';
import { borrowRate, spotPairs, spotQuote } from '../spot-pair.ts';

/** Tokens beside coins, which are none. */
const TOKENS = [
  { base: 'BTC3L', base_name: 'BTC3xLong' },
  { base: 'AAPLX', base_name: 'Apple xStock' },
] as const;

const marketRow = (base: string, base_name: string, tickDecimals: number, lotDecimals: number): object => ({
  id: `${base}_USDT`,
  base,
  base_name,
  quote: 'USDT',
  min_base_amount: (10 ** -lotDecimals).toFixed(lotDecimals),
  fee: '0.2',
  min_quote_amount: '3',
  amount_precision: lotDecimals,
  precision: tickDecimals,
  trade_status: 'tradable',
  type: 'normal',
});

/** Some coins are no part of the unified account, which lends. */
const isLent = (place: number): boolean => place % 12 !== 7;

const lentRow = (name: string, place: number): object => ({
  name,
  user_max_borrow_amount: '1000000',
  total_max_borrow_amount: '3000000',
  loan_status: place % 12 === 11 ? 'disable' : 'enable',
});

export const gateSpot: SpotRest = ({ path, query, now }, world, venue) => {
  if (!path.startsWith('/api/v4/spot/') && !path.startsWith('/api/v4/unified/')) return undefined;
  const pairs = spotPairs(world, venue);
  switch (path) {
    case '/api/v4/spot/currency_pairs': {
      const coins = pairs.map((pair) => {
        const { tickDecimals, lotDecimals } = spotQuote(world, pair, now);
        return marketRow(pair.base, pair.base, tickDecimals, lotDecimals);
      });
      return json([...coins, ...TOKENS.map(({ base, base_name }) => marketRow(base, base_name, 4, 2))]);
    }
    case '/api/v4/spot/tickers':
      return json(
        pairs.map((pair) => {
          const { bid, bidSize, ask, askSize, last, volume, turnover } = spotQuote(world, pair, now);
          const touch = { highest_bid: bid, highest_size: bidSize, lowest_ask: ask, lowest_size: askSize };
          const volumes = { base_volume: volume, quote_volume: turnover };
          return { currency_pair: `${pair.base}_USDT`, last, ...touch, ...volumes };
        }),
      );
    case '/api/v4/spot/order_book': {
      const pair = pairs.find(({ base }) => `${base}_USDT` === query.get('currency_pair'));
      if (pair === undefined) return json({ label: 'INVALID_CURRENCY_PAIR', message: 'no such pair' });
      const { bids, asks } = spotBook(world, pair, now, Number(query.get('limit') ?? 10));
      return json({ id: now, current: now, update: now, asks, bids });
    }
    case '/api/v4/unified/currencies':
      return json(pairs.flatMap(({ base }, place) => (isLent(place) ? [lentRow(base, place)] : [])));
    case '/api/v4/unified/history_loan_rate': {
      const currency = query.get('currency');
      const pair = pairs.find(({ base }, i) => base === currency && isLent(i));
      const rates = pair === undefined ? [] : [{ time: now, rate: decimal(borrowRate(world, pair, now)) }];
      return json({ currency, tier: '0', rates });
    }
    default:
      return undefined;
  }
};
