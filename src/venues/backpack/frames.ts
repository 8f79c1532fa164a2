import type { BookLevel } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { addBook, bookStamps } from '../book-message.ts';
import { type ContractUnits, contractUnitsOf } from '../contract-units.ts';
import { readLevels } from '../levels.ts';
import { keepPatch, put } from '../quote-field.ts';
import { requestParam } from '../request-param.ts';
import { PUBLISHED } from './published.ts';
import { contracts, MICROSECONDS, unlessError } from './rows.ts';
import { putPrices } from './wire.ts';

/** Best level first, whatever the order on the wire: REST sends both sides by rising price. */
function bestFirst(levels: BookLevel[] | undefined, sign: 1 | -1): BookLevel[] | undefined {
  return levels?.sort((a, b) => sign * (a[0] - b[0]));
}

/** `GET /depth?symbol=`: snapshot; only the request names the contract. */
export function decodeDepth(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const body = unlessError(payload, out);
  if (out.rejects.length > 0) return out;
  const symbol = requestParam(context.request, 'symbol') ?? context.request?.symbol;
  if (!isWire(body) || symbol === undefined) {
    const detail = symbol === undefined ? 'symbol of the request' : 'no book';
    out.rejects.push({ symbol: symbol ?? null, reason: 'unexpected_shape', detail });
    return out;
  }
  const units = contractUnitsOf(context, symbol, contracts.parseSymbol, 1);
  if (typeof units === 'string') {
    out.rejects.push({ symbol, reason: units });
    return out;
  }
  const bids = bestFirst(readLevels(body.bids, units.multiplier), -1);
  const asks = bestFirst(readLevels(body.asks, units.multiplier), 1);
  const stamps = bookStamps(body.lastUpdateId, undefined, body.timestamp, MICROSECONDS);
  addBook(out, symbol, 'snapshot', units, { bids, asks }, stamps);
  return out;
}

/** A push `{stream, data}` of `wss://ws.backpack.exchange`, or its data alone. Requests are not acknowledged. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const body = unlessError(payload, out);
  if (out.rejects.length > 0) return out;
  const data = isWire(body) && isWire(body.data) ? body.data : body;
  const event = isWire(data) ? readText(data.e) : undefined;
  const symbol = isWire(data) ? readText(data.s) : undefined;
  if (!isWire(data) || event === undefined || symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no event' });
    return out;
  }
  const units = contractUnitsOf(context, symbol, contracts.parseSymbol, 1);
  if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
  else if (event === 'depth') takeChange(data, symbol, units, out);
  else takeQuote(event, data, symbol, units, out);
  return out;
}

/** Absolute sizes, zero removes the level; `U` of a change follows `u` of the one before. */
function takeChange(data: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  const bids = readLevels(data.b, units.multiplier);
  const asks = readLevels(data.a, units.multiplier);
  addBook(out, symbol, 'delta', units, { bids, asks }, bookStamps(data.u, data.U, data.T, MICROSECONDS));
}

function takeQuote(event: string, data: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  const { rejects } = out;
  const { multiplier } = units;
  const q: QuotePatch = { symbol };
  switch (event) {
    case 'markPrice': {
      putPrices(q, { mark: data.p, index: data.i, rate: data.f, next: data.n }, multiplier, rejects);
      const time = readMs(data.E, MICROSECONDS);
      if (q.markPrice !== undefined && time !== undefined) q.venueTime = time;
      break;
    }
    case 'ticker':
      putVolume(q, PUBLISHED.volume, { base: data.v, quote: data.V }, units, rejects);
      break;
    case 'bookTicker':
      put(q, 'bestBid', readPrice(data.b, multiplier), data.b, rejects);
      put(q, 'bestAsk', readPrice(data.a, multiplier), data.a, rejects);
      break;
    case 'openInterest':
      putOpenInterest(q, PUBLISHED.openInterest, { base: data.o }, units, rejects);
      break;
    default:
      rejects.push({ symbol, reason: 'unexpected_shape', detail: `event ${event.slice(0, 40)}` });
      return;
  }
  keepPatch(q, out.quotes, rejects);
}
