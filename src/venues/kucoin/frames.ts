import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { errorText } from '../error-text.ts';
import { isClassicError, takeClassicFrame } from './classic-frames.ts';
import { isUnified, takeUnifiedFrame } from './unified-frames.ts';

/** A frame of either public socket: classic (topics) or unified (message types). */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (!isWire(payload)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no frame' });
    return out;
  }
  if (isUnified(payload)) takeUnifiedFrame(payload, context, out);
  else if (payload.topic !== undefined && isWire(payload.data))
    takeClassicFrame(payload, payload.data, context, out);
  else if (payload.result === false || isClassicError(payload)) {
    const text = payload.message ?? payload.reason ?? payload.msg ?? payload.data;
    out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(payload.code, text) });
  } else if (!isControl(payload)) out.rejects.push({ symbol: null, reason: 'unexpected_shape' });
  return out;
}

/** Welcome, acknowledgements and pongs carry no data. */
function isControl(frame: Wire): boolean {
  const { type, message, result } = frame;
  return message === 'welcome' || result === true || type === 'welcome' || type === 'ack' || type === 'pong';
}
