import type { Decoded } from '../domain/decoded.ts';
import { isWire, readText } from '../domain/read.ts';
import { errorText } from './error-text.ts';

/**
 * The `data` of an answer `{ code, msg, data }`; an error body becomes a reject and gives undefined. Data without its
 * envelope is taken as it is.
 */
function _dataIn(payload: unknown, out: Decoded, isSuccess: (code: unknown) => boolean): unknown {
  if (!isWire(payload)) return payload;
  const { code, msg, data } = payload;
  if (code === undefined) return data === undefined ? payload : data;
  if (isSuccess(code)) return data ?? null;
  out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(code, msg) });
  return undefined;
}

/**
 * Rows of an answer's data: a list, the list under `key`, or one bare row, which names its contract. Anything else is a
 * reject, unless one says already why there is no data.
 */
export function rowsIn(
  data: unknown,
  out: Decoded,
  { key, symbol = 'symbol' }: { readonly key?: string; readonly symbol?: string } = {},
): readonly unknown[] {
  if (data === undefined && out.rejects.length > 0) return [];
  if (Array.isArray(data)) return data;
  if (isWire(data)) {
    const list = key === undefined ? undefined : data[key];
    if (Array.isArray(list)) return list;
    if (readText(data[symbol]) !== undefined) return [data];
  }
  out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no rows' });
  return [];
}
