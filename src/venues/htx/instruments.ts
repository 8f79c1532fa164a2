import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass, Instrument } from '../../domain/instrument.ts';
import { isWire, readHours, readNumber, readText, wireArray } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { fieldFault } from '../field-fault.ts';
import { readInstruments } from '../instrument-rows.ts';
import { baseOf, outOfScopeKind, rowsOf } from './wire.ts';

/** Row of `swap_contract_info`. */
interface HtxContract {
  readonly contract_code?: unknown;
  /** Coins in one contract. */
  readonly contract_size?: unknown;
  readonly contract_status?: unknown;
  /** `swap` or `futures`. */
  readonly business_type?: unknown;
  readonly contract_type?: unknown;
  /** Hours between settlements, text; missing before 2023. */
  readonly settlement_period?: unknown;
  /** `Stocks`, `Indices`, `Metals`, `Commodities`; empty for coins. */
  readonly tradfi_labels?: unknown;
  /** Free tags; some shares and funds carry theirs here alone. */
  readonly labels?: unknown;
}

const LISTED = 1;
const STATUS: Readonly<Record<number, OutOfScopeReason>> = {
  0: 'delisted',
  2: 'prelisting',
  3: 'not_trading',
  4: 'prelisting',
  5: 'not_trading',
  6: 'not_trading',
  7: 'not_trading',
  8: 'delisted',
  9: 'not_trading',
};

/** In this order: what is labelled both a share and an index is a fund of shares. */
const CLASSES: readonly (readonly [label: string, assetClass: AssetClass])[] = [
  ['metals', 'commodity'],
  ['commodities', 'commodity'],
  ['commodity', 'commodity'],
  ['stocks', 'equity'],
  ['stock', 'equity'],
  ['indices', 'index'],
  ['forex', 'fx'],
];

/** Class by label. No label is no proof of a coin: a currency pair carries none. */
function classOf(row: HtxContract): AssetClass | undefined {
  const labels = [...(wireArray(row.tradfi_labels) ?? []), ...(wireArray(row.labels) ?? [])];
  const said = new Set(labels.map((label) => (typeof label === 'string' ? label.toLowerCase() : '')));
  return CLASSES.find(([label]) => said.has(label))?.[1];
}

/** `GET /linear-swap-api/v1/swap_contract_info`: listed swaps, with the size of a contract and the interval. */
export function decodeContracts(payload: unknown): Decoded {
  const out = emptyDecoded();
  return readInstruments(rowsOf(payload, out), readContract, out);
}

/** The instrument of a contract row, or why it is no live linear perpetual. */
function readContract(wire: unknown): Instrument | Reject {
  if (!isWire(wire)) return { symbol: null, reason: 'malformed', detail: 'row' };
  const row: HtxContract = wire;
  const symbol = readText(row.contract_code);
  if (symbol === undefined) return { symbol: null, reason: 'missing_field', detail: 'contract_code' };
  if (row.business_type === 'futures') return { symbol, reason: 'dated' };
  const base = baseOf(symbol);
  if (base === undefined) return { symbol, reason: outOfScopeKind(symbol) };
  if (row.contract_type !== undefined && row.contract_type !== 'swap') return { symbol, reason: 'dated' };
  const status = readNumber(row.contract_status);
  if (status !== LISTED) {
    const reason = status === undefined ? undefined : STATUS[status];
    return reason === undefined
      ? fieldFault(symbol, 'contract_status', row.contract_status)
      : { symbol, reason };
  }
  const contractSize = readNumber(row.contract_size);
  if (contractSize === undefined || !(contractSize > 0) || contractSize > 1e12) {
    return fieldFault(symbol, 'contract_size', row.contract_size);
  }
  const assetClass = classOf(row);
  const interval = readHours(row.settlement_period);
  return {
    venue: 'htx',
    symbol,
    base,
    ...baseName(base),
    contractSize,
    quote: 'USDT',
    settle: 'USDT',
    ...(assetClass === undefined ? {} : { assetClass }),
    ...(interval === undefined ? {} : { fundingIntervalHours: interval }),
  };
}
