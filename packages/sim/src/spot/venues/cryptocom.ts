import type { SimResponse } from '../../venue.ts';
import type { World } from '../../world.ts';
import { json, type SpotRest } from '../spot-answer.ts';
import { spotBook } from '../spot-book.ts';
import { type SpotPair, spotPairs, spotQuote } from '../spot-pair.ts';
import { withRows } from '../with-rows.ts';

const CALLS = ['get-instruments', 'get-tickers', 'get-book'].map((name) => `/exchange/v1/public/${name}`);
const MAX_DEPTH = 150;
const LIST = ['result', 'data'];

const symbolOf = ({ base }: SpotPair): string => `${base}_USD`;

const answer = (method: string, result: unknown): SimResponse =>
  json({ id: -1, method: `public/${method}`, code: 0, result });

function instrumentRow(pair: SpotPair, world: World, now: number): object {
  const { tick, lot, tickDecimals, lotDecimals } = spotQuote(world, pair, now);
  const names = { symbol: symbolOf(pair), display_name: `${pair.base}/USD`, base_ccy: pair.base };
  const steps = { price_tick_size: tick, qty_tick_size: lot };
  const digits = { quote_decimals: tickDecimals, quantity_decimals: lotDecimals };
  const margin = { max_leverage: '50', margin_buy_enabled: true, margin_sell_enabled: true };
  const state = { tradable: true, expiry_timestamp_ms: 0, beta_product: false };
  return { ...names, inst_type: 'CCY_PAIR', quote_ccy: 'USD', ...digits, ...steps, ...state, ...margin };
}

function tickerRow(pair: SpotPair, world: World, now: number): object {
  const { bid, bidSize, ask, askSize, last, volume, turnover } = spotQuote(world, pair, now);
  const touch = { b: bid, bs: bidSize, k: ask, ks: askSize, a: last };
  return { i: symbolOf(pair), h: last, l: last, ...touch, v: volume, vv: turnover, c: '0.0395', t: now };
}

/** Spot pairs and perpetuals come in one list, and in one answer of tickers. */
export const cryptocomSpot: SpotRest = (request, world, venue) => {
  const { path, query, now } = request;
  if (!CALLS.includes(path)) return undefined;
  const pairs = spotPairs(world, venue);
  const named = query.get('instrument_name');
  const asked = pairs.find((pair) => symbolOf(pair) === named);
  if (path.endsWith('get-book')) {
    if (asked === undefined) return undefined;
    const depth = Math.min(MAX_DEPTH, Number(query.get('depth') ?? MAX_DEPTH));
    const { bids, asks } = spotBook(world, asked, now, depth);
    const counted = (side: typeof bids) => side.map((level) => [...level, '1']);
    const data = [{ asks: counted(asks), bids: counted(bids), t: now, tt: now, u: now }];
    return answer('get-book', { depth, data, instrument_name: named });
  }
  const row = path.endsWith('get-tickers') ? tickerRow : instrumentRow;
  if (asked !== undefined) return answer('get-tickers', { data: [row(asked, world, now)] });
  if (named !== null) return undefined;
  const rows = pairs.map((pair) => row(pair, world, now));
  return withRows(venue.rest(request, world), LIST, rows);
};
