import { isWire, readNumber, type Wire } from '../../../domain/read.ts';
import { asBps } from '../../../domain/units.ts';
import { objectIn, rejectError, rowsIn, type UnwrapEnvelope } from '../../../venues/grammar/answer.ts';
import { ordersAddedUp } from '../../../venues/grammar/book.ts';
import { field, price } from '../../../venues/grammar/field.ts';
import { baseDecimals, inBase, inQuote, priceDecimals } from '../../../venues/grammar/terms.ts';
import { isSpotId, marketId } from '../../../venues/lighter/market-id.ts';
import { bookSnapshot, requestedPair } from '../grammar/books.ts';
import { baseVolume, fee, value } from '../grammar/fields.ts';
import { type MarketTable, marketList, withTickers } from '../grammar/markets.ts';
import { separated } from '../grammar/pairs.ts';
import { tickers } from '../grammar/tickers.ts';
import { emptySpot, type SpotContext, type SpotDecoder } from '../spot-rows.ts';
import { type SpotVenue, spotCall } from '../spot-venue.ts';

const SUCCESS = 200;

const open: UnwrapEnvelope = (payload, out) => {
  if (!isWire(payload) || payload.code === undefined || readNumber(payload.code) === SUCCESS) return payload;
  return rejectError(out, payload.code, payload.message);
};

const rows = rowsIn(open, { list: 'spot_order_book_details' });
const spell = separated('/');

const MARKET: MarketTable = {
  venue: 'lighter',
  symbol: 'symbol',
  leftOut: ({ market_type: type, market_id: id, status }) => {
    if (type !== 'spot') return 'perpetual';
    if (marketId(id) === undefined) return 'malformed';
    if (!isSpotId(id)) return 'perpetual';
    return status === 'active' ? undefined : 'not_trading';
  },
  base: field('symbol', (raw) => spell(String(raw))?.base),
  quote: field('symbol', (raw) => spell(String(raw))?.quote),
  fields: {
    altId: field('market_id', marketId),
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

const idAsked = requestedPair('market_id');

/** Books name no market: the one of the number that was asked for; the number as long as no list has it. */
function marketAsked(wire: Wire, context: SpotContext): string | undefined {
  const id = idAsked(wire, context);
  return [...context.markets.values()].find(({ altId }) => altId === id)?.symbol ?? id;
}

const side = (name: string) => ordersAddedUp(name, 'price', 'remaining_base_amount');

const decodeOrders = bookSnapshot(objectIn(open), marketAsked, spell, {
  bids: side('bids'),
  asks: side('asks'),
});

/** The same call answers for perpetuals, whose ids are below. */
const decodeBook: SpotDecoder = (payload, context) => {
  const id = idAsked({}, context);
  if (id === undefined || isSpotId(id)) return decodeOrders(payload, context);
  return { ...emptySpot(), rejects: [{ symbol: id, reason: 'perpetual' }] };
};

export const lighter: SpotVenue = {
  id: 'lighter',
  takerFeeBps: asBps(0),
  calls: [
    spotCall('/api/v1/orderBookDetails', decodeDetails),
    spotCall('/api/v1/orderBookOrders', decodeBook),
  ],
  evidence: {
    tickers: {
      said: '`orderBookDetails?filter=spot`: list and volumes in one answer, neither bid nor ask, no time (recorded 2025-12)',
      confidence: 'high',
    },
    fee: { said: '`taker_fee` of a standard account is 0', confidence: 'medium' },
    borrow: { said: 'no lending market was found', confidence: 'medium' },
  },
  verified: {
    version: 'api/v1',
    date: '2026-11-28',
    source: 'Lighter API docs; ccxt 4.5.84; a public client that recorded the book of 2048 in 2026-10',
  },
};
