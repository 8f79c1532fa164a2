import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire, readNumber, readText } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { ownTakerFee } from '../contract-fee.ts';
import { fieldFault } from '../field-fault.ts';
import { readInstruments } from '../instrument-rows.ts';
import { classOf, outOfScopeKind, partsOf, plainBase, rowsOf } from './wire.ts';

export const TAKER_FEE_BPS = 5;

/** Row of `contracts`; numbers and strings change places over the years. */
interface BingxContract {
  readonly symbol?: unknown;
  /** Settlement currency. */
  readonly currency?: unknown;
  readonly status?: unknown;
  readonly takerFeeRate?: unknown;
}

const LIVE = 1;
const STATUS: Readonly<Record<number, OutOfScopeReason>> = {
  0: 'delisted',
  5: 'prelisting',
  // No new positions, and no row of rates and prices.
  25: 'not_trading',
};

/** `GET /quote/contracts`: perpetuals that are open, settled in USDT or USDC. */
export function decodeContracts(payload: unknown): Decoded {
  const out = emptyDecoded();
  return readInstruments(rowsOf(payload, out), readContract, out);
}

function readContract(wire: unknown): Instrument | Reject {
  if (!isWire(wire)) return { symbol: null, reason: 'malformed', detail: 'row' };
  const row: BingxContract = wire;
  const symbol = readText(row.symbol);
  if (symbol === undefined) return { symbol: null, reason: 'missing_field', detail: 'symbol' };
  const parts = partsOf(symbol);
  if (parts === undefined) return { symbol, reason: outOfScopeKind(symbol) };
  const status = readNumber(row.status);
  if (status !== LIVE) {
    const reason = status === undefined ? undefined : STATUS[status];
    return reason === undefined ? fieldFault(symbol, 'status', row.status) : { symbol, reason };
  }
  const [base, quote] = parts;
  const settle = readText(row.currency) ?? quote;
  if (settle !== quote) return { symbol, reason: 'quanto', detail: settle };
  const assetClass = classOf(base);
  return {
    venue: 'bingx',
    symbol,
    base,
    ...baseName(plainBase(base)),
    contractSize: 1,
    quote,
    settle,
    ...(assetClass === undefined ? {} : { assetClass }),
    ...ownTakerFee(row.takerFeeRate, TAKER_FEE_BPS),
  };
}
