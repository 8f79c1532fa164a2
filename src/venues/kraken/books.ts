import type { BookLevel } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readNumber, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addBook, bookStamps } from '../book-message.ts';
import { oneContract } from '../contract-rows.ts';
import { readLevels } from '../levels.ts';
import { requestParam } from '../request-param.ts';
import type { Scale } from '../scale.ts';
import { listedSpelling, scaling } from './symbols.ts';
import { isRefusal } from './wire.ts';

/** `GET /orderbook?symbol=`: the whole book, not numbered, so that it cannot be joined with the socket's. */
export function decodeOrderBook(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (isRefusal(payload, out)) return out;
  const book = isWire(payload) ? (payload.orderBook ?? payload) : undefined;
  if (!isWire(book) || !Array.isArray(book.bids) || !Array.isArray(book.asks)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no orderBook' });
    return out;
  }
  const asked = context.request?.symbol ?? readText(requestParam(context.request, 'symbol'));
  const symbol = asked === undefined ? undefined : listedSpelling(context, asked);
  oneContract(symbol, scaling, context, out, (name, scale) => {
    const { multiplier, perContract } = scale;
    const side = (levels: unknown) => readLevels(levels, multiplier, perContract ?? 1);
    addBook(out, name, 'snapshot', scale, { bids: side(book.bids), asks: side(book.asks) }, {});
  });
  return out;
}

/**
 * A level of the socket in ticker units. A negative quantity is read as 0; undefined when it cannot be read.
 */
function readLevel(level: unknown, { multiplier, perContract = 1 }: Scale): BookLevel | undefined {
  if (!isWire(level)) return undefined;
  const price = readNumber(level.price);
  const size = readNumber(level.qty);
  if (price === undefined || size === undefined) return undefined;
  if (!(price > 0 && price < 1e15 && size < 1e24)) return undefined;
  return [price / multiplier, Math.max(0, size) * perContract];
}

/** All levels of a snapshot's side; empty ones are left out, an unreadable one spoils the side. */
function readSide(levels: unknown, scale: Scale): BookLevel[] | undefined {
  const rows = wireArray(levels);
  if (rows === undefined) return undefined;
  const side: BookLevel[] = [];
  for (const row of rows) {
    const level = readLevel(row, scale);
    if (level === undefined) return undefined;
    if (level[1] > 0) side.push(level);
  }
  return side;
}

/**
 * A frame of the `book` feed: `book_snapshot` is a whole book, `book` one level with its absolute quantity (0
 * deletes). `seq` counts by one a product, so a delta must follow `seq - 1`.
 */
export function takeBookFrame(frame: Wire, context: DecodeContext, out: Decoded): void {
  const named = readText(frame.product_id);
  const symbol = named === undefined ? undefined : listedSpelling(context, named);
  oneContract(symbol, scaling, context, out, (name, scale) => {
    if (frame.feed !== 'book_snapshot') {
      takeDelta(frame, name, scale, out);
      return;
    }
    const sides = { bids: readSide(frame.bids, scale), asks: readSide(frame.asks, scale) };
    addBook(out, name, 'snapshot', scale, sides, bookStamps(frame.seq, undefined, frame.timestamp));
  });
}

function takeDelta(frame: Wire, symbol: string, scale: Scale, out: Decoded): void {
  const level = readLevel(frame, scale);
  const { side } = frame;
  if (level === undefined || (side !== 'buy' && side !== 'sell')) {
    out.rejects.push({ symbol, reason: 'malformed', detail: 'level' });
    return;
  }
  const sides = side === 'buy' ? { bids: [level], asks: [] } : { bids: [], asks: [level] };
  const stamps = bookStamps(frame.seq, undefined, frame.timestamp);
  const previous = stamps.sequence === undefined ? {} : { previousSequence: stamps.sequence - 1 };
  addBook(out, symbol, 'delta', scale, sides, { ...stamps, ...previous });
}
