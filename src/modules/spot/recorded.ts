import { iso } from '../../domain/clock.ts';
import { isWire } from '../../domain/read.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { DecodedRecord, RecordedMarket, RecordingContext } from '../../host/recorded-market.ts';
import { SPOT_VENUES, spotVenueOf } from './registry.ts';
import type { BorrowRow, SpotContext, SpotDecoded, SpotMarket, SpotTicker } from './spot-rows.ts';
import type { SpotCall, SpotVenue } from './spot-venue.ts';

/** Drops what is not known, so that a record holds facts only. */
const known = (fields: DecodedRecord): DecodedRecord =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const isoOr = (time: UnixMs | undefined): string | undefined => (time === undefined ? undefined : iso(time));

const marketRecord = (market: SpotMarket): DecodedRecord =>
  known({
    type: 'spot_market',
    venue: market.venue,
    symbol: market.symbol,
    base: market.base,
    quote: market.quote,
    ticker: market.ticker,
    multiplier: market.multiplier,
    relation: market.relation,
    alt_id: market.altId,
    token_id: market.tokenId,
    tick: market.tick,
    price_digits: market.priceDigits,
    lot: market.lot,
    min_size: market.minSize,
    min_notional_quote: market.minQuote,
    min_notional_usd: market.minUsd,
    taker_fee_bps: market.takerFeeBps,
    can_short: market.canShort,
    listed_at: isoOr(market.listedAt),
  });

const tickerRecord = (venue: SpotVenue, ticker: SpotTicker): DecodedRecord =>
  known({
    type: 'spot_ticker',
    venue: venue.id,
    symbol: ticker.symbol,
    ticker: ticker.ticker,
    quote: ticker.quote,
    best_bid: ticker.bestBid,
    best_bid_size: ticker.bestBidSize,
    best_ask: ticker.bestAsk,
    best_ask_size: ticker.bestAskSize,
    mid_price: ticker.midPrice,
    last_price: ticker.lastPrice,
    volume_24h_base: ticker.volume24hBase,
    volume_24h_quote: ticker.volume24hQuote,
    volume_24h_usd: ticker.volume24hUsd,
    taker_fee_bps: ticker.takerFeeBps,
    updated_at: isoOr(ticker.venueTime),
  });

const borrowRecord = ({ id }: SpotVenue, row: BorrowRow): DecodedRecord =>
  known({
    type: 'borrow_rate',
    venue: id,
    asset: row.asset,
    ticker: row.ticker,
    borrow_hourly: row.ratePerHour,
    borrow_raw: row.rateRaw,
    borrow_raw_period: row.period,
    tier: row.tier,
    limit: row.limit,
    limit_usd: row.limitUsd,
    available: row.available,
    refused: row.refused,
    access: row.access,
    updated_at: isoOr(row.venueTime),
  });

function* recordsOf(venue: SpotVenue, decoded: SpotDecoded) {
  for (const market of decoded.markets) yield marketRecord(market);
  for (const ticker of decoded.tickers) yield tickerRecord(venue, ticker);
  for (const row of decoded.borrow) yield borrowRecord(venue, row);
  for (const { symbol, bids, asks, sequence, venueTime } of decoded.books)
    yield known({
      type: 'spot_book',
      venue: venue.id,
      symbol,
      bids,
      asks,
      sequence,
      updated_at: isoOr(venueTime),
    });
  for (const { symbol, start, open, close } of decoded.candles)
    yield { type: 'spot_candle', venue: venue.id, symbol, hour_start: iso(start), open, close };
  for (const reject of decoded.rejects) yield { type: 'reject', venue: venue.id, ...reject };
}

const EMPTY: SpotContext = { markets: new Map() };

/** Markets from a recorded list: those of the call that reads most of them from it. */
const marketsFrom = ({ calls }: SpotVenue, payload: unknown): readonly SpotMarket[] =>
  calls
    .map((call) => call.decode(payload, EMPTY).markets)
    .reduce((most, list) => (list.length > most.length ? list : most), []);

/** Fields of envelopes that hold the data, which some recordings have kept alone. */
const ENVELOPES = ['data', 'result'] as const;

/** Decodes a payload, and takes it for the data of an answer where that alone was kept. */
function decodeRecorded({ decode }: SpotCall, payload: unknown, context: SpotContext): SpotDecoded {
  const read = decode(payload, context);
  if (!read.rejects.some(({ reason }) => reason === 'unexpected_shape') || isWire(payload)) return read;
  const isRead = ({ markets, tickers, borrow, books, candles }: SpotDecoded): boolean =>
    markets.length + tickers.length + borrow.length + books.length + candles.length > 0;
  return ENVELOPES.map((name) => decode({ [name]: payload }, context)).find(isRead) ?? read;
}

function* decodeAll(venue: SpotVenue, call: SpotCall, payloads: readonly unknown[], given: RecordingContext) {
  const { lists, request } = given;
  const listed = lists.flatMap((payload) => marketsFrom(venue, payload));
  const markets = new Map(listed.map((market) => [market.symbol, market]));
  for (const payload of payloads)
    yield* recordsOf(venue, decodeRecorded(call, payload, { markets, request }));
}

/** Recorded payloads of the spot side, for `perpmeter decode --market spot`. */
export const SPOT_RECORDED: RecordedMarket = {
  venues: SPOT_VENUES.map(({ id }) => id),
  types: ['spot_market', 'spot_ticker', 'borrow_rate', 'spot_book', 'spot_candle', 'reject'],
  callsOf: (id) => {
    const venue = spotVenueOf(id);
    return venue?.calls.map((call) => ({
      ...call,
      records: (payloads, context) => decodeAll(venue, call, payloads, context),
    }));
  },
};
