import type { Published, PublishedAmount } from '../../domain/amount.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readText, type Wire } from '../../domain/read.ts';
import type { Reject, RejectReason } from '../../domain/reject.ts';
import type { PublishedStamp } from '../../domain/stamp.ts';
import { asHours } from '../../domain/units.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { fieldFault } from '../field-fault.ts';
import { rejectError, rejectShape, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractList } from '../grammar/contract.ts';
import {
  boundIn,
  type ContractRow,
  derived,
  field,
  listing,
  ms,
  price,
  rate,
  SECONDS,
  text,
} from '../grammar/field.ts';
import { settledRates } from '../grammar/history.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { type RowDecoder, takeEach, takeOf } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { nextHour } from '../hour.ts';
import { isStated, put } from '../quote-field.ts';
import { readTakerFeeBps } from '../taker-fee.ts';
import { FORMER_STAMP, STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'get_tickers `stats.oi`',
    unit: 'base',
    sides: 'one',
    evidence:
      'agrees with `get_all_currencies` `perp.universes[].oi` (291.023 and 291.309 BTC, answers of v3 in ccxt), which DefiLlama takes for one side',
    date: '2026-10-03',
    confidence: 'medium',
  },
  volume: {
    field: 'get_tickers `stats.v`',
    unit: 'quote',
    sides: 'one',
    evidence: 'odd counts of lots in `stats.c`: 1.797 in v3, 3088.047 before it',
    date: '2026-10-03',
    confidence: 'medium',
  },
  verified: { version: 'v3', date: '2026-10-06', source: 'docs.derive.xyz, DefiLlama, ccxt' },
};

/** Tickers with long names, before v3, counted in these units. */
export const BEFORE_V3: { readonly openInterest: PublishedAmount } = {
  openInterest: {
    field: 'get_ticker `stats.open_interest`',
    unit: 'base',
    sides: 'two',
    evidence:
      'DefiLlama: twice the one-sided `all_statistics`; the perpetual contract of v2-core adds up absolute positions alone',
    date: '2026-10',
    confidence: 'medium',
  },
};

/** The rate is per hour and accrues continuously; history rows are hourly. */
const INTERVAL = asHours(1);

/** `BTC-PERP`; options have more parts. */
export const { baseOf, unitsOf } = symbols(
  { linear: /^(.+)-PERP$/, others: [[/-.*-/, 'option']], rest: 'spot' },
  1,
);

/** `result` of an answer; recorded ones may lack the envelope. Errors come also inside HTTP 200. */
export const open: UnwrapEnvelope = (payload, out) => {
  if (!isWire(payload)) return payload;
  if (isWire(payload.error)) return rejectError(out, payload.error.code, payload.error.message);
  return payload.result === undefined ? payload : payload.result;
};

/** The dollar that settles all of them, as rows of before v3 call it, and USDC. */
const QUOTES: ReadonlySet<unknown> = new Set(['USDC', 'USD']);

function leftOut(
  { instrument_type: type, is_active: active, quote_currency: quote }: Wire,
  symbol: string,
): Reject | RejectReason | undefined {
  if (type === 'option') return 'option';
  if (type === 'erc20') return 'spot';
  if (type !== 'perp' || baseOf(symbol) === undefined) return fieldFault(symbol, 'instrument_type', type);
  if (!QUOTES.has(quote)) {
    const named = readText(quote)?.slice(0, 40);
    if (named === undefined) return fieldFault(symbol, 'quote_currency', quote);
    return { symbol, reason: 'foreign_quote', detail: named };
  }
  return active === true ? undefined : 'not_trading';
}

const CONTRACT: ContractTable = {
  venue: 'derive',
  symbol: 'instrument_name',
  leftOut,
  base: derived(({ symbol }) => baseOf(symbol)),
  quote: text('quote_currency'),
  settle: 'USDC',
  listedAt: listing('scheduled_activation', SECONDS),
  contractSize: 1,
  fundingCap: boundIn('perp_details', 'max_rate_per_hour'),
  fundingFloor: boundIn('perp_details', 'min_rate_per_hour'),
  fundingIntervalHours: INTERVAL,
  takerFeeBps: field('taker_fee_rate', readTakerFeeBps),
  terms: TERMS,
};

/** `get_all_instruments`, `get_instrument`: active perpetuals with their taker fee. */
export const decodeInstruments = contractList(
  rowsIn(open, { list: 'instruments', row: 'instrument_name' }),
  CONTRACT,
);

/** The instrument that a channel names: `BTC-PERP` of `ticker_slim.BTC-PERP.1000`. */
export const channelInstrument = (channel: string): string | undefined =>
  /(?:ticker_slim|ticker|orderbook)\.([A-Za-z0-9]+-[A-Za-z0-9_-]+)/.exec(channel)?.[1];

