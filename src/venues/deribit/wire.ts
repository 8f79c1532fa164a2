import type { Published } from '../../domain/amount.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readHours, readMs, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject, RejectReason } from '../../domain/reject.ts';
import { asBps, asHours, asRate } from '../../domain/units.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { fieldFault } from '../field-fault.ts';
import { rejectError, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractList, ownTakerFee } from '../grammar/contract.ts';
import { type ContractRow, derived, IN_MILLISECONDS, listing, ms, price, rate } from '../grammar/field.ts';
import { settledRates } from '../grammar/history.ts';
import { amount, type QuoteTable, quoteChanges, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, requestedRows, takeOf } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { requestParam } from '../request-param.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's rule: no rate is larger, either way, for eight hours, of contracts settled in USDC. */
const LARGEST_RATE = asRate(0.05);

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'get_book_summary_by_currency `open_interest`',
    unit: 'base',
    sides: 'one',
    evidence:
      'public fifteen-minute record of raw BTC open interest, September and October 2026: 19 of 32 counts odd; recorded 459.3409',
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'get_book_summary_by_currency `volume`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd count: 66104025 lots of 10 USD of BTC-PERPETUAL in `volume_usd`',
    date: '2025-11',
    confidence: 'high',
  },
  verified: {
    version: 'v2',
    date: '2026-10-10',
    source: 'record of answered calls (mannoj93-spec/jbm-desk-data)',
  },
};

export const TAKER_FEE_BPS = asBps(3.5);
/** Funding accrues every millisecond; its rate is expressed for eight hours. */
const INTERVAL = asHours(8);

/**
 * `BTC_USDC-PERPETUAL` is linear, `BTC-PERPETUAL` inverse; `BTC-27DEC24` is dated, `BTC_USDC` spot, `BTC-FS-…` a
 * combination. Amounts count base units; `contract_size` is the step of orders and scales nothing.
 */
export const { baseOf, reasonOf, unitsOf } = symbols(
  {
    linear: /^(.+)_USDC-PERPETUAL$/,
    others: [
      [/^[A-Z0-9]+-PERPETUAL$/, 'inverse'],
      [/-PERPETUAL$/, 'foreign_quote'],
      [/-[CP]$/, 'option'],
      [/^[^-]+-\d{1,2}[A-Z]{3}\d{2}$/, 'dated'],
      [/-/, 'not_listed'],
    ],
    rest: 'spot',
  },
  1,
);

/** `result` of an answer; errors come also inside HTTP 200. */
export const open: UnwrapEnvelope = (payload, out) => {
  if (!isWire(payload)) return payload;
  const { error, result } = payload;
  if (error !== undefined && error !== null)
    return rejectError(out, isWire(error) ? error.code : undefined, isWire(error) ? error.message : error);
  return result === undefined ? payload : result;
};
const rows = rowsIn(open, { row: 'instrument_name' });

/** The instrument that a request asked for, in its query or in its JSON body. */
export function asked({ request }: DecodeContext): string | undefined {
  const inBody = /"instrument_name"\s*:\s*"([^"]+)"/.exec(request?.body ?? '')?.[1];
  return readText(request?.symbol ?? requestParam(request, 'instrument_name') ?? inBody);
}

const KINDS: Readonly<Record<string, OutOfScopeReason>> = {
  option: 'option',
  spot: 'spot',
  future_combo: 'not_listed',
  option_combo: 'not_listed',
};

const CLASSES: Readonly<Record<string, AssetClass>> = {
  crypto: 'crypto',
  crypto_index: 'index',
  equity: 'equity',
  equity_etf: 'etf',
  commodity: 'commodity',
  preipo: 'prelaunch',
};

/**
 * The row's own fields decide whether the contract is out of scope; `settlement_period` is absent on combinations.
 *
 * @param typeField whether the contract is linear
 */
const leftOutBy =
  (typeField: string) =>
  (wire: Wire, symbol: string): Reject | RejectReason | undefined => {
    const { kind, state, settlement_period: period, settlement_currency: settle, [typeField]: type } = wire;
    const known = KINDS[String(kind)];
    if (known !== undefined) return known;
    if (readText(period) !== undefined && period !== 'perpetual') return 'dated';
    if (type === 'reversed') return 'inverse';
    if (readText(settle) !== undefined && settle !== 'USDC') return 'foreign_quote';
    if (kind !== 'future') return fieldFault(symbol, 'kind', kind);
    if (type !== 'linear') return fieldFault(symbol, typeField, type);
    if (baseOf(symbol) === undefined) return reasonOf(symbol);
    // `state` is absent before 2026.
    return wire.is_active === true && (state === undefined || state === 'open') ? undefined : 'not_trading';
  };

