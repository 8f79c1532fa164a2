import type { BookLevel } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readNumber, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addBook, bookStamps } from '../book-message.ts';
import { contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';
import { readLevels } from '../levels.ts';
import { bodyOf, NS, parseSymbol } from './rows.ts';

/** Prices of the `book` channel are integers of which this many make one. */
const PRICE_SCALE = 10_000;

/** `XTZUSD`: linear contracts of the old model, settled in USD, sized in contracts; all are delisted since. */
function parseLegacySymbol(symbol: string): ParsedSymbol {
  const parsed = parseSymbol(symbol);
  if (parsed !== 'foreign_quote') return parsed;
  const base = /^([A-Z0-9]+)USD$/.exec(symbol)?.[1];
  return base === undefined ? 'foreign_quote' : { base };
}

/**
 * A book message of REST or the socket: `orderbook_p` in decimals, `book` (coin-margined, spot and the old model)
 * in scaled integers. A snapshot replaces the book, an `incremental` sets sizes; size 0 removes the level. The
 * sequence is shared by several contracts: it only ever grows, and a lost frame cannot be seen in it.
 */
export function takeBook(row: Wire, context: DecodeContext, out: Decoded): void {
  const symbol = readText(row.symbol);
  if (symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'symbol' });
    return;
  }
  const legacy = row.orderbook_p === undefined;
  const units = legacy
    ? contractUnitsOf(context, symbol, parseLegacySymbol)
    : contractUnitsOf(context, symbol, parseSymbol, 1);
  if (typeof units === 'string') {
    out.rejects.push({ symbol, reason: units });
    return;
  }
  const sides = legacy ? row.book : row.orderbook_p;
  const read = legacy ? scaledLevels : (levels: unknown) => readLevels(levels, units.multiplier);
  const { bids, asks } = isWire(sides) ? sides : {};
  addBook(
    out,
    symbol,
    row.type === 'incremental' ? 'delta' : 'snapshot',
    units,
    { bids: read(bids), asks: read(asks) },
    bookStamps(row.sequence, undefined, row.timestamp, NS),
  );
}

function scaledLevels(levels: unknown): BookLevel[] | undefined {
  if (!Array.isArray(levels)) return undefined;
  return readLevels(
    levels.map((level: unknown) => {
      const price = Array.isArray(level) ? readNumber(level[0]) : undefined;
      return Array.isArray(level) && price !== undefined ? [price / PRICE_SCALE, level[1]] : level;
    }),
  );
}

/** `GET /md/v2/orderbook`, `/md/v2/fullbook` and the calls of the other product families. */
export function decodeOrderbook(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const body = bodyOf(payload, out);
  if (out.rejects.length > 0) return out;
  if (isWire(body) && (body.orderbook_p !== undefined || body.book !== undefined))
    takeBook(body, context, out);
  else out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no book' });
  return out;
}
