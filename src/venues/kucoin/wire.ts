import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass, Instrument } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import {
  isWire,
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
import { asMs, type UnixMs } from '../../domain/units.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { ownTakerFee } from '../contract-fee.ts';
import { fieldFault } from '../field-fault.ts';
import { onGrid } from '../history-points.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { PUBLISHED } from './published.ts';
import { outOfScopeKind, rowsOf } from './rows.ts';

/** Row of `contracts/active`. Numbers are JSON numbers, but for the open interest. */
interface KucoinContract {
  readonly symbol?: unknown;
  /** `FFWCSX` perpetual, `FFICSX` dated. */
  readonly type?: unknown;
  readonly baseCurrency?: unknown;
  readonly quoteCurrency?: unknown;
  readonly settleCurrency?: unknown;
  /** Coins (as named) in one lot; -1 on inverse contracts. */
  readonly multiplier?: unknown;
  readonly isInverse?: unknown;
  readonly status?: unknown;
  readonly marketStage?: unknown;
  readonly assetClass?: unknown;
  readonly indexSymbol?: unknown;
  readonly takerFeeRate?: unknown;
  readonly fundingFeeRate?: unknown;
  /** Interval in force, ms; null on some rows. */
  readonly currentFundingRateGranularity?: unknown;
  /** Configured interval, ms. */
  readonly fundingRateGranularity?: unknown;
  /** Next settlement, Unix ms; absent before 2026. */
  readonly nextFundingRateDateTime?: unknown;
  /** Milliseconds LEFT until the next settlement. */
  readonly nextFundingRateTime?: unknown;
  readonly markPrice?: unknown;
  readonly indexPrice?: unknown;
  /** Lots, a string. */
  readonly openInterest?: unknown;
  /** Coins as named. */
  readonly volumeOf24h?: unknown;
  /** Settlement currency. */
  readonly turnoverOf24h?: unknown;
}

export const TAKER_FEE_BPS = 6;
export const MS_IN_HOURS = 1 / 3_600_000;

const CLASSES: Readonly<Record<string, AssetClass>> = {
  CRYPTO: 'crypto',
  STOCK: 'equity',
  METAL: 'commodity',
  COMMODITY: 'commodity',
};

const STATUS: Readonly<Record<string, OutOfScopeReason>> = {
  Init: 'prelisting',
  Paused: 'not_trading',
  CancelOnly: 'not_trading',
  BeingSettled: 'delisted',
  Settled: 'delisted',
  Closed: 'delisted',
};

function assetClassOf(row: KucoinContract): AssetClass | undefined {
  const stage = readText(row.marketStage);
  if (stage !== undefined && stage !== 'NORMAL') return 'prelaunch';
  return typeof row.assetClass === 'string' ? CLASSES[row.assetClass] : undefined;
}

/** Why a row is no open linear perpetual; undefined when it is one. */
function contractFault(row: KucoinContract, symbol: string): Reject | undefined {
  if (row.type === 'FFICSX') return { symbol, reason: 'dated' };
  if (row.type !== 'FFWCSX') return fieldFault(symbol, 'type', row.type);
  if (row.isInverse !== false) return { symbol, reason: 'inverse' };
  if (row.settleCurrency !== 'USDT' && row.settleCurrency !== 'USDC')
    return { symbol, reason: outOfScopeKind(symbol) };
  if (row.quoteCurrency !== row.settleCurrency) return { symbol, reason: 'quanto' };
  if (row.status === 'Open') return undefined;
  const reason = typeof row.status === 'string' ? STATUS[row.status] : undefined;
  return reason === undefined ? fieldFault(symbol, 'status', row.status) : { symbol, reason };
}

function readContract(row: KucoinContract): Instrument | Reject {
  const symbol = readText(row.symbol);
  if (symbol === undefined) return { symbol: null, reason: 'missing_field', detail: 'symbol' };
  const fault = contractFault(row, symbol);
  if (fault !== undefined) return fault;
  const base = readText(row.baseCurrency);
  const settle = readText(row.settleCurrency);
  const lot = readNumber(row.multiplier);
  if (base === undefined || settle === undefined) return fieldFault(symbol, 'baseCurrency', row.baseCurrency);
  if (lot === undefined || !(lot > 0) || lot > 1e12) return fieldFault(symbol, 'multiplier', row.multiplier);
  const assetClass = assetClassOf(row);
  const interval = intervalOf(row);
  const indexId = readText(row.indexSymbol);
  return {
    venue: 'kucoin',
    symbol,
    base,
    ...baseName(base),
    contractSize: lot,
    quote: settle,
    settle,
    ...(assetClass === undefined ? {} : { assetClass }),
    ...(interval === undefined ? {} : { fundingIntervalHours: interval }),
    ...(indexId === undefined ? {} : { indexId }),
    ...ownTakerFee(row.takerFeeRate, TAKER_FEE_BPS),
  };
}

/** The interval in force, else the configured one; old replies state neither. */
function intervalOf(row: KucoinContract) {
  return (
    readHours(row.currentFundingRateGranularity, MS_IN_HOURS) ??
    readHours(row.fundingRateGranularity, MS_IN_HOURS)
  );
}

/** The stated instant, else receipt + the time left; settlements are on whole minutes. */
function nextFundingOf(row: KucoinContract, receivedAt: UnixMs | undefined): UnixMs | undefined {
  const stated = readMs(row.nextFundingRateDateTime);
  const left = readNumber(row.nextFundingRateTime);
  if (stated !== undefined || receivedAt === undefined) return stated;
  if (left === undefined || left < 0 || left > 24 * 60 * MINUTE_MS) return undefined;
  return onGrid(asMs(receivedAt + left), MINUTE_MS);
}

/** What `takeContract` reads. */
interface ContractScope {
  /** Left to the unified call where both are polled. */
  readonly openInterest: boolean;
}

/** Metrics of a contract row; the lot size is in the same row. */
function takeContract(
  row: KucoinContract,
  instrument: Instrument,
  context: DecodeContext,
  scope: ContractScope,
  out: Decoded,
): void {
  const { rejects } = out;
  const { symbol, multiplier, contractSize } = instrument;
  const patch: QuotePatch = { symbol };
  need(patch, 'fundingRate', readRate(row.fundingFeeRate), row.fundingFeeRate, rejects);
  put(patch, 'fundingIntervalHours', intervalOf(row), row.fundingRateGranularity, rejects);
  const next = nextFundingOf(row, context.receivedAt);
  put(patch, 'nextFundingTime', next, row.nextFundingRateDateTime, rejects);
  need(patch, 'markPrice', readPrice(row.markPrice, multiplier), row.markPrice, rejects);
  // Before listing the index is this contract's own price.
  if (instrument.assetClass !== 'prelaunch') {
    need(patch, 'indexPrice', readPrice(row.indexPrice, multiplier), row.indexPrice, rejects);
  }
  const units = { multiplier, perContract: multiplier * contractSize };
  if (scope.openInterest)
    putOpenInterest(patch, PUBLISHED.openInterest, { contracts: row.openInterest }, units, rejects);
  const traded = { base: row.volumeOf24h, quote: row.turnoverOf24h };
  putVolume(patch, PUBLISHED.volume, traded, units, rejects);
  keepPatch(patch, out.quotes, rejects);
}

function decodeRows(payload: unknown, context: DecodeContext, scope: ContractScope): Decoded {
  const out = emptyDecoded();
  const { instruments } = context;
  for (const row of rowsOf(payload, out)) {
    const contract: Wire | undefined = isWire(row) ? row : undefined;
    const read = contract === undefined ? undefined : readContract(contract);
    if (contract === undefined || read === undefined) {
      out.rejects.push({ symbol: null, reason: 'malformed', detail: 'row' });
    } else if ('reason' in read) out.rejects.push(read);
    else {
      out.instruments.push(read);
      if (instruments.size === 0 || instruments.has(read.symbol))
        takeContract(contract, read, context, scope, out);
      else out.rejects.push({ symbol: read.symbol, reason: 'not_listed' });
    }
  }
  return out;
}

/** `GET /api/v1/contracts/active` (and `…/contracts/{symbol}`): instruments and every metric but best prices. */
export function decodeContracts(payload: unknown, context: DecodeContext): Decoded {
  return decodeRows(payload, context, { openInterest: true });
}

/** The same without open interest, which some of the classic call's servers have held still for days. */
export function decodePolledContracts(payload: unknown, context: DecodeContext): Decoded {
  return decodeRows(payload, context, { openInterest: false });
}

/** The metrics of that alone, for the fast poll. */
export function decodeContractQuotes(payload: unknown, context: DecodeContext): Decoded {
  return { ...decodePolledContracts(payload, context), instruments: [] };
}
