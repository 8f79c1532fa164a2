import type { BookLevel, BookUpdate } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readNumber, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { keyedLevels } from '../keyed-levels.ts';
import { readLevels } from '../levels.ts';
import { errorBody, isReject, marketOf } from './wire.ts';

/** Number and time of a book message. */
function stampOf(wire: Wire): Pick<BookUpdate, 'sequence' | 'venueTime'> {
  const sequence = readNumber(wire.seq_no);
  const time = readMs(wire.last_updated_at);
  return {
    ...(sequence === undefined ? {} : { sequence }),
    ...(time === undefined ? {} : { venueTime: time }),
  };
}

/** `/orderbook/<market>`: a snapshot. */
export function decodeBook(payload: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  const error = errorBody(payload);
  const symbol = isWire(payload) ? readText(payload.market) : undefined;
  const market = symbol === undefined ? undefined : marketOf(symbol, context);
  if (error !== undefined || !isWire(payload) || symbol === undefined || market === undefined) {
    decoded.rejects.push(error ?? { symbol: null, reason: 'unexpected_shape', detail: 'market' });
    return decoded;
  }
  if (isReject(market)) {
    decoded.rejects.push(market);
    return decoded;
  }
  const bids = readLevels(payload.bids, market.multiplier);
  const asks = readLevels(payload.asks, market.multiplier);
  if (bids === undefined || asks === undefined) {
    decoded.rejects.push({ symbol, reason: 'malformed', detail: bids === undefined ? 'bids' : 'asks' });
  } else decoded.books.push({ symbol, kind: 'snapshot', bids, asks, ...stampOf(payload) });
  return decoded;
}

interface Sides {
  readonly bids: BookLevel[];
  readonly asks: BookLevel[];
}

/** Sorts a list of changes by side; false when one of them is unreadable. */
function takeSides(rows: unknown, multiplier: number, removed: boolean, sides: Sides): boolean {
  const list = wireArray(rows ?? []);
  const sized = removed ? list?.map((row) => (isWire(row) ? { ...row, size: 0 } : row)) : list;
  const levels = keyedLevels(sized, 'price', 'size', multiplier);
  if (list === undefined || levels === undefined) return false;
  return levels.every((level, i) => {
    const row = list[i];
    const side = isWire(row) ? row.side : undefined;
    if (side === 'BUY') sides.bids.push(level);
    else if (side === 'SELL') sides.asks.push(level);
    return side === 'BUY' || side === 'SELL';
  });
}

/**
 * `order_book`: update type "s" is the snapshot of 15 levels a side, both sides in `inserts`; "d" changes it.
 * `seq_no` is said to grow by one; no recording of a delta proves it, so no predecessor is stated.
 */
export function readBookFrame(data: Wire, context: DecodeContext, decoded: Decoded): void {
  const symbol = readText(data.market);
  const market = symbol === undefined ? undefined : marketOf(symbol, context);
  const kind = data.update_type === 's' ? 'snapshot' : data.update_type === 'd' ? 'delta' : undefined;
  if (symbol === undefined || market === undefined || kind === undefined) {
    const detail = symbol === undefined ? 'market' : 'update_type';
    decoded.rejects.push({ symbol: symbol ?? null, reason: 'malformed', detail });
    return;
  }
  if (isReject(market)) {
    decoded.rejects.push(market);
    return;
  }
  const sides: Sides = { bids: [], asks: [] };
  const { multiplier } = market;
  const whole =
    takeSides(data.inserts, multiplier, false, sides) &&
    takeSides(data.updates, multiplier, false, sides) &&
    takeSides(data.deletes, multiplier, true, sides);
  if (!whole) {
    decoded.rejects.push({ symbol, reason: 'malformed', detail: 'levels' });
    return;
  }
  if (kind === 'snapshot') {
    sides.bids.sort((a, b) => b[0] - a[0]);
    sides.asks.sort((a, b) => a[0] - b[0]);
  }
  decoded.books.push({ symbol, kind, ...sides, ...stampOf(data) });
}
