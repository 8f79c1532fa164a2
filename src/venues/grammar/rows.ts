import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import type { UnitsLookup } from '../contract-units.ts';
import { isStated } from '../quote-field.ts';
import { requestParam } from '../request-param.ts';
import { type ContractRow, isRow } from './field.ts';

/** Adds the values of a contract's row to the decoded ones. */
export type RowDecoder = (row: ContractRow, out: Decoded) => void;

/** The rows of an answer; none after a reject that says why. */
export type RowsOf = (payload: unknown, out: Decoded) => readonly unknown[];

/** The place of a contract's name in a row: a field, or a rule. */
export type SymbolOf = string | ((wire: Wire, context: DecodeContext) => string | undefined);

/** Hands over every row of a contract that is ours; all others become rejects. */
export function takeEach(
  rows: readonly unknown[],
  symbolOf: SymbolOf,
  unitsOf: UnitsLookup,
  context: DecodeContext,
  out: Decoded,
  take: RowDecoder,
): void {
  const nameOf = typeof symbolOf === 'string' ? (wire: Wire) => readText(wire[symbolOf]) : symbolOf;
  for (const wire of rows) {
    const symbol = isRow(wire) ? nameOf(wire, context) : undefined;
    if (!isRow(wire)) out.rejects.push({ symbol: null, reason: 'malformed', detail: 'row' });
    else if (symbol === undefined) {
      const detail = typeof symbolOf === 'string' ? symbolOf : 'symbol';
      out.rejects.push({ symbol: null, reason: 'missing_field', detail });
    } else {
      const units = unitsOf(context, symbol);
      if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
      else take({ wire, symbol, units, context }, out);
    }
  }
}

/** Hands over the rows of one contract, which another part of the answer or the request names. */
export function takeOf(
  symbol: string | undefined,
  rows: readonly unknown[],
  unitsOf: UnitsLookup,
  context: DecodeContext,
  out: Decoded,
  take: RowDecoder,
): void {
  if (rows.length === 0) return;
  if (symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'symbol of the request' });
    return;
  }
  const units = unitsOf(context, symbol);
  if (typeof units === 'string') {
    out.rejects.push({ symbol, reason: units });
    return;
  }
  for (const wire of rows) {
    if (isRow(wire)) take({ wire, symbol, units, context }, out);
    else out.rejects.push({ symbol, reason: 'malformed', detail: 'row' });
  }
}

/** Decodes rows that name their contract. */
export function contractRows(
  rowsOf: RowsOf,
  symbolOf: SymbolOf,
  unitsOf: UnitsLookup,
  take: RowDecoder,
): Decoder {
  return (payload, context) => {
    const out = emptyDecoded();
    takeEach(rowsOf(payload, out), symbolOf, unitsOf, context, out, take);
    return out;
  };
}

/** The contract that a request asks for, by the parameter that names it. */
export const requested =
  (param = 'symbol') =>
  ({ request }: DecodeContext): string | undefined =>
    request?.symbol ?? requestParam(request, param);

/** The contract that the first row names, else the request; none where the row names one that cannot be read. */
export const namedOrRequested =
  (name = 'symbol') =>
  (context: DecodeContext, _: unknown, rows: readonly unknown[]): string | undefined => {
    const [first] = rows;
    const stated = isWire(first) ? first[name] : undefined;
    return isStated(stated) ? readText(stated) : requested(name)(context);
  };

/** Decodes rows about the one contract that the request names, or the answer around them. */
export function requestedRows(
  rowsOf: RowsOf,
  symbolOf: (context: DecodeContext, payload: unknown, rows: readonly unknown[]) => string | undefined,
  unitsOf: UnitsLookup,
  take: RowDecoder,
): Decoder {
  return (payload, context) => {
    const out = emptyDecoded();
    const rows = rowsOf(payload, out);
    takeOf(symbolOf(context, payload, rows), rows, unitsOf, context, out, take);
    return out;
  };
}
