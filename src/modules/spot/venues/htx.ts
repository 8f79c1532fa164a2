import { isWire, readText, type Wire } from '../../../domain/read.ts';
import { asBps } from '../../../domain/units.ts';
import { envelope, objectIn, rowsIn } from '../../../venues/grammar/answer.ts';
import { arrayLevels } from '../../../venues/grammar/book.ts';
import { ms, number, price, text } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import { baseDecimals, inBase, inQuote, priceDecimals } from '../../../venues/grammar/terms.ts';
import { isStated } from '../../../venues/quote-field.ts';
import { bookSnapshot, requestedPair } from '../grammar/books.ts';
import { borrowRates } from '../grammar/borrow.ts';
import { AROUND, baseVolume, size, value, withTime } from '../grammar/fields.ts';
import { type MarketTable, marketList } from '../grammar/markets.ts';
import { joined } from '../grammar/pairs.ts';
import { tickers } from '../grammar/tickers.ts';
import type { SpotReason } from '../spot-rows.ts';
import { type SpotVenue, spotCall } from '../spot-venue.ts';

const open = envelope({
  code: 'status',
  isSuccess: (status) => status === 'ok',
  message: (answer) => `${String(answer['err-code'] ?? '')} ${String(answer['err-msg'] ?? '')}`,
});
const openBook = envelope({
  code: 'status',
  isSuccess: (status) => status === 'ok',
  message: 'err-msg',
  data: 'tick',
});

/** Tags are one text with commas; a leveraged token also names what it follows. */
const isLeveraged = ({ tags, underlying, 'init-nav': nav }: Wire): boolean =>
  /(?:^|,)(?:etp|nav)(?:,|$)/.test(String(tags ?? '')) || isStated(underlying) || isStated(nav);

/** Either list says whether orders are taken, by this interface or at all; older rows say nothing of it. */
const isShut = ({ 'api-trading': byInterface, te }: Wire): boolean =>
  byInterface === 'disabled' || te === false || te === 'false';

function leftOut(wire: Wire): SpotReason | undefined {
  if (isLeveraged(wire)) return 'leveraged_token';
  if (wire.state === 'online') return isShut(wire) ? 'not_trading' : undefined;
  return wire.state === 'pre-online' ? 'prelisting' : 'not_trading';
}

const MARKET: MarketTable = {
  venue: 'htx',
  symbol: 'symbol',
  leftOut,
  base: text('base-currency'),
  quote: text('quote-currency'),
  fields: {
    tick: priceDecimals('price-precision'),
    lot: baseDecimals('amount-precision'),
    minSize: inBase('limit-order-min-order-amt'),
    minQuote: inQuote('min-order-value'),
  },
};

/** The same list with short names. */
const SHORT_MARKET: MarketTable = {
  ...MARKET,
  base: text('bc'),
  quote: text('qc'),
  fields: {
    tick: priceDecimals('pp'),
    lot: baseDecimals('ap'),
    minSize: inBase('lominoa'),
    minQuote: inQuote('minov'),
  },
};

const dated: RowsOf = (payload, out) =>
  withTime(rowsIn(open)(payload, out), isWire(payload) ? payload.ts : undefined);

const decodeTickers = tickers(dated, {
  symbol: 'symbol',
  spell: joined,
  fields: {
    bestBid: price('bid'),
    bestBidSize: size('bidSize'),
    bestAsk: price('ask'),
    bestAskSize: size('askSize'),
    lastPrice: price('close'),
    // The names invite the opposite: `amount` counts coins and `vol` is their value.
    volume24hBase: baseVolume('amount'),
    volume24hQuote: value('vol'),
    venueTime: ms(AROUND),
  },
});

/** A row a coin; isolated margin has a list of them in the row of each pair. */
const loanRows: RowsOf = (payload, out) =>
  rowsIn(open)(payload, out).flatMap((row) =>
    isWire(row) && Array.isArray(row.currencies) ? row.currencies : [row],
  );

const decodeLoans = borrowRates(loanRows, {
  asset: (wire) => readText(wire.currency),
  rate: 'interest-rate',
  period: 'day',
  access: 'key',
  fields: { limit: baseVolume('max-loan-amt') },
});

export const htx: SpotVenue = {
  id: 'htx',
  takerFeeBps: asBps(20),
  calls: [
    spotCall('/v1/common/symbols', marketList(rowsIn(open), MARKET)),
    spotCall('/v1/settings/common/market-symbols', marketList(rowsIn(open), SHORT_MARKET)),
    spotCall('/market/tickers', decodeTickers),
    spotCall(
      '/market/depth',
      bookSnapshot(objectIn(openBook), requestedPair('symbol'), joined, {
        bids: arrayLevels('bids'),
        asks: arrayLevels('asks'),
        sequence: number('version'),
        venueTime: ms('ts'),
      }),
    ),
    spotCall('/v1/margin/loan-info', decodeLoans, { alsoAt: ['/v1/cross-margin/loan-info'] }),
  ],
  evidence: {
    tickers: {
      said: '`market/tickers`: numbers, `amount` base and `vol` quote, time of the answer (recorded 2021-08)',
      confidence: 'high',
    },
    fee: { said: '20 bps by the public list', confidence: 'medium' },
    borrow: { said: '`loan-info` states `interest-rate` a day and needs a key', confidence: 'high' },
  },
  verified: { version: 'v1', date: '2026-11-28', source: 'HTX API docs; JKorf/HTX.Net; ccxt 4.5.84' },
};
