import { isWire, readNumber, readText, type Wire } from '../../../domain/read.ts';
import { asBps } from '../../../domain/units.ts';
import { envelope, objectIn, rowsIn } from '../../../venues/grammar/answer.ts';
import { arrayLevels } from '../../../venues/grammar/book.ts';
import { field, ms, number, price, required, text } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import { inBase, inQuote, tick } from '../../../venues/grammar/terms.ts';
import { isStated } from '../../../venues/quote-field.ts';
import { bookSnapshot, namedPair, requestedPair } from '../grammar/books.ts';
import { borrowRates, lent } from '../grammar/borrow.ts';
import { hourCandles } from '../grammar/candles.ts';
import { AROUND, baseVolume, size, value, withTime } from '../grammar/fields.ts';
import { type MarketTable, marketList } from '../grammar/markets.ts';
import { joined } from '../grammar/pairs.ts';
import { tickers } from '../grammar/tickers.ts';
import type { SpotReason } from '../spot-rows.ts';
import { type SpotVenue, spotCall } from '../spot-venue.ts';

const open = envelope({
  code: 'retCode',
  isSuccess: (code) => readNumber(code) === 0,
  message: ({ retMsg }) => readText(retMsg)?.split('[', 1)[0],
  data: 'result',
});

const CATEGORY = 'answer:category';

/** Rows with the category and the time of their answer: perpetuals come from the same calls. */
const listed: RowsOf = (payload, out) => {
  const [result] = objectIn(open)(payload, out);
  if (result === undefined) return [];
  const rows = rowsIn((whole) => whole, { list: 'list' })(result, out);
  const time = isWire(payload) ? payload.time : undefined;
  return withTime(rows, time).map((row) => (isWire(row) ? { ...row, [CATEGORY]: result.category } : row));
};

const isSpot = ({ [CATEGORY]: category }: Wire): boolean => (category ?? 'spot') === 'spot';

const MARGINS: Readonly<Record<string, boolean>> = {
  none: false,
  both: true,
  utaOnly: true,
  normalSpotOnly: true,
};

const STATUSES: Readonly<Record<string, SpotReason>> = { PreLaunch: 'prelisting', Closed: 'delisted' };

/** Types of pairs whose base stands for a share or a fund. */
const SHARES: ReadonlySet<unknown> = new Set(['xstocks', 'stock', 'ETF']);

const MARKET: MarketTable = {
  venue: 'bybit',
  symbol: 'symbol',
  leftOut: (wire) => {
    if (!isSpot(wire) || isStated(wire.contractType)) return 'perpetual';
    if (SHARES.has(wire.symbolType)) return 'tokenized_share';
    return wire.status === 'Trading' ? undefined : (STATUSES[String(wire.status)] ?? 'not_trading');
  },
  base: text('baseCoin'),
  quote: text('quoteCoin'),
  fields: {
    tick: required(tick('priceFilter.tickSize')),
    lot: required(inBase('lotSizeFilter.basePrecision')),
    minSize: inBase('lotSizeFilter.minOrderQty'),
    minQuote: inQuote('lotSizeFilter.minOrderAmt'),
    canShort: field('marginTrading', (raw) => MARGINS[String(raw)]),
  },
};

const decodeTickers = tickers(listed, {
  symbol: 'symbol',
  spell: joined,
  leftOut: (wire) => (isSpot(wire) ? undefined : 'perpetual'),
  fields: {
    bestBid: price('bid1Price'),
    bestBidSize: size('bid1Size'),
    bestAsk: price('ask1Price'),
    bestAskSize: size('ask1Size'),
    lastPrice: price('lastPrice'),
    volume24hBase: baseVolume('volume24h'),
    volume24hQuote: value('turnover24h'),
    venueTime: ms(AROUND),
  },
});

/** All tiers come where the request names none; the lowest is the one without a privilege. */
const lowestTier: RowsOf = (payload, out) => {
  const tiers = rowsIn(open, { list: 'vipCoinList' })(payload, out).filter(isWire);
  const lowest =
    tiers.find(({ vipLevel }) => vipLevel === 'No VIP') ?? (tiers.length === 1 ? tiers[0] : undefined);
  if (lowest === undefined || !Array.isArray(lowest.list)) {
    if (out.rejects.length === 0)
      out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'lowest tier' });
    return [];
  }
  return lowest.list.map((row: unknown) => (isWire(row) ? { ...row, vipLevel: lowest.vipLevel } : row));
};

const decodeBorrow = borrowRates(lowestTier, {
  asset: 'currency',
  rate: 'hourlyBorrowRate',
  period: 'hour',
  state: lent('borrowable'),
  fields: { tier: text('vipLevel'), limit: baseVolume('maxBorrowingAmount') },
});

const decodeBorrowHistory = borrowRates(rowsIn(open, { list: 'list' }), {
  asset: 'currency',
  rate: 'hourlyBorrowRate',
  period: 'hour',
  access: 'key',
  fields: { tier: text('vipLevel'), venueTime: ms('timestamp') },
});

export const bybit: SpotVenue = {
  id: 'bybit',
  takerFeeBps: asBps(10),
  calls: [
    spotCall('/v5/market/instruments-info', marketList(listed, MARKET)),
    spotCall('/v5/market/tickers', decodeTickers),
    spotCall(
      '/v5/market/orderbook',
      bookSnapshot(objectIn(open), namedPair('s', 'symbol'), joined, {
        bids: arrayLevels('b'),
        asks: arrayLevels('a'),
        sequence: number('u'),
        venueTime: ms('ts'),
      }),
    ),
    spotCall(
      '/v5/market/kline',
      hourCandles(rowsIn(open, { list: 'list' }), requestedPair('symbol'), joined, {
        start: ms(0),
        open: price(1),
        close: price(4),
      }),
      { answers: (query) => query.get('category') === 'spot' },
    ),
    spotCall('/v5/spot-margin-trade/data', decodeBorrow),
    spotCall('/v5/spot-margin-trade/interest-rate-history', decodeBorrowHistory),
  ],
  evidence: {
    tickers: {
      said: '`tickers?category=spot`: `bid1Price`, `ask1Price` with sizes, `volume24h` base, `turnover24h` quote, time of the answer; the stream has neither bid nor ask',
      confidence: 'high',
    },
    fee: { said: '10 bps without a VIP level, by the help centre', confidence: 'high' },
    borrow: {
      said: '`spot-margin-trade/data` without a key: `hourlyBorrowRate` an hour, `maxBorrowingAmount` in coins, tier "No VIP"',
      confidence: 'high',
    },
    candles: {
      said: '`kline`: start ms, open, high, low, close …; newest first, at most 1,000 (example of the API docs)',
      confidence: 'high',
    },
  },
  verified: { version: 'v5', date: '2026-11-28', source: 'bybit-exchange/docs of 2026-07-24; ccxt 4.5.84' },
};
