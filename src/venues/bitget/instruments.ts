import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass, Instrument } from '../../domain/instrument.ts';
import { isWire, readHours, readMs, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { ownTakerFee } from '../contract-fee.ts';
import { fieldFault } from '../field-fault.ts';
import { readInstruments } from '../instrument-rows.ts';
import { beforeLaunch } from '../launch.ts';
import { rowsOf } from './rows.ts';

/** What rows of `contracts` (classic, v2) and `instruments` (unified, v3) share. All numbers are strings. */
interface BitgetContract {
  readonly symbol?: unknown;
  readonly baseCoin?: unknown;
  /** USDT, USDC, or USD for coin-margined contracts. */
  readonly quoteCoin?: unknown;
  readonly takerFeeRate?: unknown;
  /** Hours. */
  readonly fundInterval?: unknown;
  /** Begin of trading, ms; blank or 0 on many rows. */
  readonly launchTime?: unknown;
}

export const TAKER_FEE_BPS = 6;

/** `symbolStatus` (v2) and `status` (v3) of contracts that are not open to everyone. */
const STATUS: Readonly<Record<string, OutOfScopeReason>> = {
  maintain: 'not_trading',
  limit_open: 'not_trading',
  limit_close: 'not_trading',
  restrictedAPI: 'not_trading',
  off: 'delisted',
  offline: 'delisted',
};

/** Where each generation of the list says what a contract is. */
interface ListFields {
  readonly type: string;
  readonly status: string;
  readonly live: string;
  readonly classOf: (row: Wire) => AssetClass | undefined;
}

const CLASSIC: ListFields = {
  type: 'symbolType',
  status: 'symbolStatus',
  live: 'normal',
  // `isRwa` YES covers stocks, indices, metals, currencies and announced coins alike.
  classOf: (row) => (row.isRwa === 'NO' ? 'crypto' : undefined),
};

const UNIFIED: ListFields = {
  type: 'type',
  status: 'status',
  live: 'online',
  classOf: (row) => {
    if (row.isRwa === 'NO') return 'crypto';
    return row.symbolType === 'stock' ? 'equity' : undefined;
  },
};

/** What both lists say of a contract that is announced. */
const ANNOUNCED = 'listed';

/** `GET /api/v2/mix/market/contracts`: live linear perpetuals. */
export function decodeContracts(payload: unknown, context: DecodeContext): Decoded {
  return decodeList(payload, CLASSIC, context);
}

/** `GET /api/v3/market/instruments`: live linear perpetuals. */
export function decodeInstruments(payload: unknown, context: DecodeContext): Decoded {
  return decodeList(payload, UNIFIED, context);
}

function decodeList(payload: unknown, fields: ListFields, { receivedAt }: DecodeContext): Decoded {
  const out = emptyDecoded();
  return readInstruments(rowsOf(payload, out), (row) => readInstrument(row, fields, receivedAt), out);
}

function readInstrument(row: unknown, fields: ListFields, now: UnixMs | undefined): Instrument | Reject {
  if (!isWire(row)) return { symbol: null, reason: 'malformed', detail: 'row' };
  const contract: BitgetContract = row;
  const symbol = readText(contract.symbol);
  if (symbol === undefined) return { symbol: null, reason: 'missing_field', detail: 'symbol' };
  const type = row[fields.type];
  if (type === 'delivery') return { symbol, reason: 'dated' };
  if (type !== 'perpetual') return fieldFault(symbol, fields.type, type);
  const base = readText(contract.baseCoin);
  const quote = readText(contract.quoteCoin);
  if (base === undefined) return fieldFault(symbol, 'baseCoin', contract.baseCoin);
  if (quote === 'USD') return { symbol, reason: 'inverse' };
  if (quote !== 'USDT' && quote !== 'USDC') return { symbol, reason: 'foreign_quote' };
  const status = row[fields.status];
  const early = beforeLaunch(symbol, readMs(contract.launchTime), status === ANNOUNCED, now);
  if (early !== undefined) return early;
  if (status !== fields.live) return closed(symbol, fields.status, status);
  const assetClass = fields.classOf(row);
  const interval = readHours(contract.fundInterval);
  return {
    venue: 'bitget',
    symbol,
    base,
    ...baseName(base),
    contractSize: 1,
    quote,
    settle: quote,
    ...(assetClass === undefined ? {} : { assetClass }),
    ...(interval === undefined ? {} : { fundingIntervalHours: interval }),
    ...ownTakerFee(contract.takerFeeRate, TAKER_FEE_BPS),
  };
}

function closed(symbol: string, field: string, status: unknown): Reject {
  const reason = typeof status === 'string' ? STATUS[status] : undefined;
  return reason === undefined ? fieldFault(symbol, field, status) : { symbol, reason };
}
