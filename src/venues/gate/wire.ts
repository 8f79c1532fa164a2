import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass, Instrument } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import {
  isWire,
  readBase,
  readHours,
  readMs,
  readNumber,
  readPrice,
  readRate,
  readText,
  type Wire,
} from '../../domain/read.ts';
import type { OutOfScopeReason, Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { asMs, type Hours, type UnixMs } from '../../domain/units.ts';
import { HOUR_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume, type StatedAmount } from '../amounts.ts';
import { eachContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { fieldFault } from '../field-fault.ts';
import { beforeLaunch } from '../launch.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { PUBLISHED, STATS_OPEN_INTEREST } from './published.ts';
import { baseOf, outOfScopeKind, rowsOf, unitsOf } from './rows.ts';

/** Row of `contracts`. Prices and rates are strings; sizes are numbers, or strings on decimal contracts. */
interface GateContract {
  readonly name?: unknown;
  /** `direct` or `inverse`. */
  readonly type?: unknown;
  /** Coins in one contract; "0" on the inverse one. */
  readonly quanto_multiplier?: unknown;
  readonly funding_rate?: unknown;
  /** Seconds between settlements. */
  readonly funding_interval?: unknown;
  /** Next settlement, Unix seconds; may move on before that settlement. */
  readonly funding_next_apply?: unknown;
  readonly mark_price?: unknown;
  readonly index_price?: unknown;
  /** Total size of long positions, contracts. */
  readonly position_size?: unknown;
  readonly in_delisting?: unknown;
  /** Absent before 2025. */
  readonly status?: unknown;
  /** Begin of trading, Unix seconds. */
  readonly launch_time?: unknown;
  readonly is_pre_market?: unknown;
  /** Blank for crypto. */
  readonly contract_type?: unknown;
}

/** Row of `tickers` and of the channel `futures.tickers`, whose pushes may leave fields out. */
interface GateTicker {
  readonly contract?: unknown;
  readonly mark_price?: unknown;
  readonly index_price?: unknown;
  readonly funding_rate?: unknown;
  /** Open interest, contracts, of unknown sides. */
  readonly total_size?: unknown;
  /** Contracts. */
  readonly volume_24h?: unknown;
  /** Coins, cut to whole ones; can be `nan`. */
  readonly volume_24h_base?: unknown;
  readonly volume_24h_quote?: unknown;
  readonly highest_bid?: unknown;
  readonly lowest_ask?: unknown;
  /** Seconds; channel only. */
  readonly funding_interval?: unknown;
  /** Unix seconds; channel only. */
  readonly funding_next_apply?: unknown;
}

export const TAKER_FEE_BPS = 5;
const SECOND_IN_HOURS = 1 / 3600;

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

function assetClassOf(row: GateContract): AssetClass | undefined {
  if (row.is_pre_market === true) return 'prelaunch';
  return typeof row.contract_type === 'string' ? CLASSES[row.contract_type] : undefined;
}

/** The instrument of a contract row, or why it is no live linear perpetual. */
function readContract(wire: Wire, now: UnixMs | undefined): Instrument | Reject {
  const row: GateContract = wire;
  const symbol = readText(row.name);
  if (symbol === undefined) return { symbol: null, reason: 'missing_field', detail: 'name' };
  const size = readNumber(row.quanto_multiplier);
  if (row.type === 'inverse' || size === 0) return { symbol, reason: 'inverse' };
  const base = baseOf(symbol);
  if (base === undefined) return { symbol, reason: outOfScopeKind(symbol) };
  if (row.in_delisting === true) return { symbol, reason: 'delisted' };
  const launch = readMs(row.launch_time, SECOND_MS);
  const early = beforeLaunch(symbol, launch, row.status === 'prelaunch', now);
  if (early !== undefined) return early;
  if (row.status !== undefined && row.status !== 'trading') {
    const reason = typeof row.status === 'string' ? STATUS[row.status] : undefined;
    return reason === undefined ? fieldFault(symbol, 'status', row.status) : { symbol, reason };
  }
  if (size === undefined || !(size > 0) || size > 1e12) {
    return fieldFault(symbol, 'quanto_multiplier', row.quanto_multiplier);
  }
  const assetClass = assetClassOf(row);
  const interval = readHours(row.funding_interval, SECOND_IN_HOURS);
  return {
    venue: 'gate',
    symbol,
    base,
    ...baseName(base),
    contractSize: size,
    quote: 'USDT',
    settle: 'USDT',
    ...(assetClass === undefined ? {} : { assetClass }),
    ...(interval === undefined ? {} : { fundingIntervalHours: interval }),
  };
}

/** Metrics of a contract row; the contract size is in the same row. */
function takeContract(wire: Wire, instrument: Instrument, context: DecodeContext, out: Decoded): void {
  const row: GateContract = wire;
  const { rejects } = out;
  const { multiplier, contractSize } = instrument;
  const patch: QuotePatch = { symbol: instrument.symbol };
  putFunding(patch, row, instrument, context.receivedAt, rejects);
  need(patch, 'markPrice', readPrice(row.mark_price, multiplier), row.mark_price, rejects);
  // A pre-market contract has no index basket: what stands in the field is no index.
  if (instrument.assetClass !== 'prelaunch') {
    need(patch, 'indexPrice', readPrice(row.index_price, multiplier), row.index_price, rejects);
  }
  const units = { multiplier, perContract: multiplier * contractSize };
  putOpenInterest(patch, PUBLISHED.openInterest, { contracts: row.position_size }, units, rejects);
  keepPatch(patch, out.quotes, rejects);
}

/** Running rate of the coming settlement, interval and settlement time. */
function putFunding(
  patch: QuotePatch,
  row: GateContract | GateTicker,
  listed: Instrument | undefined,
  now: UnixMs | undefined,
  rejects: Reject[],
): void {
  const { funding_rate: rate, funding_interval: interval, funding_next_apply: next } = row;
  const hours = readHours(interval, SECOND_IN_HOURS);
  put(patch, 'fundingRate', readRate(rate), rate, rejects);
  put(patch, 'fundingIntervalHours', hours, interval, rejects);
  const coming = comingSettlement(readMs(next, SECOND_MS), hours ?? listed?.fundingIntervalHours, now);
  put(patch, 'nextFundingTime', coming, next, rejects);
}

/**
 * The stated settlement, or the one before it on the interval's grid where that one still lies ahead: the venue may
 * state the time after the coming one already before it settles.
 */
function comingSettlement(
  stated: UnixMs | undefined,
  hours: Hours | undefined,
  now: UnixMs | undefined,
): UnixMs | undefined {
  if (stated === undefined || hours === undefined || now === undefined) return stated;
  const before = stated - hours * HOUR_MS;
  return before > now && before - now <= hours * HOUR_MS ? asMs(before) : stated;
}

/**
 * `GET /futures/usdt/contracts` (and `…/contracts/{contract}`): instruments, and every metric but volume and best
 * prices. Open interest is `position_size`.
 */
export function decodeContracts(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const { instruments } = context;
  for (const row of rowsOf(payload, 'name', out)) {
    const read: Instrument | Reject = isWire(row)
      ? readContract(row, context.receivedAt)
      : { symbol: null, reason: 'malformed', detail: 'row' };
    if ('reason' in read) out.rejects.push(read);
    else {
      out.instruments.push(read);
      if (isWire(row) && (instruments.size === 0 || instruments.has(read.symbol)))
        takeContract(row, read, context, out);
    }
  }
  return out;
}

/** The metrics of `contracts` alone, for the fast poll. */
export function decodeContractQuotes(payload: unknown, context: DecodeContext): Decoded {
  return { ...decodeContracts(payload, context), instruments: [] };
}

/** What `takeTicker` reads. */
export interface TickerScope {
  /** `total_size` is the open interest. Left to `contracts` where both calls are polled. */
  readonly openInterest: boolean;
}

/** One ticker row, from REST or from the channel. */
export function takeTicker(
  wire: Wire,
  symbol: string,
  units: ContractUnits,
  context: DecodeContext,
  scope: TickerScope,
  out: Decoded,
): void {
  const row: GateTicker = wire;
  const { rejects } = out;
  const { multiplier } = units;
  const listed = context.instruments.get(symbol);
  const patch: QuotePatch = { symbol };
  putFunding(patch, row, listed, context.receivedAt, rejects);
  put(patch, 'markPrice', readPrice(row.mark_price, multiplier), row.mark_price, rejects);
  if (listed?.assetClass !== 'prelaunch') {
    put(patch, 'indexPrice', readPrice(row.index_price, multiplier), row.index_price, rejects);
  }
  if (scope.openInterest)
    putOpenInterest(patch, STATS_OPEN_INTEREST, { contracts: row.total_size }, units, rejects);
  putVolume(patch, PUBLISHED.volume, tradedBy(row, units), units, rejects);
  put(patch, 'bestBid', readPrice(row.highest_bid, multiplier), row.highest_bid, rejects);
  put(patch, 'bestAsk', readPrice(row.lowest_ask, multiplier), row.lowest_ask, rejects);
  keepPatch(patch, out.quotes, rejects);
}

/** Traded contracts before coins, which are cut to whole ones; the coins where the size of a contract is not known. */
function tradedBy(row: GateTicker, { perContract }: ContractUnits): StatedAmount {
  const { volume_24h: contracts, volume_24h_base: base, volume_24h_quote: quote } = row;
  const counted = perContract !== undefined && readBase(contracts) !== undefined;
  return counted ? { contracts, quote } : { contracts, base, quote };
}

function decodeTickerRows(payload: unknown, context: DecodeContext, scope: TickerScope): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, 'contract', out), 'contract', unitsOf, context, out, (row, symbol, units) =>
    takeTicker(row, symbol, units, context, scope, out),
  );
  return out;
}

/** `GET /futures/usdt/tickers`: mark, index, rate, open interest, volume, best prices. */
export function decodeTickers(payload: unknown, context: DecodeContext): Decoded {
  return decodeTickerRows(payload, context, { openInterest: true });
}

/** The same without open interest, which the polled `contracts` call states with a documented side. */
export function decodeTickerQuotes(payload: unknown, context: DecodeContext): Decoded {
  return decodeTickerRows(payload, context, { openInterest: false });
}
