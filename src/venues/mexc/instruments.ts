import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire, readNumber, readText } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { fieldFault } from '../field-fault.ts';
import { parseSymbol, rowsOf } from './rows.ts';

/** Row of `detail` and of the channel `push.contract`. */
interface MexcContract {
  readonly symbol?: unknown;
  readonly baseCoin?: unknown;
  readonly quoteCoin?: unknown;
  readonly settleCoin?: unknown;
  /** Coins (as named) in one contract; USD on inverse ones. */
  readonly contractSize?: unknown;
  /** 0 enabled, 1 delivery, 2 delivered, 3 offline, 4 paused. */
  readonly state?: unknown;
  /** 1 perpetual, 2 delivery; absent in old replies. */
  readonly futureType?: unknown;
  /** 2 = stock contracts, which trade, whatever the documents call it. */
  readonly type?: unknown;
}

const STATES: Readonly<Record<number, OutOfScopeReason>> = {
  1: 'delisted',
  2: 'delisted',
  3: 'delisted',
  4: 'not_trading',
};

/** `GET /api/v1/contract/detail` (also `…/detail/country`, `?symbol=`): live linear perpetuals. */
export function decodeDetail(payload: unknown): Decoded {
  const out = emptyDecoded();
  for (const row of rowsOf(payload, out)) addContract(row, out);
  return out;
}

/** Adds the instrument of one contract row, or the reason why it is none. */
export function addContract(row: unknown, out: Decoded): void {
  const read = isWire(row) ? readContract(row) : undefined;
  if (read === undefined) out.rejects.push({ symbol: null, reason: 'malformed', detail: 'row' });
  else if ('reason' in read) out.rejects.push(read);
  else out.instruments.push(read);
}

/** Why a contract is no live linear perpetual of USDT or USDC; undefined when it is one. */
function contractFault(row: MexcContract, symbol: string): Reject | undefined {
  const { quoteCoin, settleCoin } = row;
  const kind = row.futureType === undefined ? 1 : readNumber(row.futureType);
  const state = readNumber(row.state);
  // Old replies do not say the kind; the symbol of a dated contract does.
  if (kind === 2 || parseSymbol(symbol) === 'dated') return { symbol, reason: 'dated' };
  if (kind !== 1) return fieldFault(symbol, 'futureType', row.futureType);
  if (settleCoin === row.baseCoin) return { symbol, reason: 'inverse' };
  if (quoteCoin !== settleCoin) return { symbol, reason: 'quanto' };
  if (settleCoin !== 'USDT' && settleCoin !== 'USDC') return { symbol, reason: 'foreign_quote' };
  if (state === 0) return undefined;
  const reason = state === undefined ? undefined : STATES[state];
  return reason === undefined ? fieldFault(symbol, 'state', row.state) : { symbol, reason };
}

function readContract(row: MexcContract): Instrument | Reject {
  const symbol = readText(row.symbol);
  if (symbol === undefined) return { symbol: null, reason: 'missing_field', detail: 'symbol' };
  const fault = contractFault(row, symbol);
  if (fault !== undefined) return fault;
  const base = readText(row.baseCoin);
  const settle = readText(row.settleCoin);
  const size = readNumber(row.contractSize);
  if (base === undefined || settle === undefined) return fieldFault(symbol, 'baseCoin', row.baseCoin);
  if (size === undefined || !(size > 0) || size > 1e12)
    return fieldFault(symbol, 'contractSize', row.contractSize);
  return {
    venue: 'mexc',
    symbol,
    base,
    ...baseName(base),
    contractSize: size,
    quote: settle,
    settle,
    ...(readNumber(row.type) === 2 ? { assetClass: 'equity' } : {}),
  };
}