const CONTRACT: ContractTable = {
  venue: 'deribit',
  symbol: 'instrument_name',
  leftOut: leftOutBy('instrument_type'),
  base: derived(({ symbol }) => baseOf(symbol)),
  quote: 'USDC',
  listedAt: listing('creation_timestamp'),
  contractSize: 1,
  fundingCap: LARGEST_RATE,
  fundingFloor: asRate(-LARGEST_RATE),
  assetClass: derived(({ wire }) => CLASSES[String(wire.underlying_type)]),
  fundingIntervalHours: INTERVAL,
  takerFeeBps: ownTakerFee('taker_commission', TAKER_FEE_BPS),
  terms: TERMS,
};

export const decodeInstruments = contractList(rows, CONTRACT);

/** Rows of 2022 have `future_type` alone, which is deprecated since. */
export const decodeFormerInstruments = contractList(rows, { ...CONTRACT, leftOut: leftOutBy('future_type') });

/** Coins and dollars of the last 24 hours; both null on rows that did not trade. */
function traded({ wire }: ContractRow) {
  const { volume, volume_usd, volume_notional }: Wire = isWire(wire.stats) ? wire.stats : wire;
  return { base: volume, quote: volume_usd ?? volume_notional };
}

function addInterval(patch: QuotePatch): void {
  if (patch.fundingRate !== undefined) patch.fundingIntervalHours = INTERVAL;
}

/**
 * Summaries, tickers and books state these alike: the rate in force now, for eight hours, and amounts in base
 * units.
 */
const METRICS = {
  fundingRate: rate('current_funding'),
  markPrice: price('mark_price'),
  openInterest: amount(PUBLISHED.openInterest, { base: 'open_interest' }),
  volume24h: amount(PUBLISHED.volume, traded),
};

/** A summary has the index of a perpetual under the name of the delivery's estimate only. */
const takeSummary = quotes(
  {
    ...METRICS,
    indexPrice: price('estimated_delivery_price'),
    bestBid: price('bid_price'),
    bestAsk: price('ask_price'),
    venueTime: ms('creation_timestamp'),
  },
  addInterval,
);

const TICKER: QuoteTable = {
  ...METRICS,
  indexPrice: price('index_price'),
  bestBid: price('best_bid_price'),
  bestAsk: price('best_ask_price'),
  venueTime: ms('timestamp'),
};

const whileOpen =
  (take: RowDecoder): RowDecoder =>
  (row, out) => {
    if ((row.wire.state ?? 'open') === 'open') take(row, out);
    else out.rejects.push({ symbol: row.symbol, reason: 'not_trading' });
  };

/** A ticker, or the metrics beside a book. */
export const takeTicker = whileOpen(quotes(TICKER, addInterval));

/** The fields of a ticker that changed. */
export const takeTickerChange = whileOpen(quoteChanges(TICKER, addInterval));

export const decodeSummaries = contractRows(rows, 'instrument_name', unitsOf, takeSummary);
export const decodeTicker = contractRows(rows, 'instrument_name', unitsOf, takeTicker);

/** Rate and index of the channel `perpetual.{instrument}`. */
export const takePerpetual = quotes(
  { fundingRate: rate('interest'), indexPrice: price('index_price'), venueTime: ms('timestamp') },
  addInterval,
);

export const takeTouch = quotes({
  bestBid: price('best_bid_price'),
  bestAsk: price('best_ask_price'),
  venueTime: ms('timestamp'),
});

/** `interest_1h` is what accrued in the hour that ends at `timestamp`; `interest_8h` trails eight, so that rows overlap. */
export const decodeFundingHistory = requestedRows(
  rowsIn(open, { row: 'interest_1h' }),
  asked,
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('timestamp'),
    rate: rate('interest_1h'),
    intervalHours: derived(() => asHours(1)),
  }),
);

function windowOf({ context: { request } }: ContractRow) {
  const from = readMs(requestParam(request, 'start_timestamp'));
  const to = readMs(requestParam(request, 'end_timestamp'));
  const hours = from === undefined || to === undefined ? undefined : readHours(to - from, IN_MILLISECONDS);
  return { to: hours === undefined ? undefined : to, hours };
}

const takeAccrued = settledRates({
  stamp: STAMPS.funding,
  time: derived((row) => windowOf(row).to),
  rate: rate('result'),
  intervalHours: derived((row) => windowOf(row).hours),
});

/** The value is the funding accrued in the window of the request, if that is at most a day. */
export const decodeFundingValue: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const result = open(payload, out);
  if (out.rejects.length === 0) takeOf(asked(context), [{ result }], unitsOf, context, out, takeAccrued);
  return out;
};
