import type { Published, PublishedAmount } from '../../domain/amount.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import { readBase, readHours, readMs, readNumber, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject, RejectReason } from '../../domain/reject.ts';
import { asMs, type Hours, type UnixMs } from '../../domain/units.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import type { StatedAmount } from '../amounts.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import type { UnitsLookup } from '../contract-units.ts';
import { fieldFault } from '../field-fault.ts';
import { bareAnswer, rowsIn } from '../grammar/answer.ts';
import { type ContractTable, contractSize, contractsWithQuotes } from '../grammar/contract.ts';
import {
  bound,
  type ContractRow,
  derived,
  field,
  hours,
  IN_SECONDS,
  listing,
  ms,
  price,
  rate,
  required,
  SECONDS,
  where,
} from '../grammar/field.ts';
import { openInterestSeries, priceSeries, settledRates } from '../grammar/history.ts';
import { amount, type QuoteTable, quoteChanges, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, requested, requestedRows } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { beforeLaunch } from '../launch.ts';
import { requestParam } from '../request-param.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** Open interest of `contract_stats`, and `total_size` of tickers: neither is documented to count as `position_size`. */
const STATS_OPEN_INTEREST: PublishedAmount = {
  field: 'futures/usdt/contract_stats `open_interest`',
  unit: 'contracts',
  sides: 'unknown',
  evidence: 'a reader found twice `position_size` in September 2026; odd counts of 2022 speak against it',
  date: '2026-09-30',
  confidence: 'low',
};

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'futures/usdt/contracts `position_size`',
    unit: 'contracts',
    sides: 'one',
    evidence: 'SDK documentation: total long position size',
    date: '2026-09-30',
    confidence: 'high',
  },
  historicalOpenInterest: STATS_OPEN_INTEREST,
  volume: {
    field: 'futures/usdt/tickers `volume_24h`',
    unit: 'contracts',
    sides: 'one',
    evidence: 'recorded odd counts',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'v4',
    date: '2026-10-10',
    source: 'record of answered calls (mannoj93-spec/jbm-desk-data)',
  },
};

/** `BTC_USDT_20260925` is delivered, `BTC_USD` is inverse, `BTC_USD1` settles in another coin. */
export const { baseOf, reasonOf, unitsOf } = symbols({
  linear: /^(.+)_USDT$/,
  others: [
    [/_\d{8}$/, 'dated'],
    [/_USD$/, 'inverse'],
  ],
  rest: 'foreign_quote',
});

/** Errors are `{"label":"CONTRACT_NOT_FOUND","message":"…"}`, the message optional. */
export const open = bareAnswer({ error: 'label', message: 'message' });

const CLASSES: Readonly<Record<string, AssetClass>> = {
  '': 'crypto',
  stocks: 'equity',
  indices: 'index',
  metals: 'commodity',
  commodities: 'commodity',
  forex: 'fx',
};

const STATUS: Readonly<Record<string, OutOfScopeReason>> = {
  delisting: 'delisted',
  delisted: 'delisted',
  circuit_breaker: 'not_trading',
};

/** `quanto_multiplier` is 0 on the inverse contract; `status` is missing before 2025. */
function leftOut(
  wire: Wire,
  symbol: string,
  { receivedAt }: DecodeContext,
): Reject | RejectReason | undefined {
  const { status } = wire;
  if (wire.type === 'inverse' || readNumber(wire.quanto_multiplier) === 0) return 'inverse';
  if (baseOf(symbol) === undefined) return reasonOf(symbol);
  if (wire.in_delisting === true) return 'delisted';
  const launch = { field: 'launch_time', raw: wire.launch_time, scale: SECONDS };
  const early = beforeLaunch(symbol, launch, status === 'prelaunch', receivedAt);
  if (early !== undefined || status === undefined || status === 'trading') return early;
  return STATUS[String(status)] ?? fieldFault(symbol, 'status', status);
}

const CONTRACT: ContractTable = {
  venue: 'gate',
  symbol: 'name',
  leftOut,
  base: derived(({ symbol }) => baseOf(symbol)),
  quote: 'USDT',
  listedAt: listing('launch_time', SECONDS),
  contractSize: contractSize('quanto_multiplier'),
  fundingCap: bound('funding_rate_limit'),
  fundingFloor: bound('funding_rate_limit', -1),
  assetClass: field('contract_type', (raw, { wire }) => {
    if (wire.is_pre_market === true) return 'prelaunch';
    return typeof raw === 'string' ? CLASSES[raw] : undefined;
  }),
  fundingIntervalHours: hours('funding_interval', IN_SECONDS),
  terms: TERMS,
};

/**
 * The stated settlement, or the one before it on the interval's grid where that one still lies ahead: the venue may
 * state the time after the coming one already before it settles.
 */
function comingSettlement(raw: unknown, { wire, symbol, context }: ContractRow): UnixMs | undefined {
  const stated = readMs(raw, SECONDS);
  const { receivedAt: now, instruments } = context;
  const interval: Hours | undefined =
    readHours(wire.funding_interval, IN_SECONDS) ?? instruments.get(symbol)?.fundingIntervalHours;
  if (stated === undefined || interval === undefined || now === undefined) return stated;
  const before = stated - interval * HOUR_MS;
  return before > now && before - now <= interval * HOUR_MS ? asMs(before) : stated;
}

