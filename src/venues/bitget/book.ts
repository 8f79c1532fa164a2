import type { BookUpdate } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readNumber, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addUnitBook, bookStamps, previousStamp } from '../book-message.ts';
import { readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { readLevels } from '../levels.ts';
import { requestParam } from '../request-param.ts';
import { dataOf, unitsOf } from './rows.ts';

/** Names of the two sides: `bids`/`asks` in v2, `b`/`a` in v3. */
export interface SideNames {
  readonly bids: string;
  readonly asks: string;
}

export const CLASSIC_SIDES: SideNames = { bids: 'bids', asks: 'asks' };
export const UNIFIED_SIDES: SideNames = { bids: 'b', asks: 'a' };

/** Adds one book message. `pseq` is the `seq` of the message before (0 on a snapshot). */
export function takeBook(
  row: Wire,
  symbol: string,
  { multiplier }: ContractUnits,
  kind: BookUpdate['kind'],
  sides: SideNames,
  out: Decoded,
): void {
  const bids = readLevels(row[sides.bids], multiplier);
  const asks = readLevels(row[sides.asks], multiplier);
  const previous = readNumber(row.pseq) === 0 ? {} : previousStamp(row.pseq);
  addUnitBook(out, symbol, kind, { bids, asks }, { ...bookStamps(row.seq, undefined, row.ts), ...previous });
}

function decodeBook(payload: unknown, context: DecodeContext, sides: SideNames): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (data === undefined && out.rejects.length > 0) return out;
  if (!isWire(data)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no book' });
    return out;
  }
  const symbol = context.request?.symbol ?? requestParam(context.request, 'symbol');
  readOneContract(symbol, unitsOf, context, out, (name, units) =>
    takeBook(data, name, units, 'snapshot', sides, out),
  );
  return out;
}

/** `GET /api/v2/mix/market/merge-depth`: snapshot, JSON numbers; the request names the contract. */
export function decodeMergeDepth(payload: unknown, context: DecodeContext): Decoded {
  return decodeBook(payload, context, CLASSIC_SIDES);
}

/** `GET /api/v3/market/orderbook`: snapshot under `a` and `b`; the request names the contract. */
export function decodeOrderbookV3(payload: unknown, context: DecodeContext): Decoded {
  return decodeBook(payload, context, UNIFIED_SIDES);
}
