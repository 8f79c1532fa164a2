import { emptyDecoded } from '../../../domain/decoded.ts';
import type { Wire } from '../../../domain/read.ts';
import { isWire, readText } from '../../../domain/read.ts';
import { type BookTable, book } from '../../../venues/grammar/book.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import { emptySpot, type SpotContext, type SpotDecoder } from '../spot-rows.ts';
import { rowsFrom, spotRow } from './fields.ts';
import { type SpellPair, unitsOfPair } from './pairs.ts';

/** The market that a request for a book names. @param param its parameter */
export const requestedPair =
  (param: string) =>
  (_: Wire, { request }: SpotContext): string | undefined => {
    if (request?.symbol !== undefined) return request.symbol;
    const at = request?.path.indexOf('?') ?? -1;
    if (request === undefined || at < 0) return undefined;
    return new URLSearchParams(request.path.slice(at + 1)).get(param) ?? undefined;
  };

/** The market that an answer names, else the request. */
export const namedPair =
  (field: string, param: string) =>
  (wire: Wire, context: SpotContext): string | undefined =>
    readText(wire[field]) ?? requestedPair(param)(wire, context);

/** Decodes a whole book of one market, whichever order its levels come in. */
export const bookSnapshot =
  (
    rowsOf: RowsOf,
    symbolOf: (wire: Wire, context: SpotContext) => string | undefined,
    spell: SpellPair,
    table: BookTable,
  ): SpotDecoder =>
  (payload, context) => {
    const out = emptySpot();
    const take = book(table, 'snapshot');
    for (const wire of rowsFrom(rowsOf, payload, out.rejects)) {
      const symbol = isWire(wire) ? symbolOf(wire, context) : undefined;
      if (!isWire(wire) || symbol === undefined) {
        out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'symbol of the request' });
        continue;
      }
      const units = unitsOfPair(context, symbol, spell);
      if (typeof units === 'string') {
        out.rejects.push({ symbol, reason: units });
        continue;
      }
      const read = emptyDecoded();
      take(spotRow(wire, symbol, units.multiplier), read);
      out.rejects.push(...read.rejects);
      out.books.push(...read.books);
    }
    return out;
  };