/** The running rate of the coming settlement. */
const FUNDING: QuoteTable = {
  fundingRate: rate('funding_rate'),
  fundingIntervalHours: hours('funding_interval', IN_SECONDS),
  nextFundingTime: field('funding_next_apply', comingSettlement),
};

/** Metrics of a contract. One before the market has no index basket: what stands in the field is no index. */
const CONTRACT_QUOTE: QuoteTable = {
  ...FUNDING,
  markPrice: required(price('mark_price')),
  indexPrice: where(({ wire }) => wire.is_pre_market !== true, required(price('index_price'))),
  openInterest: amount(PUBLISHED.openInterest, { contracts: 'position_size' }),
};

/** Traded contracts before coins, which are cut to whole ones; the coins where the size of a contract is not known. */
function traded({ wire, units }: ContractRow): StatedAmount {
  const { volume_24h: contracts, volume_24h_base: base, volume_24h_quote: quote } = wire;
  const isCounted = units.perContract !== undefined && readBase(contracts) !== undefined;
  return isCounted ? { contracts, quote } : { contracts, base, quote };
}

const isOnMarket = ({ symbol, context }: ContractRow): boolean =>
  context.instruments.get(symbol)?.assetClass !== 'prelaunch';

/** Row of `tickers` without open interest, which the polled `contracts` call states with a documented side. */
const TICKER: QuoteTable = {
  ...FUNDING,
  markPrice: price('mark_price'),
  indexPrice: where(isOnMarket, price('index_price')),
  volume24h: amount(PUBLISHED.volume, traded),
  bestBid: price('highest_bid'),
  bestAsk: price('lowest_ask'),
};

/** The same with it, as the channel `futures.tickers` has it, whose pushes may leave fields out. */
const WHOLE_TICKER: QuoteTable = {
  ...TICKER,
  openInterest: amount(STATS_OPEN_INTEREST, { contracts: 'total_size' }),
};

const STATS_AMOUNT = amount(STATS_OPEN_INTEREST, { contracts: 'open_interest', quote: 'open_interest_usd' });

/** `contracts` states every metric but volume and best prices. */
export const decodeContracts = contractsWithQuotes(
  rowsIn(open, { row: 'name' }),
  CONTRACT,
  quotes(CONTRACT_QUOTE),
);

/** The metrics of `contracts` alone, for the fast poll. */
export const decodeContractQuotes: Decoder = (payload, context) => ({
  ...decodeContracts(payload, context),
  instruments: [],
});

const tickers = rowsIn(open, { row: 'contract' });
export const decodeTickers = contractRows(tickers, 'contract', unitsOf, quotes(WHOLE_TICKER));
export const decodeTickerQuotes = contractRows(tickers, 'contract', unitsOf, quotes(TICKER));

/**
 * Rates have no unit: before any list is known, a name from the request that has none of the venue's forms is taken as
 * it is.
 */
const unitsOfRate: UnitsLookup = (context, symbol) =>
  context.instruments.size > 0 || symbol.includes('_')
    ? unitsOf(context, symbol)
    : { multiplier: 1, perContract: undefined };

/** Stamps come up to two seconds late; settlements are on whole minutes. */
export const decodeFundingHistory = requestedRows(
  rowsIn(open, { row: 'r' }),
  requested('contract'),
  unitsOfRate,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('t', SECONDS),
    rate: rate('r'),
    gridMs: MINUTE_MS,
  }),
);

export const decodeContractStats = requestedRows(
  rowsIn(open, { row: 'open_interest' }),
  requested('contract'),
  unitsOf,
  openInterestSeries(STAMPS.openInterest, ms('time', SECONDS), STATS_AMOUNT, price('mark_price')),
);

/** `candlesticks?contract=mark_BTC_USDT` or `index_…`. */
export const decodeCandles = (prefix: 'mark_' | 'index_', key: 'markPrice' | 'indexPrice'): Decoder =>
  requestedRows(
    rowsIn(open, { row: 't' }),
    ({ request }) => requestParam(request, 'contract')?.slice(prefix.length),
    unitsOf,
    priceSeries(STAMPS.price, ms('t', SECONDS), key, price('o')),
  );

/** Pushes by channel: how their rows name the contract, and what they state. */
export const QUOTE_CHANNELS: Readonly<Record<string, readonly [symbol: string, take: RowDecoder]>> = {
  'futures.tickers': ['contract', quoteChanges(WHOLE_TICKER)],
  // `t` is when the prices changed, within 20 ms of the push in recorded sessions.
  'futures.book_ticker': ['s', quotes({ bestBid: price('b'), bestAsk: price('a'), venueTime: ms('t') })],
  'futures.contract_stats': [
    'contract',
    quotes({ markPrice: price('mark_price'), openInterest: STATS_AMOUNT }),
  ],
};
