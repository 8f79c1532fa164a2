import { isWire, readText, type Wire } from '../../../domain/read.ts';
import { asBps } from '../../../domain/units.ts';
import { envelope, objectIn, rowsIn } from '../../../venues/grammar/answer.ts';
import { arrayLevels } from '../../../venues/grammar/book.ts';
import { field, ms, price, text } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import { baseDecimals, inBase, inQuote, priceDecimals, tick } from '../../../venues/grammar/terms.ts';
import { bookSnapshot, requestedPair } from '../grammar/books.ts';
import { borrowRates, lent } from '../grammar/borrow.ts';
import { hourCandles } from '../grammar/candles.ts';
import { baseVolume, size, value } from '../grammar/fields.ts';
import { type MarketTable, marketList } from '../grammar/markets.ts';
import { joined } from '../grammar/pairs.ts';
import { tickers } from '../grammar/tickers.ts';
import type { SpotReason } from '../spot-rows.ts';
import { ownNames, type SpotVenue, spotCall } from '../spot-venue.ts';

const open = envelope({ isSuccess: (code) => String(code) === '00000' });

/** Own names of coins that go by another elsewhere. */
const ASSETS: Readonly<Record<string, string>> = { TONCOIN: 'TON' };
const assetOf = (name: string): string => ASSETS[name] ?? name;

const STATUSES: Readonly<Record<string, SpotReason>> = { gray: 'prelisting', offline: 'delisted' };

const leftOut = (wire: Wire): SpotReason | undefined => {
  if ((wire.category ?? 'SPOT') !== 'SPOT' && wire.category !== 'MARGIN') return 'perpetual';
  return wire.status === 'online' ? undefined : (STATUSES[String(wire.status)] ?? 'not_trading');
};

/** The second version states digits and a least value in USDT, and a list rate that nobody is charged. */
const MARKET: MarketTable = {
  venue: 'bitget',
  symbol: 'symbol',
  leftOut,
  base: text('baseCoin'),
  quote: text('quoteCoin'),
  assetOf,
  fields: {
    tick: priceDecimals('pricePrecision'),
    lot: baseDecimals('quantityPrecision'),
    minSize: inBase('minTradeAmount'),
    minUsd: inQuote('minTradeUSDT'),
  },
};

const TICKER = {
  symbol: 'symbol',
  spell: joined,
  assetOf,
  leftOut: ({ category }: Wire): SpotReason | undefined =>
    (category ?? 'SPOT') === 'SPOT' ? undefined : 'perpetual',
};

const decodeTickers = tickers(rowsIn(open, { row: 'symbol' }), {
  ...TICKER,
  fields: {
    bestBid: price('bidPr'),
    bestBidSize: size('bidSz'),
    bestAsk: price('askPr'),
    bestAskSize: size('askSz'),
    lastPrice: price('lastPr'),
    volume24hBase: baseVolume('baseVolume'),
    volume24hQuote: value('quoteVolume'),
    volume24hUsd: value('usdtVolume'),
    venueTime: ms('ts'),
  },
});

const decodeTickersV3 = tickers(rowsIn(open, { row: 'symbol' }), {
  ...TICKER,
  fields: {
    bestBid: price('bid1Price'),
    bestBidSize: size('bid1Size'),
    bestAsk: price('ask1Price'),
    bestAskSize: size('ask1Size'),
    lastPrice: price('lastPrice'),
    volume24hBase: baseVolume('volume24h'),
    volume24hQuote: value('turnover24h'),
    venueTime: ms('ts'),
  },
});

const isBorrowable = ({ isIsolatedBaseBorrowable: isolated }: Wire): unknown => isolated;

const MARKET_V3: MarketTable = {
  ...MARKET,
  fields: {
    tick: tick('priceMultiplier'),
    lot: inBase('quantityMultiplier'),
    minSize: inBase('minOrderQty'),
    minQuote: inQuote('minOrderAmount'),
    canShort: {
      name: 'isIsolatedBaseBorrowable',
      raw: isBorrowable,
      read: (raw) => (raw === 'YES' || raw === 'NO' ? raw === 'YES' : undefined),
    },
  },
};

const decodeBook = bookSnapshot(objectIn(open), requestedPair('symbol'), joined, {
  bids: arrayLevels('bids'),
  asks: arrayLevels('asks'),
  venueTime: ms('ts'),
});

const decodeBookV3 = bookSnapshot(objectIn(open), requestedPair('symbol'), joined, {
  bids: arrayLevels('b'),
  asks: arrayLevels('a'),
  venueTime: ms('ts'),
});

/** Candles `[time, open, high, low, close, …]`, oldest first. */
const decodeCandles = hourCandles(rowsIn(open), requestedPair('symbol'), joined, {
  start: ms(0),
  open: price(1),
  close: price(4),
});

