import type { BookUpdate } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readNumber, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { readLevels } from '../levels.ts';
import { requestParam } from '../request-param.ts';
import { contractUnits, multiplierOf } from './contract.ts';
import { openEnvelope } from './envelope.ts';

/** `market/books`: one snapshot; the answer does not name its contract, the request does. */
export function decodeBooks(payload: unknown, context: DecodeContext): Decoded {
  const opened = openEnvelope(payload);
  if ('failed' in opened) return opened.failed;
  const out = emptyDecoded();
  const symbol = context.request?.symbol ?? requestParam(context.request, 'instId');
  if (symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'instId of the request' });
    return out;
  }
  for (const row of opened.rows) takeBook(out, row, symbol, 'snapshot', context);
  return out;
}

/**
 * Adds one book message. Sizes count contracts. Where no list of contracts is known the sizes of a linear swap stay in
 * contracts and its book is marked `unknown_unit`; what is no listed linear swap is left out.
 */
export function takeBook(
  out: Decoded,
  row: unknown,
  symbol: string,
  kind: BookUpdate['kind'],
  context: DecodeContext,
): void {
  const multiplier = multiplierOf(symbol, context.instruments);
  if (typeof multiplier !== 'number') {
    out.rejects.push({ symbol, reason: multiplier });
    return;
  }
  const units = contractUnits(symbol, context.instruments);
  const update = isWire(row) ? readBook(row, symbol, kind, multiplier, units ?? 1) : undefined;
  if (update === undefined) {
    out.rejects.push({ symbol, reason: 'malformed', detail: 'book' });
    return;
  }
  if (units === undefined)
    out.rejects.push({ symbol, reason: 'unknown_unit', detail: 'sizes count contracts' });
  out.books.push(update);
}

function readBook(
  row: Wire,
  symbol: string,
  kind: BookUpdate['kind'],
  multiplier: number,
  units: number,
): BookUpdate | undefined {
  const bids = readLevels(row.bids, multiplier, units);
  const asks = readLevels(row.asks, multiplier, units);
  if (bids === undefined || asks === undefined) return undefined;
  const sequence = readNumber(row.seqId);
  const previous = readNumber(row.prevSeqId);
  const time = readMs(row.ts);
  return {
    symbol,
    kind,
    bids,
    asks,
    ...(sequence === undefined ? {} : { sequence }),
    // A snapshot states -1: it follows nothing.
    ...(previous === undefined || previous < 0 ? {} : { previousSequence: previous }),
    ...(time === undefined ? {} : { venueTime: time }),
  };
}
