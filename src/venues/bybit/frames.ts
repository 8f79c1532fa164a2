import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { errorText } from '../error-text.ts';
import { takeBook } from './book.ts';
import { unexpected } from './envelope.ts';
import { takeTicker } from './tickers.ts';

/** A WebSocket frame: `tickers.*` and `orderbook.*` pushes, acknowledgements, pongs. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  if (!isWire(payload)) return unexpected();
  const topic = readText(payload.topic);
  if (topic === undefined) return decodeAnswer(payload);
  const out = emptyDecoded();
  if (topic.startsWith('tickers.')) takeTickerFrame(out, payload, context);
  else if (topic.startsWith('orderbook.')) takeBookFrame(out, payload, context);
  else out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: topic.slice(0, 60) });
  return out;
}

/** Answers to the client's own frames carry `op`; `success: false` says what was refused. */
function decodeAnswer(payload: Wire): Decoded {
  if (readText(payload.op) === undefined) return unexpected();
  const out = emptyDecoded();
  if (payload.success === false) {
    const detail = errorText(payload.op, payload.ret_msg);
    out.rejects.push({ symbol: null, reason: 'error_body', detail });
  }
  return out;
}

/** A snapshot, then deltas with the changed fields only; `ts` is when the venue made the frame. */
function takeTickerFrame(out: Decoded, payload: Wire, context: DecodeContext): void {
  if (!isWire(payload.data)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'data' });
    return;
  }
  const patch = takeTicker(out, payload.data, context.instruments, payload.type === 'snapshot');
  const time = readMs(payload.ts);
  if (patch !== undefined && time !== undefined) patch.venueTime = time;
}

function takeBookFrame(out: Decoded, payload: Wire, context: DecodeContext): void {
  const { data, type } = payload;
  if (!isWire(data) || (type !== 'snapshot' && type !== 'delta')) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'book frame' });
    return;
  }
  takeBook(out, data, type, payload.cts ?? payload.ts, context);
}
