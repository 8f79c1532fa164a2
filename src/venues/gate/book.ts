import type { BookLevel, BookUpdate } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addBook, type BookStamps, bookStamps } from '../book-message.ts';
import { readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { readLevels } from '../levels.ts';
import { requestParam } from '../request-param.ts';
import { isError, rejectPayload, unitsOf } from './rows.ts';

/** Levels of one side: `{p, s}` objects in most messages, `[p, s]` pairs in `futures.obu`; absent = no change. */
function readSide(side: unknown, { multiplier, perContract = 1 }: ContractUnits): BookLevel[] | undefined {
  if (side === undefined || side === null) return [];
  if (!Array.isArray(side)) return undefined;
  const pairs = side.map((level: unknown) => (isWire(level) ? [level.p, level.s] : level));
  return readLevels(pairs, multiplier, perContract);
}

/** Where a book message has its two sides. */
interface SideNames {
  readonly bids: string;
  readonly asks: string;
}

const LONG: SideNames = { bids: 'bids', asks: 'asks' };
const SHORT: SideNames = { bids: 'b', asks: 'a' };

function takeBook(
  row: Wire,
  symbol: string,
  units: ContractUnits,
  kind: BookUpdate['kind'],
  names: SideNames,
  stamps: BookStamps,
  out: Decoded,
): void {
  const sides = { bids: readSide(row[names.bids], units), asks: readSide(row[names.asks], units) };
  addBook(out, symbol, kind, units, sides, stamps);
}

/**
 * `GET /futures/usdt/order_book?contract=`: snapshot; `id` (with `with_id=true`) counts in the sockets'
 * sequence. `current` is when the answer was made, `update` when the book last changed.
 */
export function decodeOrderBook(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (!isWire(payload) || isError(payload) || payload.bids === undefined || payload.asks === undefined) {
    rejectPayload(payload, out);
    return out;
  }
  const symbol = context.request?.symbol ?? requestParam(context.request, 'contract');
  const stamps = bookStamps(payload.id, undefined, payload.current, 1000);
  readOneContract(symbol, unitsOf, context, out, (name, units) =>
    takeBook(payload, name, units, 'snapshot', LONG, stamps, out),
  );
  return out;
}

/** `futures.order_book`, event `all`: the snapshot of `contract`. */
export function takeWholeBook(row: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  takeBook(row, symbol, units, 'snapshot', LONG, bookStamps(row.id), out);
}

/** `futures.order_book_update`: sequences U..u, `t` the time of the change. */
export function takeBookUpdate(row: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  takeBook(row, symbol, units, 'delta', SHORT, bookStamps(row.u, row.U, row.t), out);
}

/**
 * `futures.obu`: `full: true` replaces the book. Its `t` is the last change, which may be long ago, and therefore
 * stamps nothing.
 */
export function takeObu(row: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  const full = row.full === true;
  const stamps = full ? bookStamps(row.u) : bookStamps(row.u, row.U, row.t);
  takeBook(row, symbol, units, full ? 'snapshot' : 'delta', SHORT, stamps, out);
}
