import type { Decoded } from '../../domain/decoded.ts';
import { isWire, type Wire } from '../../domain/read.ts';
import { errorText } from '../error-text.ts';
import type { Contracts } from '../rows.ts';

/** Times are seconds, whole or with a fraction, unless a field says otherwise. */
export const SECONDS = 1000;
/** Funding intervals are minutes. */
export const MINUTES = 1 / 60;

const PERPETUAL = /^(.+)_PERP$/;

/** Base of `PEPE_PERP`; undefined for spot pairs. */
export function baseOf(symbol: string): string | undefined {
  return PERPETUAL.exec(symbol)?.[1];
}

/** Sizes count single coins: prices are per coin for every contract. */
export const contracts: Contracts = {
  parseSymbol: (symbol) => {
    const base = baseOf(symbol);
    return base === undefined ? 'spot' : { base };
  },
  contractSize: 1,
};

/** Text of an error that may be a message, or messages by field: `{"limit":["must be …"]}`. */
function messageOf(message: unknown): string {
  if (typeof message === 'string') return message;
  if (Array.isArray(message)) return message.map(messageOf).join(' ');
  if (!isWire(message)) return '';
  return Object.entries(message)
    .map(([field, text]) => `${field}: ${messageOf(text)}`)
    .join(' ');
}

/** HTTP 422 is a bare map of fields to messages. */
function isFieldMessages(payload: Wire): boolean {
  const lists = Object.values(payload);
  return lists.length > 0 && lists.every((x) => Array.isArray(x) && x.length > 0 && typeof x[0] === 'string');
}

/** `result` of an answer, or the bare payload; an error body is a reject and undefined. */
export function bodyOf(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload)) return payload;
  const { success, code, error, result } = payload;
  const failed = isWire(error) ? error : payload;
  if (success === false || code !== undefined || isWire(error) || isFieldMessages(payload)) {
    const message = isFieldMessages(payload) ? payload : (failed.message ?? failed.msg);
    const detail = errorText(failed.code, messageOf(message));
    out.rejects.push({ symbol: null, reason: 'error_body', detail });
    return undefined;
  }
  return result === undefined ? payload : result;
}
