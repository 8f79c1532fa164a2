import { readNumber, type Wire } from '../../../domain/read.ts';
import { asBps } from '../../../domain/units.ts';
import { rowsIn } from '../../../venues/grammar/answer.ts';
import { arrayLevels } from '../../../venues/grammar/book.ts';
import { ms, number, text } from '../../../venues/grammar/field.ts';
import { baseDecimals, inBase, inQuote, priceDecimals } from '../../../venues/grammar/terms.ts';
import { isStated } from '../../../venues/quote-field.ts';
import { bookSnapshot, requestedPair } from '../grammar/books.ts';
import { fee } from '../grammar/fields.ts';
import { type MarketTable, marketList } from '../grammar/markets.ts';
import { joined } from '../grammar/pairs.ts';
import { type SpotVenue, spotCall } from '../spot-venue.ts';
import { decodeTickers, decodeTouches, open } from './binance-form.ts';

/** `1` trades; older rows have the word. */
const TRADING: ReadonlySet<unknown> = new Set(['1', 'ENABLED']);

/** Token issuers whose tokens stand for shares. */
const SHARES = /xstock|ondo tokenized|tokenized stock/i;

/** The fee of the list that the venue no longer charges. */
const LIST_FEE = 0.002;

const byDigits = baseDecimals('baseAssetPrecision');

const leastLot = inBase('baseSizePrecision');

/** A list without a least lot states the number of digits of a size instead. */
const isByDigits = ({ baseSizePrecision }: Wire): boolean => readNumber(baseSizePrecision) === 0;

/** One side alone, or none, is no market of a trade that is entered and left; older rows say nothing of it. */
const takesBothSides = ({ tradeSideType: sides }: Wire): boolean => !isStated(sides) || String(sides) === '1';

const MARKET: MarketTable = {
  venue: 'mexc',
  symbol: 'symbol',
  leftOut: (wire: Wire) => {
    if (SHARES.test(String(wire.fullName))) return 'tokenized_share';
    const isOpen = TRADING.has(String(wire.status)) && wire.isSpotTradingAllowed === true;
    return isOpen && takesBothSides(wire) ? undefined : 'not_trading';
  },
  base: text('baseAsset'),
  quote: text('quoteAsset'),
  fields: {
    tick: priceDecimals('quotePrecision'),
    lot: {
      ...leastLot,
      raw: (wire) => (isByDigits(wire) ? wire.baseAssetPrecision : wire.baseSizePrecision),
      read: (raw, row) => (isByDigits(row.wire) ? byDigits : leastLot).read(raw, row),
    },
    // Less than a lot cannot be ordered.
    minSize: { ...leastLot, raw: (wire) => (isByDigits(wire) ? undefined : wire.baseSizePrecision) },
    minQuote: inQuote('quoteAmountPrecision'),
    takerFeeBps: {
      ...fee('takerCommission', 10_000),
      raw: (wire) => (readNumber(wire.takerCommission) === LIST_FEE ? undefined : wire.takerCommission),
    },
  },
};

export const mexc: SpotVenue = {
  id: 'mexc',
  takerFeeBps: asBps(5),
  calls: [
    spotCall('/api/v3/exchangeInfo', marketList(rowsIn(open, { list: 'symbols' }), MARKET)),
    spotCall('/api/v3/ticker/24hr', decodeTickers),
    spotCall('/api/v3/ticker/bookTicker', decodeTouches),
    spotCall(
      '/api/v3/depth',
      bookSnapshot(rowsIn(open, { row: 'bids' }), requestedPair('symbol'), joined, {
        bids: arrayLevels('bids'),
        asks: arrayLevels('asks'),
        sequence: number('lastUpdateId'),
        venueTime: ms('timestamp'),
      }),
    ),
  ],
  evidence: {
    tickers: {
      said: 'the names of Binance; sizes may be blank, `quoteVolume` may be null (recorded)',
      confidence: 'high',
    },
    fee: {
      said: '5 bps by articles of 2025; `takerCommission` where it is not the old list rate of 20 bps',
      confidence: 'low',
    },
    borrow: { said: 'needs a key, and margin appears to be wound down', confidence: 'medium' },
  },
  verified: {
    version: 'api/v3',
    date: '2026-11-28',
    source: 'ccxt 4.5.84; MEXC API docs, articles of 2025-09',
  },
};
