import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass, Instrument } from '../../domain/instrument.ts';
import { isWire, readText } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { asHours } from '../../domain/units.ts';
import { ownTakerFee } from '../contract-fee.ts';
import { fieldFault } from '../field-fault.ts';
import { readInstruments } from '../instrument-rows.ts';
import { baseOf, outOfScopeKind, rowsOf } from './wire.ts';

export const TAKER_FEE_BPS = 3.5;
/** Funding accrues every millisecond; its rate is expressed for eight hours. */
export const INTERVAL = asHours(8);

/** Row of `get_instruments`. */
interface DeribitInstrument {
  readonly instrument_name?: unknown;
  /** `future`, `option`, `spot`, `future_combo`, `option_combo`. */
  readonly kind?: unknown;
  /** `perpetual`, `month`, `week`, `day`; absent on combinations. */
  readonly settlement_period?: unknown;
  /** `linear` or `reversed`; rows of 2022 have `future_type` alone. */
  readonly instrument_type?: unknown;
  readonly future_type?: unknown;
  readonly settlement_currency?: unknown;
  readonly is_active?: unknown;
  /** Absent before 2026. */
  readonly state?: unknown;
  readonly underlying_type?: unknown;
  readonly taker_commission?: unknown;
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

/** `public/get_instruments` and `public/get_instrument`: active linear perpetuals settled in USDC. */
export function decodeInstruments(payload: unknown): Decoded {
  const out = emptyDecoded();
  return readInstruments(rowsOf(payload, out), readInstrument, out);
}

function readInstrument(wire: unknown): Instrument | Reject {
  if (!isWire(wire)) return { symbol: null, reason: 'malformed', detail: 'row' };
  const row: DeribitInstrument = wire;
  const symbol = readText(row.instrument_name);
  if (symbol === undefined) return { symbol: null, reason: 'missing_field', detail: 'instrument_name' };
  const reason = outOfScope(row);
  if (reason !== undefined) return { symbol, reason };
  if (row.kind !== 'future') return fieldFault(symbol, 'kind', row.kind);
  const type = row.instrument_type ?? row.future_type;
  if (type !== 'linear') return fieldFault(symbol, 'instrument_type', type);
  const base = baseOf(symbol);
  if (base === undefined) return { symbol, reason: outOfScopeKind(symbol) };
  const closed = row.is_active !== true || (row.state !== undefined && row.state !== 'open');
  if (closed) return { symbol, reason: 'not_trading' };
  const assetClass = typeof row.underlying_type === 'string' ? CLASSES[row.underlying_type] : undefined;
  return {
    venue: 'deribit',
    symbol,
    base,
    ...baseName(base),
    contractSize: 1,
    quote: 'USDC',
    settle: 'USDC',
    ...(assetClass === undefined ? {} : { assetClass }),
    fundingIntervalHours: INTERVAL,
    ...ownTakerFee(row.taker_commission, TAKER_FEE_BPS),
  };
}

/** Why a row is none of ours by what it says of itself. */
function outOfScope(row: DeribitInstrument): OutOfScopeReason | undefined {
  const kind = typeof row.kind === 'string' ? KINDS[row.kind] : undefined;
  if (kind !== undefined) return kind;
  if (readText(row.settlement_period) !== undefined && row.settlement_period !== 'perpetual') return 'dated';
  if ((row.instrument_type ?? row.future_type) === 'reversed') return 'inverse';
  const settle = readText(row.settlement_currency);
  return settle === undefined || settle === 'USDC' ? undefined : 'foreign_quote';
}
