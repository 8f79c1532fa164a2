import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { readBookFrame } from './books.ts';
import { readBestPrices, readFundingNow, readSummary } from './summary.ts';
import { errorBody } from './wire.ts';

/** Any JSON-RPC message of the socket: pushes by channel, errors, acknowledgements. */
export function decodeFrame(frame: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  const params = isWire(frame) && frame.method === 'subscription' ? frame.params : undefined;
  const channel = isWire(params) ? readText(params.channel) : undefined;
  const error = errorBody(frame);
  if (error !== undefined) decoded.rejects.push(error);
  else if (isWire(params) && channel !== undefined) readPush(channel, params.data, context, decoded);
  else if (!isWire(frame) || !('result' in frame)) {
    decoded.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'channel' });
  }
  return decoded;
}

function readPush(channel: string, data: unknown, context: DecodeContext, decoded: Decoded): void {
  const topic = channel.split('.', 1)[0];
  if (!isWire(data)) decoded.rejects.push({ symbol: null, reason: 'malformed', detail: 'data' });
  else if (topic === 'order_book') readBookFrame(data, context, decoded);
  else if (topic === 'markets_summary') readSummary(data, context, decoded);
  else if (topic === 'funding_data') readFundingNow(data, context, decoded);
  else if (topic === 'bbo') readBestPrices(data, context, decoded);
  else decoded.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: channel.slice(0, 40) });
}
