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
  readUsd,
  type Wire,
} from '../../domain/read.ts';
import type { ForeignReason, Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import type { DecodeContext } from '../adapter.ts';
import { eachContract } from '../contract-rows.ts';
import { fieldFault } from '../field-fault.ts';
import { putOpenInterest } from '../open-interest.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import type { Scale } from '../scale.ts';
import { baseOf, foreignKind, rowsOf, scaling } from './rows.ts';

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
  /** Next settlement, Unix seconds. */
  readonly funding_next_apply?: unknown;
  readonly mark_price?: unknown;
  readonly index_price?: unknown;
  /** Total size of long positions, contracts. */
  readonly position_size?: unknown;
  readonly in_delisting?: unknown;
  /** Absent before 2025. */
  readonly status?: unknown;
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
  /** Open interest, contracts. */
  readonly total_size?: unknown;
  /** Contracts. */
  readonly volume_24h?: unknown;
  /** Coins, rounded to whole ones; can be `nan`. */
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
const SECOND_IN_MS = 1000;

const CLASSES: Readonly<Record<string, AssetClass>> = {
  '': 'crypto',
  stocks: 'equity',
  indices: 'index',
  metals: 'commodity',
  commodities: 'commodity',
  forex: 'fx',
};

const STATUS: Readonly<Record<string, ForeignReason>> = {
  prelaunch: 'prelisting',
  delisting: 'delisted',
  delisted: 'delisted',
  circuit_breaker: 'not_trading',
};

function assetClassOf(row: GateContract): AssetClass | undefined {
  if (row.is_pre_market === true) return 'prelaunch';
  return typeof row.contract_type === 'string' ? CLASSES[row.contract_type] : undefined;
}

/** The instrument of a contract row, or why it is no live linear perpetual. */
function readContract(wire: Wire): Instrument | Reject {
  const row: GateContract = wire;
  const symbol = readText(row.name);
  if (symbol === undefined) return { symbol: null, reason: 'missing_field', detail: 'name' };
  const size = readNumber(row.quanto_multiplier);
  if (row.type === 'inverse' || size === 0) return { symbol, reason: 'inverse' };
  const base = baseOf(symbol);
  if (base === undefined) return { symbol, reason: foreignKind(symbol) };
  if (row.in_delisting === true) return { symbol, reason: 'delisted' };
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
function takeContract(wire: Wire, instrument: Instrument, out: Decoded): void {
  const row: GateContract = wire;
  const { rejects } = out;
  const { multiplier } = instrument;
  const patch: QuotePatch = { symbol: instrument.symbol };
  putFunding(patch, row, rejects);
  need(patch, 'markPrice', readPrice(row.mark_price, multiplier), row.mark_price, rejects);
  // A pre-market contract has no index basket: what stands in the field is no index.
  if (instrument.assetClass !== 'prelaunch') {
    need(patch, 'indexPrice', readPrice(row.index_price, multiplier), row.index_price, rejects);
  }
  putOpenInterest(patch, row.position_size, multiplier * instrument.contractSize, rejects);
  keepPatch(patch, out.quotes, rejects);
}

/** Running rate of the coming settlement, interval and settlement time. */
function putFunding(patch: QuotePatch, row: GateContract | GateTicker, rejects: Reject[]): void {
  const interval = row.funding_interval;
  const next = row.funding_next_apply;
  put(patch, 'fundingRate', readRate(row.funding_rate), row.funding_rate, rejects);
  put(patch, 'fundingIntervalHours', readHours(interval, SECOND_IN_HOURS), interval, rejects);
  put(patch, 'nextFundingTime', readMs(next, SECOND_IN_MS), next, rejects);
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
      ? readContract(row)
      : { symbol: null, reason: 'malformed', detail: 'row' };
    if ('reason' in read) out.rejects.push(read);
    else {
      out.instruments.push(read);
      if (isWire(row) && (instruments.size === 0 || instruments.has(read.symbol)))
        takeContract(row, read, out);
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
  scale: Scale,
  context: DecodeContext,
  scope: TickerScope,
  out: Decoded,
): void {
  const row: GateTicker = wire;
  const { rejects } = out;
  const { multiplier, perContract } = scale;
  const patch: QuotePatch = { symbol };
  putFunding(patch, row, rejects);
  put(patch, 'markPrice', readPrice(row.mark_price, multiplier), row.mark_price, rejects);
  if (context.instruments.get(symbol)?.assetClass !== 'prelaunch') {
    put(patch, 'indexPrice', readPrice(row.index_price, multiplier), row.index_price, rejects);
  }
  if (scope.openInterest) putOpenInterest(patch, row.total_size, perContract, rejects);
  put(patch, 'volume24hRaw', readBase(row.volume_24h), row.volume_24h, rejects);
  const coins = readBase(row.volume_24h_base, multiplier);
  const counted = perContract === undefined ? undefined : readBase(row.volume_24h, perContract);
  put(patch, 'volume24hBase', coins ?? counted, row.volume_24h_base, rejects);
  put(patch, 'volume24hUsd', readUsd(row.volume_24h_quote), row.volume_24h_quote, rejects);
  put(patch, 'bestBid', readPrice(row.highest_bid, multiplier), row.highest_bid, rejects);
  put(patch, 'bestAsk', readPrice(row.lowest_ask, multiplier), row.lowest_ask, rejects);
  keepPatch(patch, out.quotes, rejects);
}

function decodeTickerRows(payload: unknown, context: DecodeContext, scope: TickerScope): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, 'contract', out), 'contract', scaling, context, out, (row, symbol, scale) =>
    takeTicker(row, symbol, scale, context, scope, out),
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
