import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { readBook } from './books.ts';
import { readStats, readTicker } from './stats.ts';
import { errorBody } from './wire.ts';

/** Any frame of the socket, told by its `type`. */
export function decodeFrame(frame: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  const type = isWire(frame) ? frame.type : undefined;
  const error = typeof type === 'string' ? undefined : errorBody(frame);
  if (error !== undefined) decoded.rejects.push(error);
  else if (!isWire(frame) || typeof type !== 'string') {
    decoded.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'type' });
  } else if (/^(subscribed|update)\/market_stats$/.test(type)) readStats(frame, context, decoded);
  else if (/^(subscribed|update)\/ticker$/.test(type)) readTicker(frame, context, decoded);
  else if (/^(subscribed|update)\/order_book$/.test(type)) readBook(frame, context, decoded);
  else if (!/^(connected|ping|pong|unsubscribed(\/.*)?)$/.test(type)) {
    decoded.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: type.slice(0, 40) });
  }
  return decoded;
}
