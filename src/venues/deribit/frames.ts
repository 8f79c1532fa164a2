import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { readOneContract } from '../contract-rows.ts';
import { keepPatch, put } from '../quote-field.ts';
import { takeBook } from './books.ts';
import { takeMetrics, takePerpetual } from './metrics.ts';
import { resultOf, unitsOf } from './wire.ts';

/** `book.BTC_USDC-PERPETUAL.100ms`: what is told, and of which instrument. */
const CHANNEL = /^([a-z_]+)\.([^.]+)/;

/** Frames of the socket: pushes of a channel; answers to the client's own requests and heartbeats hold nothing. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame = isWire(payload) ? payload : {};
  if (frame.method === 'heartbeat') return out;
  if (frame.method === 'subscription' || isWire(frame.params)) takePush(frame, context, out);
  else if (readText(frame.instrument_name) !== undefined) takeBare(frame, context, out);
  else if (frame.error !== undefined) resultOf(frame, out);
  else if (frame.result !== undefined) takeAnswer(frame.result, out);
  else out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no push' });
  return out;
}

/** A channel that does not exist is silently left out of the list of those taken. */
function takeAnswer(result: unknown, out: Decoded): void {
  if (!Array.isArray(result) || result.length > 0) return;
  out.rejects.push({ symbol: null, reason: 'error_body', detail: 'no channel was taken' });
}

function takePush(frame: Wire, context: DecodeContext, out: Decoded): void {
  const params = isWire(frame.params) ? frame.params : {};
  const [, topic, named] = CHANNEL.exec(readText(params.channel) ?? '') ?? [];
  const { data } = params;
  // A subscription of the client's own names channels, and a platform's notice no contract.
  if (topic === undefined && (Array.isArray(params.channels) || params.channel !== undefined)) return;
  if (!isWire(data)) {
    if (Array.isArray(data)) return;
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no data' });
    return;
  }
  const symbol = readText(data.instrument_name) ?? named;
  if (topic === 'book') takeBook(data, symbol, context, out);
  else if (topic === 'ticker' || topic === 'incremental_ticker') takeTicker(data, symbol, context, out);
  else if (topic === 'perpetual') takePerpetual(data, symbol, context, out);
  else if (topic === 'quote') takeQuote(data, symbol, context, out);
}

/** What a push holds, without the push around it: a book has levels, a ticker a mark. */
function takeBare(data: Wire, context: DecodeContext, out: Decoded): void {
  const symbol = readText(data.instrument_name);
  if (data.bids !== undefined || data.asks !== undefined) takeBook(data, symbol, context, out);
  else takeTicker(data, symbol, context, out);
}

function takeTicker(data: Wire, symbol: string | undefined, context: DecodeContext, out: Decoded): void {
  readOneContract(symbol, unitsOf, context, out, (name, units) => takeMetrics(data, name, units, out));
}

/** `quote.{instrument}`: the touch. */
function takeQuote(data: Wire, symbol: string | undefined, context: DecodeContext, out: Decoded): void {
  readOneContract(symbol, unitsOf, context, out, (name, { multiplier }) => {
    const q: QuotePatch = { symbol: name };
    const { best_bid_price: bid, best_ask_price: ask, timestamp } = data;
    put(q, 'bestBid', readPrice(bid, multiplier), bid, out.rejects);
    put(q, 'bestAsk', readPrice(ask, multiplier), ask, out.rejects);
    put(q, 'venueTime', readMs(timestamp), timestamp, out.rejects);
    keepPatch(q, out.quotes, out.rejects);
  });
}
