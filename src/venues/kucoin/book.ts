import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { readText } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addBook, bookStamps } from '../book-message.ts';
import { readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { readLevels } from '../levels.ts';
import { requestParam } from '../request-param.ts';
import { objectOf, unitsOf } from './rows.ts';

/** Stamps of REST books and of the unified socket count nanoseconds. */
export const NS_IN_MS = 1e-6;

/** Both sides of a message in ticker units. */
export function readSides(bids: unknown, asks: unknown, { multiplier, perContract = 1 }: ContractUnits) {
  return {
    bids: readLevels(bids, multiplier, perContract),
    asks: readLevels(asks, multiplier, perContract),
  };
}

/** `GET /api/v1/level2/snapshot|depth20|depth100`: snapshot in the sequence of the sockets. */
export function decodeLevel2(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const row = objectOf(payload, out);
  if (row === undefined) return out;
  const symbol = readText(row.symbol) ?? context.request?.symbol ?? requestParam(context.request, 'symbol');
  readOneContract(symbol, unitsOf, context, out, (name, units) => {
    const stamps = bookStamps(row.sequence, undefined, row.ts, NS_IN_MS);
    addBook(out, name, 'snapshot', units, readSides(row.bids, row.asks, units), stamps);
  });
  return out;
}
