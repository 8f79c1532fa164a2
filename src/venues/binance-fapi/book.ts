import type { BookUpdate } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readNumber, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addUnitBook, bookStamps } from '../book-message.ts';
import { readLevels } from '../levels.ts';
import { requestParam } from '../request-param.ts';
import { type FapiDialect, multiplierOf } from './dialect.ts';
import { rejected } from './rows.ts';

/** `depth`: a snapshot. The answer does not name its symbol; the request does. */
export function decodeDepth(payload: unknown, context: DecodeContext, dialect: FapiDialect): Decoded {
  if (!isWire(payload) || payload.bids === undefined || payload.asks === undefined) return rejected(payload);
  const out = emptyDecoded();
  const symbol = context.request?.symbol ?? requestParam(context.request, 'symbol');
  if (symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'symbol of the request' });
    return out;
  }
  const multiplier = multiplierOf(symbol, context.instruments, dialect);
  if (typeof multiplier !== 'number') {
    out.rejects.push({ symbol, reason: multiplier });
    return out;
  }
  const sides = { bids: readLevels(payload.bids, multiplier), asks: readLevels(payload.asks, multiplier) };
  const stamps = bookStamps(payload.lastUpdateId, undefined, payload.E);
  addUnitBook(out, symbol, 'snapshot', sides, stamps);
  return out;
}

/**
 * One `depthUpdate` event. Partial books (`@depth5`, `@depth10`, `@depth20`) have the same shape but are whole
 * each time; only the stream's name tells them apart.
 */
export function takeDepthUpdate(
  out: Decoded,
  symbol: string,
  multiplier: number,
  row: Wire,
  isSnapshot: boolean,
): void {
  const bids = readLevels(row.b, multiplier);
  const asks = readLevels(row.a, multiplier);
  const sequence = readNumber(row.u);
  if (bids === undefined || asks === undefined || sequence === undefined) {
    out.rejects.push({ symbol, reason: 'malformed', detail: sequence === undefined ? 'u' : 'levels' });
    return;
  }
  const first = readNumber(row.U);
  const previous = readNumber(row.pu);
  const time = readMs(row.E);
  const update: BookUpdate = {
    symbol,
    kind: isSnapshot ? 'snapshot' : 'delta',
    bids,
    asks,
    sequence,
    ...(first === undefined ? {} : { firstSequence: first }),
    ...(previous === undefined ? {} : { previousSequence: previous }),
    ...(time === undefined ? {} : { venueTime: time }),
  };
  out.books.push(update);
}
