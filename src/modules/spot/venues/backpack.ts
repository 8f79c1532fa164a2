import { readBase, type Wire } from '../../../domain/read.ts';
import { asBase, asBps } from '../../../domain/units.ts';
import { bareAnswer, rowsIn } from '../../../venues/grammar/answer.ts';
import { arrayLevels, bestFirst } from '../../../venues/grammar/book.ts';
import {
  field,
  listingText,
  MICROSECONDS,
  ms,
  number,
  price,
  required,
  text,
} from '../../../venues/grammar/field.ts';
import { inBase, tick } from '../../../venues/grammar/terms.ts';
import { bookSnapshot, requestedPair } from '../grammar/books.ts';
import { type BorrowState, borrowRates } from '../grammar/borrow.ts';
import { baseVolume, value } from '../grammar/fields.ts';
import { type MarketTable, marketList } from '../grammar/markets.ts';
import { separated } from '../grammar/pairs.ts';
import { tickers } from '../grammar/tickers.ts';
import { type SpotVenue, spotCall } from '../spot-venue.ts';

const open = bareAnswer({ error: 'code', message: 'message' });
const spell = separated('_');

const MARKET: MarketTable = {
  venue: 'backpack',
  symbol: 'symbol',
  leftOut: (wire) => {
    if (wire.marketType !== 'SPOT') return wire.marketType === 'PERP' ? 'perpetual' : 'placeholder';
    return wire.orderBookState === 'Open' && wire.visible !== false ? undefined : 'not_trading';
  },
  base: text('baseSymbol'),
  quote: text('quoteSymbol'),
  fields: {
    tick: required(tick('filters.price.tickSize')),
    lot: required(inBase('filters.quantity.stepSize')),
    minSize: inBase('filters.quantity.minQuantity'),
    listedAt: listingText('createdAt'),
  },
};

const decodeTickers = tickers(rowsIn(open, { row: 'symbol' }), {
  symbol: 'symbol',
  spell,
  leftOut: (_, symbol) => (/_(?:PERP|RFQ)$/.test(symbol) ? 'perpetual' : undefined),
  fields: {
    lastPrice: price('lastPrice'),
    volume24hBase: baseVolume('volume'),
    volume24hQuote: value('quoteVolume'),
  },
});

const STATES: Readonly<Record<string, BorrowState>> = { Open: 'open', Closed: 'closed', RepayOnly: 'closed' };

/** Units that the market still lends: up to its largest utilization, and none where it only takes coins back. */
function available({ state, lentQuantity, borrowedQuantity, maxUtilization }: Wire) {
  if (state !== 'Open') return asBase(0);
  const lent = readBase(lentQuantity);
  const borrowed = readBase(borrowedQuantity);
  const share = readBase(maxUtilization);
  if (lent === undefined || borrowed === undefined || share === undefined) return undefined;
  return asBase(Math.max(0, lent * share - borrowed));
}

const decodeBorrow = borrowRates(rowsIn(open, { row: 'symbol' }), {
  asset: 'symbol',
  rate: 'borrowInterestRate',
  period: 'year',
  state: field('state', (raw) => STATES[String(raw)]),
  fields: {
    limit: inBase('openBorrowLendLimit'),
    available: {
      name: 'lentQuantity',
      raw: (wire) => wire.lentQuantity,
      read: (_, { wire }) => available(wire),
    },
    venueTime: listingText('timestamp'),
  },
});

/** Rows of the past do not name the coin that was asked for. */
const decodeBorrowHistory = borrowRates(rowsIn(open), {
  asset: requestedPair('symbol'),
  rate: 'borrowInterestRate',
  period: 'year',
  fields: { venueTime: listingText('timestamp') },
});

export const backpack: SpotVenue = {
  id: 'backpack',
  takerFeeBps: asBps(10),
  calls: [
    spotCall('/api/v1/markets', marketList(rowsIn(open, { row: 'baseSymbol' }), MARKET)),
    spotCall('/api/v1/tickers', decodeTickers, { alsoAt: ['/api/v1/ticker'] }),
    spotCall(
      '/api/v1/depth',
      // Both sides ascend: the best bid is the last of its side.
      bookSnapshot(rowsIn(open, { row: 'bids' }), requestedPair('symbol'), spell, {
        bids: bestFirst(arrayLevels('bids'), 'bids'),
        asks: bestFirst(arrayLevels('asks'), 'asks'),
        sequence: number('lastUpdateId'),
        venueTime: ms('timestamp', MICROSECONDS),
      }),
    ),
    spotCall('/api/v1/borrowLend/markets/history', decodeBorrowHistory),
    spotCall('/api/v1/borrowLend/markets', decodeBorrow),
  ],
  evidence: {
    tickers: {
      said: '`tickers`: volumes of spot and perpetuals in one answer, neither bid nor ask, no time (recorded 2025-07)',
      confidence: 'high',
    },
    fee: { said: '10 bps of tier 1, by public `feeTiers`', confidence: 'high' },
    borrow: {
      said: '`borrowLend/markets` without a key: `borrowInterestRate` a year by its size (0.05 of USDC); what is left follows from quantities',
      confidence: 'medium',
    },
  },
  verified: { version: 'api/v1', date: '2026-11-28', source: 'Backpack OpenAPI docs; ccxt 4.5.84' },
};
