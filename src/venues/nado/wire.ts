import type { Published } from '../../domain/amount.ts';
import { isWire, readBase, readNumber, readPrice, readRate, readText, type Wire } from '../../domain/read.ts';
import { asBps, asHours } from '../../domain/units.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import type { UnitsLookup } from '../contract-units.ts';
import { fieldFault } from '../field-fault.ts';
import { bareAnswer, rejectShape, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractList, ownTakerFee } from '../grammar/contract.ts';
import { derived, field, ms, price, rate, SECONDS } from '../grammar/field.ts';
import { settledRates } from '../grammar/history.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, type RowsOf, type SymbolOf } from '../grammar/rows.ts';
import { symbolOfId, symbols } from '../grammar/symbols.ts';
import { requestParam } from '../request-param.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'archive/v2/contracts `open_interest`',
    unit: 'base',
    sides: 'two',
    evidence:
      'nadohq/nado-contracts PerpEngineState: absolute sizes of both sides since 2025-12-04; 12 of 12 counts of lots of 2026-09-13 even',
    date: '2026-09-13',
    confidence: 'high',
  },
  volume: {
    field: 'archive/v2/contracts `quote_volume`',
    unit: 'quote',
    sides: 'one',
    evidence: 'recorded odd counts of lots in `base_volume`',
    date: '2026-05',
    confidence: 'medium',
  },
  verified: {
    version: 'gateway v1, archive v2 on api.prod.nado.xyz',
    date: '2026-10-04',
    source:
      'dated measurement (public notes); nadohq/nado-typescript-sdk endpoints; the hosts of gateway and archive still answer',
  },
};

/** `BTC-PERP_USDT0`. */
const symbolRules = symbols(
  { linear: /^(.+)-PERP(?:_USDT0)?$/, others: [[/^\d+$/, 'not_listed']], rest: 'spot' },
  1,
);
export const { baseOf } = symbolRules;

/** Without a list a product number can only stand for itself. */
export const unitsOf: UnitsLookup = (context, symbol) =>
  context.instruments.size === 0 && /^\d+$/.test(symbol)
    ? { multiplier: 1, perContract: 1 }
    : symbolRules.unitsOf(context, symbol);

/** The contract of a row or of a request, by its product number. */
export function contractOf({ product_id: product }: Wire, context: DecodeContext): string | undefined {
  const id = readNumber(product ?? requestParam(context.request, 'product_id'))?.toString();
  return id && (symbolOfId(id, context) ?? id);
}

export const open = bareAnswer({ error: 'error_code', message: 'error' });

/** Rows of an object keyed by ticker id, of a list, or one row. */
const keyed: UnwrapEnvelope = (payload, out) => {
  const answer = open(payload, out);
  const rows = isWire(answer) && answer.ticker_id === undefined ? Object.values(answer) : [];
  return rows.length > 0 ? rows : answer;
};
const rows = rowsIn(keyed, { row: 'ticker_id' });

/** Rates are stated per 24 hours and paid each hour. */
const INTERVAL = asHours(1);

/** The taker fee of most contracts. */
export const TAKER_FEE = asBps(3.5);

/**
 * Rows of the gateway's list, a map by symbol. Calls of metrics name a contract with its quote, which is USDT0 for all
 * products.
 */
const listed: RowsOf = (payload, out) => {
  const answer = open(payload, out);
  const { data }: Wire = isWire(answer) ? answer : {};
  const all: unknown = isWire(data) ? data.symbols : undefined;
  if (!isWire(all)) {
    if (answer !== undefined) rejectShape(out, 'no symbols');
    return [];
  }
  return Object.values(all).map((row) => {
    const symbol = isWire(row) ? readText(row.symbol) : undefined;
    return isWire(row) && symbol !== undefined ? { ...row, ticker_id: `${symbol}_USDT0` } : row;
  });
};

/** The calls of metrics state no status, and the marks of halted contracts follow the oracle. */
function leftOut({ type, trading_status: status }: Wire, symbol: string) {
  if (baseOf(symbol) === undefined || type === 'spot') return 'spot';
  if (type !== 'perp') return fieldFault(symbol, 'type', type);
  if (status === 'live') return undefined;
  const stated = readText(status)?.slice(0, 40);
  if (stated === undefined) return fieldFault(symbol, 'trading_status', status);
  return { symbol, reason: 'not_trading', detail: stated } as const;
}

