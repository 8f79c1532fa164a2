import type { Wire } from '../../../domain/read.ts';
import { bareAnswer, rowsIn } from '../../../venues/grammar/answer.ts';
import { arrayLevels } from '../../../venues/grammar/book.ts';
import { ms, number, price, required, text } from '../../../venues/grammar/field.ts';
import { inBase, inQuote, tick } from '../../../venues/grammar/terms.ts';
import { bookSnapshot, requestedPair } from '../grammar/books.ts';
import { hourCandles } from '../grammar/candles.ts';
import { baseVolume, flag, size, value } from '../grammar/fields.ts';
import type { MarketTable } from '../grammar/markets.ts';
import { joined } from '../grammar/pairs.ts';
import { type TickerTable, tickers } from '../grammar/tickers.ts';
import type { SpotReason } from '../spot-rows.ts';

/** The answers of Binance, which other venues write as well. */
export const open = bareAnswer({ error: 'code', message: 'msg' });

export const TICKER: TickerTable = {
  symbol: 'symbol',
  spell: joined,
  fields: {
    bestBid: price('bidPrice'),
    bestBidSize: size('bidQty'),
    bestAsk: price('askPrice'),
    bestAskSize: size('askQty'),
    lastPrice: price('lastPrice'),
    volume24hBase: baseVolume('volume'),
    volume24hQuote: value('quoteVolume'),
    venueTime: ms('closeTime'),
  },
};

export const decodeTickers = tickers(rowsIn(open, { row: 'symbol' }), TICKER);

/** The touch alone; some venues date it. */
export const decodeTouches = tickers(rowsIn(open, { row: 'symbol' }), {
  ...TICKER,
  fields: {
    bestBid: price('bidPrice'),
    bestBidSize: size('bidQty'),
    bestAsk: price('askPrice'),
    bestAskSize: size('askQty'),
    venueTime: ms('time'),
  },
});

const STATUSES: Readonly<Record<string, SpotReason>> = { PRE_TRADING: 'prelisting' };

/** A token that Binance marks as leveraged has a permission of its own. */
const isLeveraged = ({ permissions, permissionSets }: Wire): boolean =>
  [permissions, permissionSets].some((list) => Array.isArray(list) && list.flat().includes('LEVERAGED'));

export const marketTable = (venue: string): MarketTable => ({
  venue,
  symbol: 'symbol',
  leftOut: (wire) => {
    if (isLeveraged(wire)) return 'leveraged_token';
    if (wire.status !== 'TRADING') return STATUSES[String(wire.status)] ?? 'not_trading';
    return (wire.isSpotTradingAllowed ?? true) === true ? undefined : 'not_trading';
  },
  base: text('baseAsset'),
  quote: text('quoteAsset'),
  fields: {
    tick: required(tick('filters[filterType=PRICE_FILTER].tickSize')),
    lot: required(inBase('filters[filterType=LOT_SIZE].stepSize')),
    minSize: inBase('filters[filterType=LOT_SIZE].minQty'),
    minQuote: {
      ...inQuote('filters[filterType=NOTIONAL].minNotional'),
      raw: (wire) => {
        const present = inQuote('filters[filterType=NOTIONAL].minNotional').raw(wire);
        return present ?? inQuote('filters[filterType=MIN_NOTIONAL].minNotional').raw(wire);
      },
    },
    canShort: flag('isMarginTradingAllowed'),
  },
});

/** Candles `[open time, open, high, low, close, …]`, oldest first. */
export const decodeCandles = hourCandles(rowsIn(open), requestedPair('symbol'), joined, {
  start: ms(0),
  open: price(1),
  close: price(4),
});

/** A book over REST, whose answer does not name its market. */
export const decodeBook = bookSnapshot(rowsIn(open, { row: 'bids' }), requestedPair('symbol'), joined, {
  bids: arrayLevels('bids'),
  asks: arrayLevels('asks'),
  sequence: number('lastUpdateId'),
});
