import type { Decoded } from '../../domain/decoded.ts';
import { isWire, readText, wireArray } from '../../domain/read.ts';
import type { Scaling } from '../contract-rows.ts';
import { errorText } from '../error-text.ts';
import { type Spelling, scaleOf, spelledBase } from '../scale.ts';

/** Answer of every REST call; `code` is "00000" on success. */
interface BitgetEnvelope {
  readonly code?: unknown;
  readonly msg?: unknown;
  readonly data?: unknown;
}

const SUCCESS = '00000';

/** `BTCUSDZ26`, `BTCCMZ26`, `ETHUSD_231229`: futures with a delivery date. */
const DATED = /(?:(?:USDT|USDC|USD|CM)[FGHJKMNQUVXZ]|_)\d{2,6}$/;
/** `BTCUSD`, in the unified account `BTCUSD_CM`. */
const INVERSE = /USD(?:_CM)?$/;

/** `BTCUSDT` settles in USDT, `BTCPERP` in USDC; both endings have four letters. */
function spell(symbol: string): Spelling {
  if (symbol.length > 4 && (symbol.endsWith('USDT') || symbol.endsWith('PERP'))) {
    return { base: symbol.slice(0, -4) };
  }
  if (DATED.test(symbol)) return 'dated';
  return INVERSE.test(symbol) ? 'inverse' : 'foreign_quote';
}

/** The base that a symbol spells: `1000BONK` of `1000BONKUSDT`, `BTC` of `BTCPERP`. */
export function baseOf(symbol: string): string | undefined {
  return spelledBase(spell(symbol));
}

/** Sizes count the base coin: one contract is one unit of the base as named. */
export const scaling: Scaling = (context, symbol) => scaleOf(context, symbol, spell, 1);

/**
 * The `data` of an answer; an error body becomes a reject and gives undefined. Data without its envelope is
 * taken as it is.
 */
export function dataOf(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload)) return payload;
  const { code, msg, data }: BitgetEnvelope = payload;
  if (code === undefined) return data === undefined ? payload : data;
  if (code === SUCCESS) return data ?? null;
  out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(code, msg) });
  return undefined;
}

/** Rows of an answer: a list, the list under `key`, or one bare row. */
export function rowsOf(payload: unknown, out: Decoded, key = 'list'): readonly unknown[] {
  const data = dataOf(payload, out);
  if (data === undefined && out.rejects.length > 0) return [];
  if (Array.isArray(data)) return data;
  const list = isWire(data) ? wireArray(data[key]) : undefined;
  if (list !== undefined) return list;
  if (isWire(data) && readText(data.symbol) !== undefined) return [data];
  out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no rows' });
  return [];
}
