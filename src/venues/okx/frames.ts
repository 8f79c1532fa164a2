import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { errorText } from '../error-text.ts';
import { takeBook } from './book.ts';
import { unexpected } from './envelope.ts';
import {
  type RowsDecoder,
  takeFundingRates,
  takeIndexTickers,
  takeMarkPrices,
  takeOpenInterest,
  takeTickers,
} from './metrics.ts';

const CHANNELS: ReadonlyMap<string, RowsDecoder> = new Map([
  ['funding-rate', takeFundingRates],
  ['mark-price', takeMarkPrices],
  ['index-tickers', takeIndexTickers],
  ['open-interest', takeOpenInterest],
  ['tickers', takeTickers],
]);

/** Books that are whole in every push. */
const SNAPSHOTS_ONLY = new Set(['books5', 'bbo-tbt']);
/** Books that come as a snapshot and its updates. */
const CHAINED_BOOKS = new Set(['books', 'books-l2-tbt', 'books50-l2-tbt']);

/** A WebSocket frame: a push `{arg, data}`, an event, or the text `pong`. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  if (payload === 'pong') return emptyDecoded();
  if (!isWire(payload)) return unexpected();
  if (payload.event !== undefined) return decodeEvent(payload);
  const channel = isWire(payload.arg) ? readText(payload.arg.channel) : undefined;
  if (channel === undefined || !Array.isArray(payload.data)) return unexpected('push');
  const take = CHANNELS.get(channel);
  const out = emptyDecoded();
  if (take !== undefined) take(payload.data, context, out);
  else if (SNAPSHOTS_ONLY.has(channel)) takeBooks(out, payload, payload.data, 'snapshot', context);
  else if (CHAINED_BOOKS.has(channel)) takeChained(out, payload, payload.data, context);
  else out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: channel.slice(0, 60) });
  return out;
}

/** Acknowledgements, notices and errors of the connection. */
function decodeEvent(payload: Wire): Decoded {
  const out = emptyDecoded();
  if (payload.event === 'error') {
    const detail = errorText(payload.code, payload.msg);
    out.rejects.push({ symbol: null, reason: 'error_body', detail });
  }
  return out;
}

function takeChained(out: Decoded, frame: Wire, rows: readonly unknown[], context: DecodeContext): void {
  if (frame.action === 'snapshot') takeBooks(out, frame, rows, 'snapshot', context);
  else if (frame.action === 'update') takeBooks(out, frame, rows, 'delta', context);
  else out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'action' });
}

function takeBooks(
  out: Decoded,
  frame: Wire,
  rows: readonly unknown[],
  kind: 'snapshot' | 'delta',
  context: DecodeContext,
): void {
  const symbol = isWire(frame.arg) ? readText(frame.arg.instId) : undefined;
  if (symbol === undefined) out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'instId' });
  else for (const row of rows) takeBook(out, row, symbol, kind, context);
}
