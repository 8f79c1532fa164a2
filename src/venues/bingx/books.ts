import type { BookLevel } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addBook, bookStamps } from '../book-message.ts';
import { readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { readLevels } from '../levels.ts';
import { asked, objectOf, unitsOf } from './wire.ts';

/** Best first: the venue lists asks worst first in frames and in older answers. */
function sorted(levels: BookLevel[] | undefined, sign: 1 | -1): BookLevel[] | undefined {
  return levels?.sort((a, b) => sign * (a[0] - b[0]));
}

/** Both sides, in coins. Where an answer has two lists, `bids` may count contracts and `bidsCoin` counts coins. */
function readSides(row: Wire, { multiplier }: ContractUnits) {
  return {
    bids: sorted(readLevels(row.bidsCoin ?? row.bids, multiplier), -1),
    asks: sorted(readLevels(row.asksCoin ?? row.asks, multiplier), 1),
  };
}

/** A level of a snapshot that was rounded down to nothing is no level. */
function withoutEmpty(levels: BookLevel[] | undefined): BookLevel[] | undefined {
  return levels?.filter(([, size]) => size > 0);
}

function takeWhole(row: Wire, symbol: string, units: ContractUnits, stamp: unknown, out: Decoded): void {
  const { bids, asks } = readSides(row, units);
  const sides = { bids: withoutEmpty(bids), asks: withoutEmpty(asks) };
  addBook(out, symbol, 'snapshot', units, sides, bookStamps(row.lastUpdateId, undefined, stamp));
}

/** `GET /quote/depth?symbol=`: the best levels, not numbered. */
export function decodeDepth(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const row = objectOf(payload, out);
  if (row === undefined) return out;
  const symbol = readText(row.symbol) ?? asked(context);
  readOneContract(symbol, unitsOf, context, out, (name, units) => takeWhole(row, name, units, row.T, out));
  return out;
}

/** A frame of `@depth{levels}`: whole each time, not numbered. */
export function takeDepthFrame(
  row: Wire,
  symbol: string,
  units: ContractUnits,
  stamp: unknown,
  out: Decoded,
): void {
  takeWhole(row, symbol, units, row.T ?? stamp, out);
}

/**
 * A frame of `@incrDepth`: `all` is a snapshot, `update` a change, size 0 deletes. `lastUpdateId` rises, but skips
 * without loss: a change applies when it is above the last.
 */
export function takeIncrement(row: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  if (row.action === 'all') {
    takeWhole(row, symbol, units, row.time, out);
  } else if (row.action === 'update') {
    const stamps = bookStamps(row.lastUpdateId, undefined, row.time);
    addBook(out, symbol, 'delta', units, readSides(row, units), stamps);
  } else {
    out.rejects.push({ symbol, reason: 'unexpected_shape', detail: 'action' });
  }
}
