import { isWire, readNumber, type Wire } from '../../../domain/read.ts';
import { asBps } from '../../../domain/units.ts';
import { objectIn, rowsIn } from '../../../venues/grammar/answer.ts';
import { arrayLevels } from '../../../venues/grammar/book.ts';
import { field, ms, price, SECONDS, text } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import { baseDecimals, inBase, inQuote, priceDecimals } from '../../../venues/grammar/terms.ts';
import { isStated } from '../../../venues/quote-field.ts';
import { open } from '../../../venues/whitebit/wire.ts';
import { bookSnapshot, namedPair } from '../grammar/books.ts';
import { baseVolume, flag, readFeeBps, value } from '../grammar/fields.ts';
import { type MarketTable, marketList } from '../grammar/markets.ts';
import { separated } from '../grammar/pairs.ts';
import { tickers } from '../grammar/tickers.ts';
import type { SpotDecoder, SpotReason } from '../spot-rows.ts';
import { type SpotVenue, spotCall } from '../spot-venue.ts';

const spell = separated('_');

/** Pairs of the demonstration account. */
const DEMO = /^D[A-Z]+_D[A-Z]+$/;

const byName = (symbol: string): SpotReason | undefined => {
  if (symbol.endsWith('_PERP')) return 'perpetual';
  return DEMO.test(symbol) ? 'placeholder' : undefined;
};

/** Percent on the wire and a fraction in the documents: no fee is below 1 bps or above 1 percent. */
const takerFee = field('takerFee', (raw) => {
  const stated = readNumber(raw);
  return stated === undefined ? undefined : readFeeBps(stated, stated >= 0.01 ? 100 : 10_000);
});

const MARKET: MarketTable = {
  venue: 'whitebit',
  symbol: 'name',
  leftOut: (wire, symbol) => {
    if (wire.type !== 'spot') return wire.type === 'futures' ? 'perpetual' : 'placeholder';
    if (DEMO.test(symbol)) return 'placeholder';
    if (isStated(wire.delistedAt)) return 'delisted';
    return wire.tradesEnabled === true ? undefined : 'not_trading';
  },
  base: text('stock'),
  quote: text('money'),
  fields: {
    tick: priceDecimals('moneyPrec'),
    lot: baseDecimals('stockPrec'),
    minSize: inBase('minAmount'),
    minQuote: inQuote('minTotal'),
    takerFeeBps: takerFee,
    canShort: flag('isCollateral'),
  },
};

const decodeTickersV2 = tickers(rowsIn(open), {
  symbol: 'tradingPairs',
  spell,
  leftOut: ({ tradesEnabled }, symbol) =>
    byName(symbol) ?? (tradesEnabled === false ? 'not_trading' : undefined),
  fields: {
    bestBid: price('highestBid'),
    bestAsk: price('lowestAsk'),
    lastPrice: price('lastPrice'),
    volume24hBase: baseVolume('baseVolume24h'),
    volume24hQuote: value('quoteVolume24h'),
  },
});

const KEY = 'answer:key';

/** The fourth version is an object by market, without bid and ask. */
const keyed: RowsOf = (payload, out) => {
  const [markets = {}] = objectIn(open)(payload, out);
  return Object.entries(markets).map(([key, row]) => (isWire(row) ? { ...row, [KEY]: key } : row));
};

const decodeTickersV4 = tickers(keyed, {
  symbol: KEY,
  spell,
  leftOut: ({ isFrozen }: Wire, symbol) => byName(symbol) ?? (isFrozen === true ? 'not_trading' : undefined),
  fields: {
    lastPrice: price('last_price'),
    volume24hBase: baseVolume('base_volume'),
    volume24hQuote: value('quote_volume'),
  },
});

/** A call is found whatever its version: the second one has an envelope. */
const decodeTickers: SpotDecoder = (payload, context) =>
  (isWire(payload) && 'success' in payload ? decodeTickersV2 : decodeTickersV4)(payload, context);

export const whitebit: SpotVenue = {
  id: 'whitebit',
  takerFeeBps: asBps(10),
  calls: [
    spotCall('/api/v4/public/markets', marketList(rowsIn(open), MARKET)),
    spotCall('/api/v2/public/ticker', decodeTickers, { alsoAt: ['/api/v4/public/ticker'] }),
    spotCall(
      '/api/v4/public/orderbook/*',
      bookSnapshot(rowsIn(open, { row: 'bids' }), namedPair('ticker_id', 'market'), spell, {
        bids: arrayLevels('bids'),
        asks: arrayLevels('asks'),
        venueTime: ms('timestamp', SECONDS),
      }),
    ),
  ],
  evidence: {
    tickers: {
      said: '`v2/public/ticker`: `highestBid`, `lowestAsk` without sizes, volumes of 24 h, no time of a row (recorded 2025-01); `v4` has no bid and ask',
      confidence: 'high',
    },
    fee: { said: '`takerFee` in percent: "0.1"; the documents show a fraction', confidence: 'high' },
    borrow: { said: 'no call; its page states 0.0585 % a day for every coin', confidence: 'medium' },
  },
  verified: {
    version: 'v2, v4',
    date: '2026-11-28',
    source: 'WhiteBIT docs@fc21786 of 2026-01; ccxt 4.5.84',
  },
};
