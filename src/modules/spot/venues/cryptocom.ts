import type { Wire } from '../../../domain/read.ts';
import { isWire } from '../../../domain/read.ts';
import { asBps, type Usd } from '../../../domain/units.ts';
import { envelope, objectIn, rowsIn } from '../../../venues/grammar/answer.ts';
import { arrayLevels } from '../../../venues/grammar/book.ts';
import { ms, number, price, text } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import { inBase, tick } from '../../../venues/grammar/terms.ts';
import { bookSnapshot, namedPair } from '../grammar/books.ts';
import { baseVolume, flag, size, value } from '../grammar/fields.ts';
import { type MarketTable, marketList } from '../grammar/markets.ts';
import { separated } from '../grammar/pairs.ts';
import { tickers } from '../grammar/tickers.ts';
import type { SpotReason } from '../spot-rows.ts';
import { type SpotVenue, spotCall } from '../spot-venue.ts';

const open = envelope({ isSuccess: (code) => String(code) === '0', message: 'message', data: 'result' });
const spell = separated('_');

const TYPES: Readonly<Record<string, SpotReason>> = {
  PERPETUAL_SWAP: 'perpetual',
  FUTURE: 'dated',
  WARRANT: 'option',
};

/** An internal name of the pair of USDC and the dollar. */
const ALIAS = 'USD_Stable_Coin';

const MARKET: MarketTable = {
  venue: 'cryptocom',
  symbol: 'symbol',
  leftOut: (wire, symbol) => {
    if (wire.inst_type !== 'CCY_PAIR') return TYPES[String(wire.inst_type)] ?? 'placeholder';
    if (symbol === ALIAS) return 'placeholder';
    return wire.tradable === true ? undefined : 'not_trading';
  },
  base: text('base_ccy'),
  quote: text('quote_ccy'),
  fields: {
    tick: tick('price_tick_size'),
    lot: inBase('qty_tick_size'),
    canShort: flag('margin_sell_enabled'),
  },
};

/** Spot pairs, perpetuals and products of events come in one answer; a pair alone is two names with a line between. */
function otherKind(_: Wire, symbol: string): SpotReason | undefined {
  if (symbol.endsWith('-PERP')) return 'perpetual';
  return symbol === ALIAS || !/^[^_-]+_[^_-]+$/.test(symbol) ? 'placeholder' : undefined;
}

const decodeTickers = tickers(rowsIn(open, { list: 'data' }), {
  symbol: 'i',
  spell,
  leftOut: otherKind,
  fields: {
    bestBid: price('b'),
    bestBidSize: size('bs'),
    // `a` is the last trade.
    bestAsk: price('k'),
    bestAskSize: size('ks'),
    lastPrice: price('a'),
    volume24hBase: baseVolume('v'),
    // In dollars also where the quote is another currency.
    volume24hUsd: value<Usd>('vv'),
    venueTime: ms('t'),
  },
});

/** The book of the one market that the answer names. */
const bookRows: RowsOf = (payload, out) => {
  const [result] = objectIn(open)(payload, out);
  if (result === undefined) return [];
  const rows = rowsIn((whole) => whole, { list: 'data' })(result, out);
  return rows.map((row) => (isWire(row) ? { ...row, instrument_name: result.instrument_name } : row));
};

export const cryptocom: SpotVenue = {
  id: 'cryptocom',
  takerFeeBps: asBps(50),
  calls: [
    spotCall('/exchange/v1/public/get-instruments', marketList(rowsIn(open, { list: 'data' }), MARKET)),
    spotCall('/exchange/v1/public/get-tickers', decodeTickers),
    spotCall(
      '/exchange/v1/public/get-book',
      bookSnapshot(bookRows, namedPair('instrument_name', 'instrument_name'), spell, {
        bids: arrayLevels('bids'),
        asks: arrayLevels('asks'),
        sequence: number('u'),
        venueTime: ms('t'),
      }),
    ),
  ],
  evidence: {
    tickers: {
      said: '`get-tickers`, spot and perpetuals in one answer: `b` bid, `k` ask, `a` the last trade, `v` base, `vv` US dollars, `t` ms (recorded 2023-06)',
      confidence: 'high',
    },
    fee: { said: '50 bps at level 1; older pages state less', confidence: 'low' },
    borrow: { said: 'the hourly rate is in answers for an account alone', confidence: 'high' },
  },
  verified: {
    version: 'exchange/v1',
    date: '2026-11-28',
    source: 'Crypto.com Exchange API docs; ccxt 4.5.84',
  },
};
