import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { readNumber, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addBook, bookStamps } from '../book-message.ts';
import { readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { readLevels } from '../levels.ts';
import { anyScaling, objectOf, symbolOf } from './wire.ts';

/** Levels are `[price, contracts]`; a side without levels may be null or missing. */
function readSides(tick: Wire, { multiplier, perContract = 1 }: ContractUnits) {
  return {
    bids: readLevels(tick.bids ?? [], multiplier, perContract),
    asks: readLevels(tick.asks ?? [], multiplier, perContract),
  };
}

/**
 * `GET /linear-swap-ex/market/depth`: one snapshot. Its `version` is a second and not the one of the socket. A
 * suspended contract answers with an empty book, which is no book.
 */
export function decodeDepth(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const tick = objectOf(payload, out);
  if (tick === undefined) return out;
  if (tick.bids === undefined && tick.asks === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no levels' });
    return out;
  }
  readOneContract(symbolOf(payload, context), anyScaling, context, out, (symbol, units) => {
    const sides = readSides(tick, units);
    if (sides.bids?.length === 0 && sides.asks?.length === 0) {
      out.rejects.push({ symbol, reason: 'not_trading', detail: 'empty book' });
      return;
    }
    addBook(out, symbol, 'snapshot', units, sides, bookStamps(undefined, undefined, tick.ts));
  });
  return out;
}

/**
 * A frame of `depth.size_*.high_freq`: `event` tells a snapshot from a change, which follows the version before it
 * (versions differ between connections). A frame of `depth.step*` has no event and is whole.
 */
export function takeDepthFrame(tick: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  const stamps = bookStamps(tick.version, undefined, tick.ts);
  if (tick.event !== 'update') {
    addBook(out, symbol, 'snapshot', units, readSides(tick, units), stamps);
    return;
  }
  const version = readNumber(tick.version);
  const previous = version === undefined ? {} : { previousSequence: version - 1 };
  addBook(out, symbol, 'delta', units, readSides(tick, units), { ...stamps, ...previous });
}
