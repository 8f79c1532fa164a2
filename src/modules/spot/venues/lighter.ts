import { isWire, readNumber } from '../../../domain/read.ts';
import { asBps } from '../../../domain/units.ts';
import { rejectError, rowsIn, type UnwrapEnvelope } from '../../../venues/grammar/answer.ts';
import { field, price } from '../../../venues/grammar/field.ts';
import { baseDecimals, inBase, inQuote, priceDecimals } from '../../../venues/grammar/terms.ts';
import { baseVolume, fee, value } from '../grammar/fields.ts';
import { type MarketTable, marketList, withTickers } from '../grammar/markets.ts';
import { separated } from '../grammar/pairs.ts';
import { tickers } from '../grammar/tickers.ts';
import { type SpotVenue, spotCall } from '../spot-venue.ts';

const SUCCESS = 200;

const open: UnwrapEnvelope = (payload, out) => {
  if (!isWire(payload) || payload.code === undefined || readNumber(payload.code) === SUCCESS) return payload;
  return rejectError(out, payload.code, payload.message);
};

const rows = rowsIn(open, { list: 'spot_order_book_details' });
const spell = separated('/');

/** Ids below are perpetuals. */
const FIRST_SPOT_ID = 2048;

const MARKET: MarketTable = {
  venue: 'lighter',
  symbol: 'symbol',
  leftOut: ({ market_type: type, market_id: id, status }) => {
    if (type !== 'spot' || (readNumber(id) ?? 0) < FIRST_SPOT_ID) return 'perpetual';
    return status === 'active' ? undefined : 'not_trading';
  },
  base: field('symbol', (raw) => spell(String(raw))?.base),
  quote: field('symbol', (raw) => spell(String(raw))?.quote),
  fields: {
    tick: priceDecimals('price_decimals'),
    lot: baseDecimals('size_decimals'),
    minSize: inBase('min_base_amount'),
    minQuote: inQuote('min_quote_amount'),
    takerFeeBps: fee('taker_fee', 10_000),
  },
};

const decodeDetails = withTickers(
  marketList(rows, MARKET),
  tickers(rows, {
    symbol: 'symbol',
    spell,
    fields: {
      lastPrice: price('last_trade_price'),
      volume24hBase: baseVolume('daily_base_token_volume'),
      volume24hQuote: value('daily_quote_token_volume'),
    },
  }),
);

export const lighter: SpotVenue = {
  id: 'lighter',
  takerFeeBps: asBps(0),
  calls: [spotCall('/api/v1/orderBookDetails', decodeDetails)],
  evidence: {
    tickers: {
      said: '`orderBookDetails?filter=spot`: list and volumes in one answer, neither bid nor ask, no time (recorded 2025-12)',
      confidence: 'high',
    },
    fee: { said: '`taker_fee` of a standard account is 0', confidence: 'medium' },
    borrow: { said: 'no lending market was found', confidence: 'medium' },
  },
  verified: { version: 'api/v1', date: '2026-11-28', source: 'Lighter API docs; ccxt 4.5.84' },
};
