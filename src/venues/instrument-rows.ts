import { type Decoded, emptyDecoded } from '../domain/decoded.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { Reject } from '../domain/reject.ts';

/**
 * Reads every row of a list of contracts; a row that is no contract of ours becomes the reject that says why.
 *
 * @param out what was found before, such as the fault of an answer without rows
 */
export function readInstruments<Row>(
  rows: readonly Row[],
  read: (row: Row) => Instrument | Reject,
  out: Decoded = emptyDecoded(),
): Decoded {
  for (const row of rows) {
    const found = read(row);
    if ('reason' in found) out.rejects.push(found);
    else out.instruments.push(found);
  }
  return out;
}
