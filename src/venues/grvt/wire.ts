import type { Published } from '../../domain/amount.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readBase, readHours, readNumber, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { asHours } from '../../domain/units.ts';
import type { Decoder } from '../call.ts';
import { fieldFault } from '../field-fault.ts';
import { rejectError, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractList } from '../grammar/contract.ts';
import {
  bound,
  derived,
  field,
  hours,
  listing,
  ms,
  NANOSECONDS,
  price,
  rate,
  required,
} from '../grammar/field.ts';
import { priceSeries, settledRates } from '../grammar/history.ts';
import { amount, type QuoteTable, quoteChanges, quotes } from '../grammar/quote.ts';
import { contractRows } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'full/v1/ticker `open_interest`',
    unit: 'base',
    sides: 'unknown',
    evidence:
      'ENA 1894021.0 at a min_size of 1.0 and BTC 2523.388873277 (2026-09-13) are odd, which speaks for one side; too few to tell',
    date: '2026-10',
    confidence: 'low',
  },
  volume: {
    field: 'full/v1/ticker `buy_volume_24h_q` + `sell_volume_24h_q`',
    unit: 'quote',
    sides: 'one',
    evidence: 'gravity-technologies/api-spec: taker buys and taker sells',
    date: '2026-09',
    confidence: 'high',
  },
  verified: {
    version: 'full v1',
    date: '2026-09-28',
    source: 'public decoder tests with frames of that day; gravity-technologies/api-spec of 2026-05-13',
  },
};

/** `BTC_USDT_Perp`. */
export const { baseOf, reasonOf, unitsOf } = symbols(
  {
    linear: /^(.+)_USDT_Perp$/,
    others: [
      [/_Fut_/, 'dated'],
      [/_(Call|Put)_/, 'option'],
    ],
    rest: 'foreign_quote',
  },
  1,
);

/** Errors are `{code, message}`, by themselves or under `error`. */
export const open: UnwrapEnvelope = (payload, out) => {
  if (!isWire(payload)) return payload;
  const { code, message }: Wire = isWire(payload.error) ? payload.error : payload;
  if (code !== undefined && message !== undefined) return rejectError(out, code, message);
  return payload.result ?? payload;
};
export const rows = rowsIn(open, { row: 'instrument' });

const KINDS: Readonly<Record<string, OutOfScopeReason>> = { FUTURE: 'dated', CALL: 'option', PUT: 'option' };

function leftOut({ kind, status }: Wire, symbol: string) {
  if (baseOf(symbol) === undefined) return reasonOf(symbol);
  if (kind !== 'PERPETUAL') return KINDS[String(kind)] ?? fieldFault(symbol, 'kind', kind);
  if ((status ?? 'ACTIVE') === 'ACTIVE') return undefined;
  return { symbol, reason: 'not_trading', detail: String(status) } as const;
}

const CONTRACT: ContractTable = {
  venue: 'grvt',
  symbol: 'instrument',
  leftOut,
  base: derived(({ symbol }) => baseOf(symbol)),
  quote: 'USDT',
  listedAt: listing('create_time', NANOSECONDS),
  contractSize: 1,
  fundingCap: bound('adjusted_funding_rate_cap', 0.01),
  fundingFloor: bound('adjusted_funding_rate_floor', 0.01),
  fundingIntervalHours: required(hours('funding_interval_hours')),
  terms: TERMS,
};
export const decodeInstruments = contractList(rows, CONTRACT);

/** Taker buys plus taker sells, which are each trade once; the half that cannot be read where one cannot. */
function whole(buys: unknown, sells: unknown): unknown {
  const bought = readBase(buys);
  const sold = readBase(sells);
  if (bought === undefined || sold === undefined) return bought === undefined ? buys : sells;
  return bought + sold;
}

/** Rates are percent per interval. */
const RATE = rate('funding_rate', 0.01);

/** A ticker of REST or of the socket. */
const TICKER: QuoteTable = {
  fundingRate: RATE,
  fundingIntervalHours: hours('funding_interval_hours'),
  nextFundingTime: ms('next_funding_time', NANOSECONDS),
  markPrice: price('mark_price'),
  indexPrice: price('index_price'),
  bestBid: price('best_bid_price'),
  bestAsk: price('best_ask_price'),
  openInterest: amount(PUBLISHED.openInterest, { base: 'open_interest' }),
  volume24h: amount(PUBLISHED.volume, ({ wire }) => ({
    base: whole(wire.buy_volume_24h_b, wire.sell_volume_24h_b),
    quote: whole(wire.buy_volume_24h_q, wire.sell_volume_24h_q),
  })),
  venueTime: ms('event_time', NANOSECONDS),
};
export const takeTicker = quotes(TICKER);
/** Of `v1.ticker.d` and `v1.mini.d`. */
export const takeTickerChange = quoteChanges(TICKER);
export const decodeTicker = contractRows(rows, 'instrument', unitsOf, takeTicker);

/** The rate of eight hours, a 480th of which was charged each minute. */
const BY_THE_MINUTE = asHours(8);

/** Rows of before the change of October 2025, when funding accrued by the minute, state an interval of 0. */
const isByTheMinute = ({ funding_interval_hours: stated }: Wire): boolean => readNumber(stated) === 0;

/** Rates paid, and those in force at a minute while it accrued. */
export const decodeFundingHistory = contractRows(
  rows,
  'instrument',
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('funding_time', NANOSECONDS),
    rate: RATE,
    intervalHours: field('funding_interval_hours', (raw, { wire }) =>
      isByTheMinute(wire) ? BY_THE_MINUTE : readHours(raw),
    ),
    isObserved: isByTheMinute,
    markPrice: price('mark_price'),
  }),
);

const candlesOf = (key: 'markPrice' | 'indexPrice'): Decoder =>
  contractRows(
    rows,
    'instrument',
    unitsOf,
    priceSeries(STAMPS.price, ms('open_time', NANOSECONDS), key, price('open')),
  );
const CANDLES: Readonly<Record<string, Decoder>> = {
  MARK: candlesOf('markPrice'),
  INDEX: candlesOf('indexPrice'),
};

/** Candles, of which only the request says what they are of. */
export const decodeKline: Decoder = (payload, context) => {
  const type = /"type"\s*:\s*"(\w+)"/.exec(context.request?.body ?? '')?.[1];
  const out = emptyDecoded();
  if (open(payload, out) === undefined) return out;
  const decode = CANDLES[type ?? ''];
  if (decode !== undefined) return decode(payload, context);
  out.rejects.push({ symbol: null, reason: 'unknown_unit', detail: 'candles of trades' });
  return out;
};