/** The instrument a request's body, query or channel names: answers and slim tickers do not repeat it. */
export function askedInstrument({ request }: DecodeContext): string | undefined {
  const text = `${request?.path ?? ''} ${request?.body ?? ''}`;
  return /\binstrument_name"?\s*[:=]\s*"?([^"&\s]+)/.exec(text)?.[1] ?? channelInstrument(text);
}

/** Objects in a ticker, and what is read of them: one without any of it has another shape. */
const PARTS = {
  perp_details: ['funding_rate'],
  stats: ['oi', 'v', 'c', 'open_interest', 'contract_volume'],
};

/** Stamps a quote; the next settlement is the full hour after the stamp. */
const stampBy =
  (name: string) =>
  (patch: QuotePatch, { symbol, wire, context }: ContractRow, rejects: Reject[]): void => {
    for (const [key, names] of Object.entries(PARTS))
      if (isStated(wire[key]) && names.every((part) => wire[part] === undefined))
        rejects.push({ symbol, reason: 'malformed', detail: key });
    if (Object.keys(patch).length === 1) return;
    const time = readMs(wire[name]);
    patch.fundingIntervalHours = INTERVAL;
    put(patch, 'nextFundingTime', nextHour(time ?? context.receivedAt), undefined, rejects);
    put(patch, 'venueTime', time, wire[name], rejects);
  };

/** One-letter keys; `v` of the stats is USD volume, `pr` is premium volume (unused). */
const takeSlim = quotes(
  {
    fundingRate: rate('f'),
    markPrice: price('M'),
    indexPrice: price('I'),
    bestBid: price('b'),
    bestAsk: price('a'),
    openInterest: amount(PUBLISHED.openInterest, { base: 'oi' }),
    volume24h: amount(PUBLISHED.volume, { quote: 'v', base: 'c' }),
  },
  stampBy('t'),
);

/** Long names, of the version before v3: open interest of both sides, volume in base only. */
const takeLong = quotes(
  {
    fundingRate: rate('funding_rate'),
    markPrice: price('mark_price'),
    indexPrice: price('index_price'),
    bestBid: price('best_bid_price'),
    bestAsk: price('best_ask_price'),
    openInterest: amount(BEFORE_V3.openInterest, { base: 'open_interest' }),
    volume24h: amount(PUBLISHED.volume, { base: 'contract_volume' }),
  },
  stampBy('timestamp'),
);

const isLong = ({ mark_price, perp_details }: Wire): boolean =>
  mark_price !== undefined || perp_details !== undefined;

/** True if an object is a ticker of one of the two forms: slim keys, or the long names before v3. */
export const isTicker = (row: Wire): boolean => isLong(row) || row.M !== undefined || row.I !== undefined;

/**
 * Takes a ticker of either form. A long one names its instrument, a slim one does not, and has an object `open_interest`
 * by margin type beside the number in its stats.
 */
export function takeTicker(row: Wire, asked: string | undefined, context: DecodeContext, out: Decoded): void {
  const { stats, perp_details: perp } = row;
  const flat: Wire = { ...row, ...(isWire(perp) ? perp : {}), ...(isWire(stats) ? stats : {}) };
  const symbol = readText(row.instrument_name) ?? asked;
  takeOf(symbol, [flat], unitsOf, context, out, isLong(row) ? takeLong : takeSlim);
}

/** Slim tickers keyed by instrument. */
export const decodeTickers: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const result = open(payload, out);
  const tickers = isWire(result) ? result.tickers : undefined;
  if (isWire(tickers)) {
    for (const symbol in tickers) {
      const row = tickers[symbol];
      if (isWire(row)) takeTicker(row, symbol, context, out);
      else out.rejects.push({ symbol, reason: 'malformed', detail: 'row' });
    }
  } else if (out.rejects.length === 0) rejectShape(out, 'no tickers');
  return out;
};

/** One instrument, slim in v3 (named by the request alone), long before it. */
export const decodeTicker: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const result = open(payload, out);
  if (isWire(result) && isTicker(result)) takeTicker(result, askedInstrument(context), context, out);
  else if (out.rejects.length === 0) rejectShape(out, 'no ticker');
  return out;
};

const ratesUnder = (stamp: PublishedStamp): RowDecoder =>
  settledRates({
    stamp,
    time: ms('timestamp'),
    rate: rate('funding_rate'),
    intervalHours: derived(() => INTERVAL),
  });
const takeCandle = ratesUnder(STAMPS.funding);
const takeFormer = ratesUnder(FORMER_STAMP);

/**
 * The hourly rate of the instrument asked for. v3 rows are candles of the rate that name their currency, under the start
 * of their hour, and `funding_rate` is the close; rows before it state nothing else, and stand under their own stamp.
 */
export const decodeFundingHistory: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const rows = rowsIn(open, { list: 'funding_rate_history' })(payload, out);
  const asked = askedInstrument(context);
  const symbolOf = ({ currency }: Wire) => asked ?? (readText(currency) && `${currency}-PERP`);
  const units = () => ({ multiplier: 1, perContract: 1 });
  takeEach(rows, symbolOf, units, context, out, (row, into) =>
    (readText(row.wire.currency) === undefined ? takeFormer : takeCandle)(row, into),
  );
  return out;
};
