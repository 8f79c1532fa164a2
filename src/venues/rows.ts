import type { Decoded } from '../domain/decoded.ts';
import { isWire, readText, type Wire } from '../domain/read.ts';
import type { DecodeContext } from './adapter.ts';
import { type ContractUnits, contractUnitsOf, type ParsedSymbol } from './contract-units.ts';

/**
 * Calls `read` with each row that is an object and names a symbol under `key`; the others become rejects.
 *
 * @param rows a list of rows, or one row on its own; anything else is one `unexpected_shape` reject
 */
export function eachRow(
  rows: unknown,
  key: string,
  out: Decoded,
  read: (row: Wire, symbol: string) => void,
): void {
  if (Array.isArray(rows)) {
    for (const row of rows as readonly unknown[]) readRow(row, key, out, read);
  } else if (isWire(rows) && readText(rows[key]) !== undefined) {
    readRow(rows, key, out, read);
  } else {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no list of rows' });
  }
}

function readRow(row: unknown, key: string, out: Decoded, read: (row: Wire, symbol: string) => void): void {
  const symbol = isWire(row) ? readText(row[key]) : undefined;
  if (isWire(row) && symbol !== undefined) read(row, symbol);
  else out.rejects.push({ symbol: null, reason: 'malformed', detail: `row without ${key}` });
}

/** How a venue's symbols are parsed and its sizes counted. */
export interface Contracts {
  readonly parseSymbol: (symbol: string) => ParsedSymbol;
  /** Base units in one contract where that needs no list; 1 at venues that count in base. */
  readonly contractSize?: number;
}

/** As `eachRow`, for the rows of contracts that are to be read; the others become rejects with their reason. */
export function eachContract(
  rows: unknown,
  key: string,
  out: Decoded,
  context: DecodeContext,
  contracts: Contracts,
  read: (row: Wire, symbol: string, units: ContractUnits) => void,
): void {
  eachRow(rows, key, out, (row, symbol) => {
    const units = contractUnitsOf(context, symbol, contracts.parseSymbol, contracts.contractSize);
    if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
    else read(row, symbol, units);
  });
}
