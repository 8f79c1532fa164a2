import { MOST_ORDERS, singleOrders } from '../../venues/lighter-orders.ts';
import { json, type SpotRest } from '../spot-answer.ts';
import { spotBook } from '../spot-book.ts';
import { spotPairs, spotQuote } from '../spot-pair.ts';
import { withRows } from '../with-rows.ts';

const DETAILS = '/api/v1/orderBookDetails';
const BOOK = '/api/v1/orderBookOrders';
/** Few pairs, numbered from here. */
const LISTED = 6;
const FIRST_ID = 2048;

/** Lists and volumes in one call, with the perpetuals or without; orders by the number of the market. */
export const lighterSpot: SpotRest = (request, world, venue) => {
  const { path, query, now } = request;
  if (path !== DETAILS && path !== BOOK) return undefined;
  const pairs = spotPairs(world, venue).slice(0, LISTED);
  const id = query.get('market_id');
  const asked = id === null ? undefined : pairs[Number(id) - FIRST_ID];
  if (path === BOOK) {
    if (asked === undefined) return undefined;
    const limit = Math.min(MOST_ORDERS, Number(query.get('limit') ?? 100));
    const { bids, asks } = spotBook(world, asked, now, Math.ceil(limit / 2));
    return json({ code: 200, ...singleOrders(bids, asks, limit, now) });
  }
  const rows = pairs.map((pair, place) => {
    const { last, volume, turnover, tickDecimals, lotDecimals, lot } = spotQuote(world, pair, now);
    const names = { symbol: `${pair.base}/USDC`, market_id: FIRST_ID + place, market_type: 'spot' };
    const fees = { taker_fee: '0.0000', maker_fee: '0.0000', liquidation_fee: '0.0000' };
    const least = { min_base_amount: lot, min_quote_amount: '10.000000' };
    const digits = { size_decimals: lotDecimals, price_decimals: tickDecimals };
    const supported = { supported_size_decimals: lotDecimals, supported_price_decimals: tickDecimals };
    const day = { daily_base_token_volume: Number(volume), daily_quote_token_volume: Number(turnover) };
    const traded = { last_trade_price: Number(last), daily_trades_count: 1000, daily_chart: {} };
    const assets = { base_asset_id: place + 1, quote_asset_id: 3, status: 'active' };
    return { ...names, ...assets, ...fees, ...least, ...digits, ...supported, ...traded, ...day };
  });
  if (asked !== undefined)
    return json({
      code: 200,
      order_book_details: [],
      spot_order_book_details: [rows[Number(id) - FIRST_ID]],
    });
  if (query.get('filter') === 'spot')
    return json({ code: 200, order_book_details: [], spot_order_book_details: rows });
  const isOfAll = id === null || id === '255';
  return isOfAll ? withRows(venue.rest(request, world), ['spot_order_book_details'], rows) : undefined;
};