const CONTRACT: ContractTable = {
  venue: 'nado',
  symbol: 'ticker_id',
  leftOut,
  base: derived(({ symbol }) => baseOf(symbol)),
  quote: 'USDT0',
  contractSize: 1,
  fundingIntervalHours: INTERVAL,
  altId: field('product_id', (raw) => readNumber(raw)?.toString()),
  takerFeeBps: ownTakerFee('taker_fee_rate_x18', TAKER_FEE, 1e-18),
  terms: TERMS,
};
export const decodeContractList = contractList(listed, CONTRACT);

/** Contracts of rows of metrics, which state neither status nor fee: for a payload that is read by itself. */
const decodeUnlisted = contractList(rows, {
  venue: 'nado',
  symbol: 'ticker_id',
  base: CONTRACT.base,
  quote: 'USDT0',
  contractSize: 1,
  leftOut: ({ product_type: type }, symbol) =>
    baseOf(symbol) === undefined || type !== 'perpetual' ? 'spot' : undefined,
  fundingIntervalHours: INTERVAL,
  ...(CONTRACT.altId !== undefined && { altId: CONTRACT.altId }),
});

const byProductOrName: SymbolOf = (wire, context) =>
  symbolOfId(String(readNumber(wire.product_id)), context) ?? readText(wire.ticker_id);

/** All metrics; open interest is long plus short. */
const decodeRows = contractRows(
  rows,
  byProductOrName,
  unitsOf,
  quotes(
    {
      fundingRate: rate('funding_rate', 1 / 24),
      nextFundingTime: ms('next_funding_rate_timestamp', SECONDS),
      markPrice: price('mark_price'),
      indexPrice: price('index_price'),
      openInterest: amount(PUBLISHED.openInterest, { base: 'open_interest', quote: 'open_interest_usd' }),
      volume24h: amount(PUBLISHED.volume, { base: 'base_volume', quote: 'quote_volume' }),
    },
    (patch) => {
      if (patch.fundingRate !== undefined) patch.fundingIntervalHours = INTERVAL;
    },
  ),
);

/** Metrics, and as long as no list is known the contracts that they are of. */
export const decodeMetrics: Decoder = (payload, context) => {
  const decoded = decodeRows(payload, context);
  if (context.instruments.size > 0) return decoded;
  return { ...decoded, instruments: decodeUnlisted(payload, context).instruments };
};

/** An integer of the first API or of the socket, scaled by 10^18; a text is read with its exponent, so that 82866 x 10^18 is 82866. */
export function fromX18(x: unknown): number | undefined {
  if (typeof x === 'string' && /^-?\d{1,40}$/.test(x)) return Number(`${x}e-18`);
  const n = readNumber(x);
  return n === undefined ? undefined : n / 1e18;
}

/** Realised hourly rates, by one client's account. */
export const decodeFundingHistory = contractRows(
  rowsIn(open, { list: 'funding_rates' }),
  contractOf,
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('timestamp', SECONDS),
    rate: field('funding_rate_x18', (raw) => readRate(fromX18(raw))),
    intervalHours: derived(() => INTERVAL),
  }),
);

/** Rows of a map by product number. */
const byProduct = rowsIn((payload, out) => {
  const answer = open(payload, out);
  return isWire(answer) ? Object.values(answer) : answer;
});

/** The engine's running rate per 24 hours. */
export const takeRate = quotes({
  fundingIntervalHours: derived(() => INTERVAL),
  fundingRate: field('funding_rate_x18', (raw) => readRate(fromX18(raw), 1 / 24)),
});
export const decodeRates = contractRows(byProduct, contractOf, unitsOf, takeRate);

export const decodePerpPrices = contractRows(
  byProduct,
  contractOf,
  unitsOf,
  quotes({
    markPrice: field('mark_price_x18', (raw, { units }) => readPrice(fromX18(raw), units.multiplier)),
    indexPrice: field('index_price_x18', (raw, { units }) => readPrice(fromX18(raw), units.multiplier)),
  }),
);

/** Best prices; an empty side has quantity 0 and price 0 or the largest 128-bit number. */
export const takeTouch: RowDecoder = ({ wire, symbol, units }, out) => {
  const best = (scaled: unknown, size: unknown) =>
    readBase(size) === 0 ? undefined : readPrice(fromX18(scaled), units.multiplier);
  const bestBid = best(wire.bid_price, wire.bid_qty);
  const bestAsk = best(wire.ask_price, wire.ask_qty);
  if (bestBid === undefined && bestAsk === undefined)
    out.rejects.push({ symbol, reason: 'placeholder', detail: 'empty touch' });
  else
    out.quotes.push({
      symbol,
      ...(bestBid !== undefined && { bestBid }),
      ...(bestAsk !== undefined && { bestAsk }),
    });
};
