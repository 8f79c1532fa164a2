import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { readBookFrame } from './books.ts';
import { readChanges, readMarkets } from './markets.ts';
import { errorBody } from './wire.ts';

/** Any frame of the socket, told by `type` and `channel`. */
export function decodeFrame(frame: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  const type = isWire(frame) ? readText(frame.type) : undefined;
  if (!isWire(frame) || type === undefined) {
    decoded.rejects.push(errorBody(frame) ?? { symbol: null, reason: 'unexpected_shape', detail: 'type' });
  } else if (type === 'error') {
    const detail = readText(frame.message)?.slice(0, 120) ?? 'error';
    decoded.rejects.push({ symbol: null, reason: 'error_body', detail });
  } else if (!/^(subscribed|channel_data|channel_batch_data)$/.test(type)) {
    if (!/^(connected|unsubscribed|pong)$/.test(type)) {
      decoded.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: type.slice(0, 40) });
    }
  } else if (frame.channel === 'v4_orderbook') readBookFrame(frame, context, decoded);
  else if (frame.channel === 'v4_markets') readMarketsFrame(frame, context, decoded);
  else decoded.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'channel' });
  return decoded;
}

/** `v4_markets`: whole rows on subscription, then the fields that changed. */
function readMarketsFrame(frame: Wire, context: DecodeContext, decoded: Decoded): void {
  const { contents } = frame;
  if (frame.type === 'subscribed' && isWire(contents) && isWire(contents.markets)) {
    readMarkets(contents.markets, context, decoded);
    return;
  }
  const parts = frame.type === 'channel_batch_data' ? wireArray(contents) : [contents];
  for (const part of parts ?? [undefined]) {
    const changes = isWire(part) ? [part.trading, part.oraclePrices].filter((x) => x !== undefined) : [];
    if (changes.length === 0) {
      decoded.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'contents' });
    }
    for (const change of changes) readChanges(change, context, decoded);
  }
}
