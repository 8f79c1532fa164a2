import { isWire, readText, type Wire } from '../../../domain/read.ts';
import { asBps, type Usd } from '../../../domain/units.ts';
import { bareAnswer, rowsIn } from '../../../venues/grammar/answer.ts';
import { arrayLevels } from '../../../venues/grammar/book.ts';
import { field, ms, number, price, SECONDS, text } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import { baseDecimals, inBase, inQuote, priceDecimals } from '../../../venues/grammar/terms.ts';
import { isStated } from '../../../venues/quote-field.ts';
import { bookSnapshot, requestedPair } from '../grammar/books.ts';
import { type BorrowState, borrowRates, lendersRates } from '../grammar/borrow.ts';
import { hourCandles } from '../grammar/candles.ts';
import { baseVolume, size, value } from '../grammar/fields.ts';
import { type MarketTable, marketList } from '../grammar/markets.ts';
import { separated } from '../grammar/pairs.ts';
import { tickers } from '../grammar/tickers.ts';
import { type SpotVenue, spotCall } from '../spot-venue.ts';

const open = bareAnswer({ error: 'label', message: 'message' });
const spell = separated('_');

/** `BTC3xLong`, `ETH5xShort`: the base itself and `type` do not tell a leveraged token. */
const LEVERAGED = /\d+x(?:Long|Short)/i;
const SHARE = /xStock|Ondo Tokenized|Tokenized Stock/i;

const MARKET: MarketTable = {
  venue: 'gate',
  symbol: 'id',
  leftOut: (wire) => {
    const name = String(wire.base_name);
    if (LEVERAGED.test(name)) return 'leveraged_token';
    if (SHARE.test(name)) return 'tokenized_share';
    return wire.trade_status === 'tradable' ? undefined : 'not_trading';
  },
  base: text('base'),
  quote: text('quote'),
  fields: {
    tick: priceDecimals('precision'),
    lot: baseDecimals('amount_precision'),
    minSize: inBase('min_base_amount'),
    minQuote: inQuote('min_quote_amount'),
  },
};

const ETF = ['etf_net_value', 'etf_pre_net_value', 'etf_leverage'] as const;

const decodeTickers = tickers(rowsIn(open, { row: 'currency_pair' }), {
  symbol: 'currency_pair',
  spell,
  leftOut: (wire) => (ETF.some((name) => isStated(wire[name])) ? 'leveraged_token' : undefined),
  fields: {
    bestBid: price('highest_bid'),
    bestBidSize: size('highest_size'),
    bestAsk: price('lowest_ask'),
    bestAskSize: size('lowest_size'),
    lastPrice: price('last'),
    volume24hBase: baseVolume('base_volume'),
    volume24hQuote: value('quote_volume'),
  },
});

/** A row an hour of one coin, newest first, with what the answer around them says. */
const hours: RowsOf = (payload, out) => {
  const rows = rowsIn(open, { list: 'rates' })(payload, out);
  const around: Wire = isWire(payload) ? payload : {};
  return rows.map((row) => (isWire(row) ? { ...row, currency: around.currency } : row));
};

const decodeRates = borrowRates(hours, {
  asset: (wire, context) => readText(wire.currency) ?? requestedPair('currency')(wire, context),
  rate: 'rate',
  period: 'hour',
  tier: '0',
  fields: { venueTime: ms('time') },
});

const STATUSES: Readonly<Record<string, BorrowState>> = { enable: 'open', disable: 'closed' };

/** Both limits are in USDT whatever the coin. */
const decodeLimits = borrowRates(rowsIn(open, { row: 'name' }), {
  asset: 'name',
  tier: '0',
  state: field('loan_status', (raw) => STATUSES[String(raw)]),
  fields: { limitUsd: value<Usd>('user_max_borrow_amount') },
});

export const gate: SpotVenue = {
  id: 'gate',
  takerFeeBps: asBps(10),
  calls: [
    spotCall('/api/v4/spot/currency_pairs', marketList(rowsIn(open, { row: 'base' }), MARKET)),
    spotCall('/api/v4/spot/tickers', decodeTickers),
    spotCall(
      '/api/v4/spot/order_book',
      bookSnapshot(rowsIn(open, { row: 'bids' }), requestedPair('currency_pair'), spell, {
        bids: arrayLevels('bids'),
        asks: arrayLevels('asks'),
        sequence: number('id'),
        venueTime: ms('current'),
      }),
    ),
    // `[seconds, quote volume, close, high, low, open, …]`, oldest first.
    spotCall(
      '/api/v4/spot/candlesticks',
      hourCandles(rowsIn(open), requestedPair('currency_pair'), spell, {
        start: ms(0, SECONDS),
        open: price(5),
        close: price(2),
      }),
    ),
    spotCall('/api/v4/unified/history_loan_rate', decodeRates),
    spotCall('/api/v4/unified/currencies', decodeLimits),
    spotCall('/api/v4/earn/uni/currencies', lendersRates(rowsIn(open), 'bounds an hour, to lenders')),
  ],
  evidence: {
    tickers: {
      said: '`highest_bid`, `lowest_ask` with sizes since 2024-11, `base_volume`, `quote_volume`, no time (recorded 2026-05)',
      confidence: 'high',
    },
    fee: {
      said: '10 bps at VIP 0 by the announcement of 2026-03-25; `fee` is the list rate, in percent',
      confidence: 'high',
    },
    borrow: {
      said: '`history_loan_rate`, a coin a call: `rate` an hour, tier 0; `unified/currencies` has every coin that is lent, limits in USDT (recorded 2026-05)',
      confidence: 'high',
    },
    candles: {
      said: '`candlesticks`: seconds, quote volume, close, high, low, open, base volume; oldest first, at most 1,000 (public clients; not recorded)',
      confidence: 'medium',
    },
  },
  verified: {
    version: 'v4',
    date: '2026-11-28',
    source: 'Gate API v4 docs; burakoner/Gate.IO.Api recordings of 2026-05',
  },
};
