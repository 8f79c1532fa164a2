import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addBook, bookStamps } from '../book-message.ts';
import { readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { readLevels } from '../levels.ts';
import { requestSegment } from '../request-segment.ts';
import { dataOf, objectOf, unitsOf } from './rows.ts';

/** Levels are `[price, contracts, orders]`. */
function readSides(row: Wire, { multiplier, perContract = 1 }: ContractUnits) {
  return {
    bids: readLevels(row.bids, multiplier, perContract),
    asks: readLevels(row.asks, multiplier, perContract),
  };
}

const isEmpty = (side: unknown): boolean => Array.isArray(side) && side.length === 0;

const SYMBOL_BEHIND_DEPTH = /depth(?:_commits)?\/([^/\s]+)/;

function requestedSymbol(context: DecodeContext): string | undefined {
  return context.request?.symbol ?? requestSegment(context.request, SYMBOL_BEHIND_DEPTH);
}

/**
 * `GET /api/v1/contract/depth/{symbol}`: snapshot in the sequence of the socket. A contract that no longer trades
 * answers with an empty book and a frozen stamp, which is no book.
 */
export function decodeDepth(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const row = objectOf(payload, out);
  if (row === undefined) return out;
  readOneContract(requestedSymbol(context), unitsOf, context, out, (symbol, units) => {
    if (isEmpty(row.bids) && isEmpty(row.asks)) {
      out.rejects.push({ symbol, reason: 'not_trading', detail: 'empty book' });
    } else {
      const stamps = bookStamps(row.version, undefined, row.timestamp);
      addBook(out, symbol, 'snapshot', units, readSides(row, units), stamps);
    }
  });
  return out;
}

/** `GET /api/v1/contract/depth_commits/{symbol}/{n}`: the last single changes, newest first; given oldest first. */
export function decodeDepthCommits(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (data === undefined && out.rejects.length > 0) return out;
  if (!Array.isArray(data)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no commits' });
    return out;
  }
  readOneContract(requestedSymbol(context), unitsOf, context, out, (symbol, units) => {
    for (const row of data.toReversed() as readonly unknown[]) {
      if (isWire(row)) takeDelta(row, symbol, units, out);
      else out.rejects.push({ symbol, reason: 'malformed', detail: 'commit' });
    }
  });
  return out;
}

/**
 * A message of `push.depth`: the versions `begin` to `end` of merged messages, `version` alone of single ones. A
 * message follows the one whose last version is its first - 1.
 */
export function takeDelta(row: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  const stamps = bookStamps(row.end ?? row.version, row.begin ?? row.version, row.cts);
  addBook(out, symbol, 'delta', units, readSides(row, units), stamps);
}

/** A message of `push.depth.full`: the best levels, whole each time. */
export function takeFull(row: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  addBook(out, symbol, 'snapshot', units, readSides(row, units), bookStamps(row.version, undefined, row.cts));
}