const coinsOfPairs = rowsIn(open, { row: 'baseCoin' });

/** A row a coin out of the pairs on margin: one that is lent in cross margin is in one of them at least. */
const coins: RowsOf = (payload, out) => {
  const found = new Map<string, Wire>();
  const others: unknown[] = [];
  for (const row of coinsOfPairs(payload, out)) {
    const coin = isWire(row) ? readText(row.baseCoin) : undefined;
    if (!isWire(row) || coin === undefined) others.push(row);
    else if (!found.has(coin) || isLent(row) === true) found.set(coin, row);
  }
  return [...found.values(), ...others];
};

/** Marks are booleans in the example of the documents, and texts in their table. */
const MARKS: Readonly<Record<string, boolean>> = { true: true, YES: true, false: false, NO: false };

/** Undefined where either mark cannot be read. */
function isLent({ isBorrowable, isCrossBorrowable }: Wire): boolean | undefined {
  const [anywhere, inCross] = [isBorrowable, isCrossBorrowable].map((mark) => MARKS[String(mark)]);
  return anywhere === undefined || inCross === undefined ? undefined : anywhere && inCross;
}

const decodeCoins = borrowRates(coins, {
  asset: 'baseCoin',
  assetOf,
  state: {
    name: 'isCrossBorrowable',
    raw: isLent,
    read: (raw) => (raw === true ? 'open' : raw === false ? 'not_borrowable' : undefined),
  },
});

/** The error of a coin that cross margin does not have. */
const NOT_LENT = '50001';

/** The answer does not repeat the coin that was asked for. */
const loan: RowsOf = (payload, out) =>
  isWire(payload) && payload.code === NOT_LENT ? [{ code: NOT_LENT }] : objectIn(open)(payload, out);

const decodeLoan = borrowRates(loan, {
  asset: requestedPair('coin'),
  state: field('code', (raw) => (raw === NOT_LENT ? 'not_borrowable' : 'open')),
  assetOf,
  rate: 'dailyInterest',
  period: 'day',
  tier: '0',
  fields: {
    limit: baseVolume('limit'),
    available: baseVolume('platformRemaingQuota'),
  },
});

const decodeKeyedLoans = borrowRates(rowsIn(open), {
  asset: (wire) => readText(wire.coin),
  assetOf,
  rate: 'dailyInterestRate',
  period: 'day',
  tier: '0',
  access: 'key',
  state: lent('borrowable'),
  fields: { limit: baseVolume('maxBorrowableAmount') },
});

export const bitget: SpotVenue = {
  id: 'bitget',
  takerFeeBps: asBps(10),
  ownNames: ownNames(ASSETS),
  calls: [
    spotCall('/api/v2/spot/public/symbols', marketList(rowsIn(open), MARKET)),
    spotCall('/api/v3/market/instruments', marketList(rowsIn(open), MARKET_V3)),
    spotCall('/api/v2/spot/market/tickers', decodeTickers),
    spotCall('/api/v3/market/tickers', decodeTickersV3),
    spotCall('/api/v2/spot/market/orderbook', decodeBook),
    spotCall('/api/v3/market/orderbook', decodeBookV3),
    spotCall('/api/v2/spot/market/history-candles', decodeCandles, {
      alsoAt: ['/api/v2/spot/market/candles'],
    }),
    spotCall('/api/v2/margin/currencies', decodeCoins, { name: 'margin/currencies' }),
    spotCall('/api/v3/market/margin-loans', decodeLoan),
    spotCall('/api/v2/margin/crossed/interest-rate-and-limit', decodeKeyedLoans),
  ],
  evidence: {
    tickers: {
      said: 'v2 `bidPr`, `askPr` with sizes, `baseVolume`, `quoteVolume`, `usdtVolume` in USDT whatever the quote, `ts` ms (recorded 2023-11); v3 the same by other names',
      confidence: 'high',
    },
    fee: {
      said: '10 bps at VIP 0; `takerFeeRate` of the list (20 bps) is not charged',
      confidence: 'medium',
    },
    borrow: {
      said: 'v3 `margin-loans`, a coin a call: `dailyInterest` a day, `limit` in coins (recorded 2025-07), what the platform has left where it is stated; of what is lent in cross margin: `margin/currencies`, `isBorrowable` and `isCrossBorrowable` (public clients agree on the names; flags or texts; not recorded)',
      confidence: 'medium',
    },
    candles: {
      said: '`history-candles`: time ms, open, high, low, close …; those before `endTime`, which has to be named, at most 200 (API docs by a public client; not recorded)',
      confidence: 'medium',
    },
  },
  verified: { version: 'v2, v3', date: '2026-11-28', source: 'Bitget API docs and changelog; ccxt 4.5.84' },
};
