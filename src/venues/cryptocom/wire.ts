import type { Published } from '../../domain/amount.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass, Instrument } from '../../domain/instrument.ts';
import { isWire, readMs, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { asHours, asMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { unitsPerContract } from '../contract-units.ts';
import { fieldFault } from '../field-fault.ts';
import { rejectError, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractList, contractSize } from '../grammar/contract.ts';
import { derived, field, ms, price, rate, required, text } from '../grammar/field.ts';
import { priceSeries, settledRates } from '../grammar/history.ts';
import { amount, quoteReader, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, requested, takeOf } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { nextHour, onGrid } from '../hour.ts';
import { isStated } from '../quote-field.ts';
import { requestParam } from '../request-param.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'public/get-tickers `oi`',
    unit: 'base',
    sides: 'one',
    evidence: 'public odd count of lots: 10888.9',
    date: '2026-05',
    confidence: 'medium',
  },
  volume: {
    field: 'public/get-tickers `v`',
    unit: 'base',
    sides: 'unknown',
    evidence:
      'all four public counts of lots are even (8195.0690, 1305697.6462, 1109.8, 879.5024): too few to tell',
    date: '2025-06',
    confidence: 'low',
  },
  verified: {
    version: 'exchange v1',
    date: '2026-09-25',
    source: 'ccxt 4.5.84; probe of 2026-09-22 (nemanull/arbitrage-observatory)',
  },
};

/** Every perpetual settles at each full hour. */
const INTERVAL = asHours(1);

/** `BTCUSD-PERP`; `BTCUSD-261225` is dated, `BTC_USD` spot, `…-CW30000` a warrant. One contract is one base unit. */
export const { baseOf, unitsOf } = symbols(
  {
    linear: /^(.+)USD-PERP$/,
    others: [
      [/-\d{6}-/, 'option'],
      [/-\d{6}$/, 'dated'],
      [/_/, 'spot'],
    ],
    rest: 'not_listed',
  },
  1,
);

/** `result` of an answer or push; recorded ones may lack the envelope. */
export const open: UnwrapEnvelope = (payload, out) => {
  if (!isWire(payload)) return payload;
  const { code, message, msg, result, status, error } = payload;
  if (code !== undefined && Number(code) !== 0) return rejectError(out, code, message ?? msg);
  // An unknown path is answered by the server's own page.
  if (status !== undefined && typeof error === 'string') return rejectError(out, status, error);
  return result === undefined ? payload : result;
};

const CLASSES: Readonly<Record<string, AssetClass>> = {
  DIGITAL_CURRENCIES: 'crypto',
  EQUITY: 'equity',
  EQUITY_IND: 'index',
  COMMODITIES: 'commodity',
  CURRENCIES: 'fx',
  PRE_IPO: 'prelaunch',
};

/** Kinds of instrument that are no perpetual. */
const KINDS: Readonly<Record<string, OutOfScopeReason>> = {
  CCY_PAIR: 'spot',
  FUTURE: 'dated',
  WARRANT: 'option',
};

/** Perpetuals are those of `inst_type` PERPETUAL_SWAP, whatever the expiry says. */
function leftOut({ inst_type: type, tradable, quote_ccy: quote }: Wire): OutOfScopeReason | undefined {
  if (type !== 'PERPETUAL_SWAP') return KINDS[String(type)] ?? 'not_listed';
  if (tradable !== true) return 'not_trading';
  return quote === 'USD' ? undefined : 'foreign_quote';
}

const statedSize = contractSize('contract_size');

const CONTRACT: ContractTable = {
  venue: 'cryptocom',
  symbol: 'symbol',
  leftOut,
  base: field('base_ccy', (raw, { symbol }) => readText(raw) ?? baseOf(symbol)),
  quote: 'USD',
  // One base unit where the list does not say, as in the documented answer.
  contractSize: field('contract_size', (raw, row) =>
    (raw ?? null) === null ? 1 : statedSize.read(raw, row),
  ),
  assetClass: derived(({ wire }) => CLASSES[String(wire.product_type)]),
  fundingIntervalHours: INTERVAL,
  indexId: text('underlying_symbol'),
  terms: TERMS,
};

/** All kinds in one list. */
export const decodeInstruments = contractList(
  rowsIn(open, { list: 'data', row: 'symbol', isComplete: true }),
  CONTRACT,
);

const readAmounts = quoteReader({
  openInterest: amount(PUBLISHED.openInterest, { base: 'oi' }),
  volume24h: amount(PUBLISHED.volume, { base: 'v', quote: 'vv' }),
});

/** The stamp says when a ticker was made, not when its values were true: not read. */
export const takeTicker = quotes({ bestBid: price('b'), bestAsk: price('k') }, (patch, row, rejects) => {
  // One contract is one base unit; a list that says otherwise is followed.
  Object.assign(patch, readAmounts({ ...row, units: unitsPerContract(row.units) }, rejects));
});

