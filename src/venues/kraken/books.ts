import type { BookLevel } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readNumber, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addBook, bookStamps } from '../book-message.ts';
import { readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { readLevels } from '../levels.ts';
import { requestParam } from '../request-param.ts';
import { listedSymbol, unitsOf } from './symbols.ts';
import { isRefusal } from './wire.ts';

/** `GET /orderbook?symbol=`: the snapshot, not numbered, so that it cannot be joined with the socket's. */
export function decodeOrderBook(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (isRefusal(payload, out)) return out;
  const book = isWire(payload) ? (payload.orderBook ?? payload) : undefined;
  if (!isWire(book) || !Array.isArray(book.bids) || !Array.isArray(book.asks)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no orderBook' });
    return out;
  }
  const asked = context.request?.symbol ?? readText(requestParam(context.request, 'symbol'));
  const symbol = asked === undefined ? undefined : listedSymbol(context, asked);
  readOneContract(symbol, unitsOf, context, out, (name, units) => {
    const { multiplier, perContract } = units;
    const side = (levels: unknown) => readLevels(levels, multiplier, perContract ?? 1);
    addBook(out, name, 'snapshot', units, { bids: side(book.bids), asks: side(book.asks) }, {});
  });
  return out;
}

/**
 * A level of the socket in ticker units. A negative quantity is read as 0; undefined when it cannot be read.
 */
function readLevel(level: unknown, { multiplier, perContract = 1 }: ContractUnits): BookLevel | undefined {
  if (!isWire(level)) return undefined;
  const price = readNumber(level.price);
  const size = readNumber(level.qty);
  if (price === undefined || size === undefined) return undefined;
  if (!(price > 0 && price < 1e15 && size < 1e24)) return undefined;
  return [price / multiplier, Math.max(0, size) * perContract];
}

/** All levels of a snapshot's side; empty ones are left out, an unreadable one spoils the side. */
function readSide(levels: unknown, units: ContractUnits): BookLevel[] | undefined {
  const rows = wireArray(levels);
  if (rows === undefined) return undefined;
  const side: BookLevel[] = [];
  for (const row of rows) {
    const level = readLevel(row, units);
    if (level === undefined) return undefined;
    if (level[1] > 0) side.push(level);
  }
  return side;
}

/**
 * A frame of the `book` feed: `book_snapshot` is a snapshot, `book` one level with its absolute quantity (0
 * deletes). `seq` counts by one a product, so a delta must follow `seq - 1`.
 */
export function takeBookFrame(frame: Wire, context: DecodeContext, out: Decoded): void {
  const named = readText(frame.product_id);
  const symbol = named === undefined ? undefined : listedSymbol(context, named);
  readOneContract(symbol, unitsOf, context, out, (name, units) => {
    if (frame.feed !== 'book_snapshot') {
      takeDelta(frame, name, units, out);
      return;
    }
    const sides = { bids: readSide(frame.bids, units), asks: readSide(frame.asks, units) };
    addBook(out, name, 'snapshot', units, sides, bookStamps(frame.seq, undefined, frame.timestamp));
  });
}

function takeDelta(frame: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  const level = readLevel(frame, units);
  const { side } = frame;
  if (level === undefined || (side !== 'buy' && side !== 'sell')) {
    out.rejects.push({ symbol, reason: 'malformed', detail: 'level' });
    return;
  }
  const sides = side === 'buy' ? { bids: [level], asks: [] } : { bids: [], asks: [level] };
  const stamps = bookStamps(frame.seq, undefined, frame.timestamp);
  const previous = stamps.sequence === undefined ? {} : { previousSequence: stamps.sequence - 1 };
  addBook(out, symbol, 'delta', units, sides, { ...stamps, ...previous });
}
