import type { BookLevel, BookUpdate } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { readNumber, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addBook, bookStamps } from '../book-message.ts';
import { readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { readLevels } from '../levels.ts';
import { takeBookMetrics } from './metrics.ts';
import { asked, unitsOf } from './wire.ts';

const ACTIONS = new Set<unknown>(['new', 'change', 'delete']);

/** Levels `[price, amount]`, or `[action, price, amount]` with 0 for what is deleted. */
function readSide(x: unknown, { multiplier, perContract = 1 }: ContractUnits): BookLevel[] | undefined {
  const rows = wireArray(x);
  if (rows === undefined || !rows.some((row) => Array.isArray(row) && ACTIONS.has(row[0]))) {
    return readLevels(x, multiplier, perContract);
  }
  const plain = rows.map((row): unknown => {
    const [action, price, amount] = Array.isArray(row) ? (row as readonly unknown[]) : [];
    if (!ACTIONS.has(action)) return undefined;
    return [price, action === 'delete' ? 0 : amount];
  });
  return readLevels(plain, multiplier, perContract);
}

/** A stated type rules; without one a frame that follows another is a change. */
function kindOf(frame: Wire): BookUpdate['kind'] {
  if (frame.type === 'change') return 'delta';
  if (frame.type === 'snapshot') return 'snapshot';
  return readNumber(frame.prev_change_id) === undefined ? 'snapshot' : 'delta';
}

/**
 * One message of a book. `change_id` is shared by many instruments and skips; a change follows the message whose
 * `change_id` is its `prev_change_id`. Grouped books are whole each time.
 */
export function takeBook(row: Wire, symbol: string | undefined, context: DecodeContext, out: Decoded): void {
  readOneContract(symbol, unitsOf, context, out, (name, units) => {
    const kind = kindOf(row);
    const previous = kind === 'delta' ? readNumber(row.prev_change_id) : undefined;
    addBook(
      out,
      name,
      kind,
      units,
      { bids: readSide(row.bids, units), asks: readSide(row.asks, units) },
      {
        ...bookStamps(row.change_id, undefined, row.timestamp),
        ...(previous === undefined ? {} : { previousSequence: previous }),
      },
    );
  });
}

/** `public/get_order_book`: the best levels, and the contract's metrics beside them. */
export function decodeOrderBook(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const row = takeBookMetrics(payload, context, out);
  if (row !== undefined) takeBook(row, readText(row.instrument_name) ?? asked(context), context, out);
  return out;
}