/** Open interest, volume, bid and ask of all instruments; no mark, index or rate in it. */
export const decodeTickers = contractRows(
  rowsIn(open, { list: 'data', row: 'i', isComplete: true }),
  'i',
  unitsOf,
  takeTicker,
);

const byIndex = new WeakMap<DecodeContext['instruments'], ReadonlyMap<string, string>>();

/** Perpetual by the name of its index. */
function symbolsByIndex(instruments: ReadonlyMap<string, Instrument>): ReadonlyMap<string, string> {
  const known = byIndex.get(instruments);
  if (known !== undefined && known.size === instruments.size) return known;
  const made = new Map<string, string>();
  for (const { symbol, indexId } of instruments.values()) made.set(indexId ?? symbol, symbol);
  byIndex.set(instruments, made);
  return made;
}

/** The perpetual that an answer or its request names: itself, or its index, which carries its name. */
export function contractOf(result: unknown, context: DecodeContext): string | undefined {
  const answered = isWire(result) ? readText(result.instrument_name) : undefined;
  const name = answered ?? requested('instrument_name')(context);
  if (name === undefined) return undefined;
  return symbolsByIndex(context.instruments).get(name) ?? name.replace(/^(.+USD)-INDEX$/, '$1-PERP');
}

/**
 * The newest value of a valuation or a valuation channel, rows `{v, t}`. Marks and indices are made again every second:
 * their stamp tells how fresh they are.
 */
export const VALUATIONS: Readonly<Record<string, RowDecoder>> = {
  mark: quotes({ markPrice: required(price('v')), venueTime: ms('t') }),
  index: quotes({ indexPrice: required(price('v')) }),
  // The rate in force is charged at the end of the hour that its stamp lies in, so the next settlement is the full
  // hour behind the later of stamp and receipt.
  funding: quotes(
    { fundingRate: required(rate('v')) },
    (patch, { wire, context: { receivedAt } }, rejects) => {
      if (patch.fundingRate === undefined) return;
      patch.fundingIntervalHours = INTERVAL;
      const time = readMs(wire.t);
      if (time === undefined && isStated(wire.t)) rejects.push(fieldFault(patch.symbol, 't', wire.t));
      const next = nextHour(time === undefined ? receivedAt : asMs(Math.max(time, receivedAt ?? 0)));
      if (next !== undefined) patch.nextFundingTime = next;
    },
  ),
};

const PAST: Readonly<Record<string, RowDecoder>> = {
  mark_price: priceSeries(STAMPS.price, ms('t'), 'markPrice', price('v')),
  index_price: priceSeries(STAMPS.price, ms('t'), 'indexPrice', price('v')),
  funding_hist: settledRates({
    stamp: STAMPS.funding,
    time: field('t', (raw) => {
      const time = readMs(raw);
      return time === undefined ? undefined : onGrid(time, HOUR_MS);
    }),
    rate: rate('v'),
    intervalHours: derived(() => INTERVAL),
  }),
};

const LATEST: Readonly<Record<string, string>> = {
  mark_price: 'mark',
  index_price: 'index',
  funding_rate: 'funding',
};

/** True if the request asked for a series rather than the current value. */
function isSeries(rows: readonly unknown[], { request }: DecodeContext): boolean {
  const isAsked = (name: string) => requestParam(request, name) !== undefined;
  return rows.length > 1 || isAsked('start_ts') || isAsked('end_ts');
}

function newest(rows: readonly unknown[]): unknown {
  const time = (row: unknown): number => (isWire(row) ? (readMs(row.t) ?? 0) : 0);
  return rows.reduce((best, row) => (time(row) > time(best) ? row : best), rows[0]);
}

const valuationsIn = rowsIn(open, { list: 'data', row: 'v', isComplete: true });

/**
 * One row of a price is the value of now, several are its past; only the request says of what. `funding_hist` lists
 * settled rates, one an hour. The estimate of the next four hours is no rate of this one.
 */
export const decodeValuations: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const rows = valuationsIn(payload, out);
  if (rows.length === 0) return out;
  const type = requestParam(context.request, 'valuation_type') ?? '';
  const past = isSeries(rows, context) || LATEST[type] === undefined ? PAST[type] : undefined;
  const take = past ?? VALUATIONS[LATEST[type] ?? ''];
  if (take === undefined) {
    const detail = `valuation_type ${type || 'not known'}`.slice(0, 60);
    out.rejects.push({ symbol: null, reason: 'unknown_unit', detail });
  } else {
    const taken = past === undefined ? [newest(rows)] : rows;
    takeOf(contractOf(open(payload, out), context), taken, unitsOf, context, out, take);
  }
  return out;
};
