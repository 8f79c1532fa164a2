import { readNumber, readText } from '../../../domain/read.ts';
import { asBps } from '../../../domain/units.ts';
import { envelope, objectIn, rowsIn } from '../../../venues/grammar/answer.ts';
import { arrayLevels } from '../../../venues/grammar/book.ts';
import { field, ms, number, price, text } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import { inBase, inQuote, tick } from '../../../venues/grammar/terms.ts';
import { bookSnapshot, requestedPair } from '../grammar/books.ts';
import { lendersRates } from '../grammar/borrow.ts';
import { AROUND, baseVolume, fee, flag, readFeeBps, size, value, withTime } from '../grammar/fields.ts';
import { type MarketTable, marketList } from '../grammar/markets.ts';
import { separated } from '../grammar/pairs.ts';
import { tickers } from '../grammar/tickers.ts';
import { ownNames, type SpotVenue, spotCall } from '../spot-venue.ts';

const open = envelope({ isSuccess: (code) => String(code) === '200000' });
const spell = separated('-');

/** Base tier of class A; the other classes pay a multiple of it. */
const CLASS_A_BPS = 10;

const MARKET: MarketTable = {
  venue: 'kucoin',
  symbol: 'symbol',
  leftOut: (wire) => {
    if (wire.market === 'ETF') return 'leveraged_token';
    // Orders of a call auction are matched once, so that its bids and asks are no market.
    if (wire.callauctionIsEnabled === true) return 'prelisting';
    return wire.enableTrading === true ? undefined : 'not_trading';
  },
  base: text('baseCurrency'),
  quote: text('quoteCurrency'),
  // After a rename the symbol and the base keep the old name, and the shown one has the new.
  shownBase: ({ name }) => spell(readText(name) ?? '')?.base,
  fields: {
    tick: tick('priceIncrement'),
    lot: inBase('baseIncrement'),
    minSize: inBase('baseMinSize'),
    minQuote: inQuote('minFunds'),
    takerFeeBps: fee('takerFeeCoefficient', CLASS_A_BPS),
    canShort: flag('isMarginEnabled'),
  },
};

const snapshot: RowsOf = (payload, out) => {
  const [data] = objectIn(open)(payload, out);
  if (data === undefined) return [];
  return withTime(rowsIn((whole) => whole, { list: 'ticker' })(data, out), data.time);
};

const decodeTickers = tickers(snapshot, {
  symbol: 'symbol',
  spell,
  fields: {
    // `buy` is the price at which somebody buys: the best bid.
    bestBid: price('buy'),
    bestBidSize: size('bestBidSize'),
    bestAsk: price('sell'),
    bestAskSize: size('bestAskSize'),
    lastPrice: price('last'),
    volume24hBase: baseVolume('vol'),
    volume24hQuote: value('volValue'),
    takerFeeBps: field('takerFeeRate', (raw, { wire }) =>
      readFeeBps(
        (readNumber(raw) ?? Number.NaN) * (readNumber(wire.takerCoefficient ?? 1) ?? Number.NaN),
        10_000,
      ),
    ),
    venueTime: ms(AROUND),
  },
});

export const kucoin: SpotVenue = {
  id: 'kucoin',
  takerFeeBps: asBps(CLASS_A_BPS),
  // Pairs that keep their first name; the list states the present one beside it (recorded 2021).
  ownNames: ownNames({ BCHSV: 'BSV', LOKI: 'OXEN', R: 'REV', WAX: 'WAXP' }),
  calls: [
    spotCall('/api/v2/symbols', marketList(rowsIn(open), MARKET)),
    spotCall('/api/v1/market/allTickers', decodeTickers),
    spotCall(
      '/api/v1/market/orderbook/level2_100',
      bookSnapshot(objectIn(open), requestedPair('symbol'), spell, {
        bids: arrayLevels('bids'),
        asks: arrayLevels('asks'),
        sequence: number('sequence'),
        venueTime: ms('time'),
      }),
      { alsoAt: ['/api/v1/market/orderbook/level2_20', '/api/v3/market/orderbook/level2'] },
    ),
    spotCall('/api/v3/project/marketInterestRate', lendersRates(rowsIn(open), 'a year, to lenders'), {
      alsoAt: ['/api/v3/project/list'],
    }),
  ],
  evidence: {
    tickers: {
      said: '`allTickers`: `buy` is the bid and `sell` the ask, sizes in base, `vol` base, `volValue` quote, time of the snapshot (recorded 2024-10)',
      confidence: 'high',
    },
    fee: {
      said: '`takerFeeRate` times `takerCoefficient` of each row; 10 bps of class A',
      confidence: 'high',
    },
    borrow: {
      said: 'needs a key; the public calls of the lending market state what lenders get',
      confidence: 'high',
    },
  },
  verified: {
    version: 'v1, v2',
    date: '2026-11-28',
    source: 'Kucoin/kucoin-universal-sdk of 2025-11; ccxt 4.5.84',
  },
};
