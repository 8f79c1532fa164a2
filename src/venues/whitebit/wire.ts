import type { Published } from '../../domain/amount.ts';
import { isWire, readHours, readNumber, readText, type Wire } from '../../domain/read.ts';
import { asBps } from '../../domain/units.ts';
import { fieldFault } from '../field-fault.ts';
import { rejectError, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractList, contractsWithQuotes, ownTakerFee } from '../grammar/contract.ts';
import {
  bound,
  derived,
  field,
  hours,
  IN_MINUTES,
  IN_SECONDS,
  ms,
  price,
  rate,
  required,
  SECONDS,
} from '../grammar/field.ts';
import { settledRates } from '../grammar/history.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { contractRows } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { STAMPS } from './stamps.ts';
import { LEVERAGE, TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'v4/public/futures `open_interest`',
    unit: 'base',
    sides: 'unknown',
    evidence: 'too few public values to tell',
    date: '2026-10',
    confidence: 'low',
  },
  volume: {
    field: 'v4/public/futures `stock_volume`',
    unit: 'base',
    sides: 'one',
    evidence: 'odd count of lots in the documents: 196965.591 BTC',
    date: '2026-05',
    confidence: 'medium',
  },
  verified: {
    version: 'v4, host wss.whitebit.com',
    date: '2026-09-22',
    source:
      'probe (nemanull/arbitrage-observatory); whitebit-exchange/docs: the older socket host closes on 2027-03-01',
  },
};

export const TAKER_FEE = asBps(5.5);

/** Sizes count single coins: prices are per coin for every contract. */
export const { baseOf, unitsOf } = symbols({ linear: /^(.+)_PERP$/, rest: 'spot' }, 1);

/** Text of an error that may be a message, or messages by field: `{"limit":["must be …"]}`. */
function messageOf(message: unknown): string {
  if (typeof message === 'string') return message;
  if (Array.isArray(message)) return message.map(messageOf).join(' ');
  if (!isWire(message)) return '';
  return Object.entries(message)
    .map(([field, text]) => `${field}: ${messageOf(text)}`)
    .join(' ');
}

/** HTTP 422 is a bare map of fields to lists of messages. */
function isFieldMessages(payload: Wire): boolean {
  const lists = Object.values(payload);
  return lists.length > 0 && lists.every((x) => Array.isArray(x) && x.length > 0 && typeof x[0] === 'string');
}

/** Opens `{ success, result }` and frames, and bare payloads. */
export const open: UnwrapEnvelope = (payload, out) => {
  if (!isWire(payload)) return payload;
  if (isFieldMessages(payload)) return rejectError(out, undefined, messageOf(payload));
  const { success, code, error, result } = payload;
  const { code: failedCode, message, msg } = isWire(error) ? error : payload;
  if (success === false || code !== undefined || isWire(error))
    return rejectError(out, failedCode, messageOf(message ?? msg));
  return result === undefined ? payload : result;
};

/** `PERP` in the place of a currency stands for USDT. */
const isUsdt = (money: unknown): boolean => money === undefined || money === 'USDT' || money === 'PERP';

function leftOut({ type, money, tradesEnabled }: Wire, symbol: string) {
  if (type !== 'futures' && type !== 'tradfiFutures')
    return type === 'spot' || baseOf(symbol) === undefined ? 'spot' : fieldFault(symbol, 'type', type);
  if (!isUsdt(money)) return 'foreign_quote';
  if (tradesEnabled === false) return 'not_trading';
  return baseOf(symbol) === undefined ? 'spot' : undefined;
}

/** Of all pairs; the fee is in percent. */
const MARKET: ContractTable = {
  venue: 'whitebit',
  symbol: 'name',
  leftOut,
  base: field('stock', (raw, { symbol }) => readText(raw) ?? baseOf(symbol)),
  quote: 'USDT',
  contractSize: 1,
  // TradFi contracts are shares, indices and metals alike; the venue states only that they are no coins.
  assetClass: derived(({ wire }) =>
    wire.type === 'futures' && wire.isTradFiFutures !== true ? 'crypto' : 'unknown',
  ),
  takerFeeBps: ownTakerFee('takerFee', TAKER_FEE, 0.01),
  terms: TERMS,
};
export const decodeMarkets = contractList(rowsIn(open, { row: 'name', isComplete: true }), MARKET);

const FUTURE: ContractTable = {
  venue: 'whitebit',
  symbol: 'ticker_id',
  leftOut: ({ product_type: type, money_currency: money }, symbol) => {
    if (baseOf(symbol) === undefined) return 'spot';
    if (!isUsdt(money)) return 'foreign_quote';
    if (type === undefined || type === 'Perpetual') return undefined;
    return type === 'Futures' ? 'dated' : fieldFault(symbol, 'product_type', type);
  },
  base: derived(({ symbol }) => baseOf(symbol)),
  quote: 'USDT',
  contractSize: 1,
  fundingIntervalHours: hours('funding_interval_minutes', IN_MINUTES),
};

/**
 * Every perpetual with all its metrics. Unknown values are blank, or "0" for the index; the interval is
 * absent in rows of before 2026, the mark in those of before August 2026.
 */
export const decodeFutures = contractsWithQuotes(
  rowsIn(open, { row: 'ticker_id', isComplete: true }),
  FUTURE,
  quotes({
    fundingRate: required(rate('funding_rate')),
    fundingIntervalHours: hours('funding_interval_minutes', IN_MINUTES),
    fundingCap: bound('funding_cap'),
    fundingFloor: bound('funding_floor'),
    nextFundingTime: ms('next_funding_rate_timestamp'),
    markPrice: price('mark_price'),
    indexPrice: price('index_price'),
    bestBid: price('bid'),
    bestAsk: price('ask'),
    openInterest: amount(PUBLISHED.openInterest, { base: 'open_interest' }),
    volume24h: amount(PUBLISHED.volume, { base: 'stock_volume', quote: 'money_volume' }),
    maxLeverage: LEVERAGE,
  }),
);

/** Rows keyed by the names of their pairs. */
const byName: UnwrapEnvelope = (payload, out) => {
  const body = open(payload, out);
  if (!isWire(body)) return body;
  return Object.entries(body).flatMap(([name, row]) => (isWire(row) ? [{ ...row, name }] : []));
};

/** 24 h volumes of all pairs. */
export const decodeTicker = contractRows(
  rowsIn(byName, { isComplete: true }),
  'name',
  unitsOf,
  quotes({ volume24h: amount(PUBLISHED.volume, { base: 'base_volume', quote: 'quote_volume' }) }),
);

/** The history of rates refuses with one message a field as well: `{"market":"…"}`, which a row names too. */
const openHistory: UnwrapEnvelope = (payload, out) => {
  if (!isWire(payload) || payload.fundingTime !== undefined) return open(payload, out);
  const messages = Object.values(payload).flat();
  if (messages.length === 0 || !messages.every((message) => typeof message === 'string'))
    return open(payload, out);
  return rejectError(out, undefined, messageOf(payload));
};

/** Settled rates, newest first. The rate was fixed one interval before. */
export const decodeFundingHistory = contractRows(
  rowsIn(openHistory, { row: 'market' }),
  'market',
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('fundingTime', SECONDS),
    rate: rate('fundingRate'),
    markPrice: price('settlementPrice'),
    intervalHours: field('rateCalculatedTime', (fixed, { wire }) =>
      readHours((readNumber(wire.fundingTime) ?? Number.NaN) - (readNumber(fixed) ?? Number.NaN), IN_SECONDS),
    ),
  }),
);
