import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readNumber, readText, type Wire } from '../../domain/read.ts';
import { errorText } from '../error-text.ts';

/** `result` of a good answer, or the reject of the whole payload. Errors come with HTTP 200 and a retCode. */
export function openEnvelope(payload: unknown): { readonly result: Wire } | { readonly failed: Decoded } {
  if (!isWire(payload)) return { failed: unexpected() };
  if (payload.retCode !== undefined && readNumber(payload.retCode) !== 0) {
    const failed = emptyDecoded();
    const detail = errorText(payload.retCode, withoutSignature(payload.retMsg));
    failed.rejects.push({ symbol: null, reason: 'error_body', detail });
    return { failed };
  }
  return isWire(payload.result) ? { result: payload.result } : { failed: unexpected() };
}

export function unexpected(): Decoded {
  const decoded = emptyDecoded();
  decoded.rejects.push({ symbol: null, reason: 'unexpected_shape' });
  return decoded;
}

/** Some messages quote the string that was signed, with the key in it. */
function withoutSignature(message: unknown): string {
  return (readText(message) ?? '').split('[', 1)[0] ?? '';
}

/** Rows under `result.list`. */
export function listOf(result: Wire): readonly unknown[] | undefined {
  return Array.isArray(result.list) ? result.list : undefined;
}
