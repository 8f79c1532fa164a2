import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire, readNumber, readText } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { asHours } from '../../domain/units.ts';
import { fieldFault } from '../field-fault.ts';
import { readInstruments } from '../instrument-rows.ts';
import { isShare, namedBase, outOfScopeKind, plainBase, renamed } from './symbols.ts';
import { rowsOf } from './wire.ts';

/** Funding is fixed for, and realised over, each UTC hour. */
export const INTERVAL = asHours(1);

/** Row of `instruments`. */
interface KrakenInstrument {
  readonly symbol?: unknown;
  /** `flexible_futures` for linear contracts (dated ones too), `futures_inverse`, `spot index`. */
  readonly type?: unknown;
  readonly tradeable?: unknown;
  readonly contractSize?: unknown;
  /** Set on dated contracts only. */
  readonly lastTradingTime?: unknown;
  /** In newer rows: `BTC` beside `PF_XBTUSD`. */
  readonly base?: unknown;
}

/** `GET /instruments`: tradeable linear perpetuals, one base unit a contract. */
export function decodeInstruments(payload: unknown): Decoded {
  const out = emptyDecoded();
  return readInstruments(rowsOf(payload, 'instruments', out, 'instrument'), readInstrument, out);
}

function readInstrument(wire: unknown): Instrument | Reject {
  if (!isWire(wire)) return { symbol: null, reason: 'malformed', detail: 'row' };
  const row: KrakenInstrument = wire;
  const symbol = readText(row.symbol);
  if (symbol === undefined) return { symbol: null, reason: 'missing_field', detail: 'symbol' };
  const named = namedBase(symbol);
  if (named === undefined) return { symbol, reason: outOfScopeKind(symbol) };
  if (readText(row.lastTradingTime) !== undefined) return { symbol, reason: 'dated' };
  if (row.type !== 'flexible_futures') {
    return row.type === 'futures_inverse'
      ? { symbol, reason: 'inverse' }
      : fieldFault(symbol, 'type', row.type);
  }
  if (row.tradeable !== true) return { symbol, reason: 'not_trading' };
  const contractSize = readNumber(row.contractSize);
  if (contractSize === undefined || !(contractSize > 0) || contractSize > 1e12) {
    return fieldFault(symbol, 'contractSize', row.contractSize);
  }
  const base = renamed(readText(row.base) ?? named);
  return {
    venue: 'kraken',
    symbol,
    base,
    ...baseName(plainBase(base)),
    contractSize,
    quote: 'USD',
    settle: 'USD',
    ...(isShare(base) ? { assetClass: 'equity' as const } : {}),
    fundingIntervalHours: INTERVAL,
  };
}
