import type { Decoded } from '../../domain/decoded.ts';
import { isWire, readNumber } from '../../domain/read.ts';
import type { ParsedSymbol } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import type { Contracts } from '../rows.ts';

const PERPETUAL = /^(.+)USD-PERP$/;
const INDEX = /^(.+USD)-INDEX$/;

/** What a symbol spells: `BTCUSD-PERP`; `BTCUSD-261225` is dated, `BTC_USD` spot, `…-CW30000` a warrant. */
export function parseSymbol(symbol: string): ParsedSymbol {
  const base = PERPETUAL.exec(symbol)?.[1];
  if (base !== undefined) return { base };
  if (/-\d{6}-/.test(symbol)) return 'option';
  if (/-\d{6}$/.test(symbol)) return 'dated';
  return symbol.includes('_') ? 'spot' : 'not_listed';
}

/** Base of `BTCUSD-PERP`; undefined for everything else. */
export function baseOf(symbol: string): string | undefined {
  return PERPETUAL.exec(symbol)?.[1];
}

/** The perpetual on an index; every index of the venue carries the name of its perpetual. */
export function perpetualOn(index: string): string | undefined {
  const pair = INDEX.exec(index)?.[1];
  return pair === undefined ? undefined : `${pair}-PERP`;
}

/** One contract is one base unit on all perpetuals; a list that says otherwise is followed. */
export const contracts: Contracts = { parseSymbol, contractSize: 1 };

/** `result` of an answer or push, or the bare payload; any code but 0 is a reject and undefined. */
export function resultOf(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload)) return payload;
  const { code, message, msg, result, status, error } = payload;
  if (code !== undefined && readNumber(code) !== 0) {
    out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(code, message ?? msg) });
    return undefined;
  }
  // An unknown path is answered by the server's own page.
  if (status !== undefined && typeof error === 'string') {
    out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(status, error) });
    return undefined;
  }
  return result === undefined ? payload : result;
}

/** The rows of a result: its `data`, or a bare list or row. */
export function dataOf(result: unknown): unknown {
  return isWire(result) && result.data !== undefined ? result.data : result;
}
