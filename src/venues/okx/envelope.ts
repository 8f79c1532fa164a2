import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire } from '../../domain/read.ts';
import { errorText } from '../error-text.ts';

/** Rows under `data`, or the reject of the whole payload. Errors come as `{code, msg, data: []}`. */
export function openEnvelope(
  payload: unknown,
): { readonly rows: readonly unknown[] } | { readonly failed: Decoded } {
  if (!isWire(payload)) return { failed: unexpected() };
  if (payload.code !== undefined && payload.code !== '0' && payload.code !== 0) {
    const failed = emptyDecoded();
    const detail = errorText(payload.code, payload.msg);
    failed.rejects.push({ symbol: null, reason: 'error_body', detail });
    return { failed };
  }
  return Array.isArray(payload.data) ? { rows: payload.data } : { failed: unexpected() };
}

export function unexpected(detail?: string): Decoded {
  const decoded = emptyDecoded();
  decoded.rejects.push({
    symbol: null,
    reason: 'unexpected_shape',
    ...(detail === undefined ? {} : { detail }),
  });
  return decoded;
}
