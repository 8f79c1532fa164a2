import type { BookUpdate } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { readMs, readNumber, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { readLevels } from '../levels.ts';
import { requestParam } from '../request-param.ts';
import { multiplierOf, outOfScopeCategory } from './contract.ts';
import { openEnvelope } from './envelope.ts';

/**
 * `orderbook`: a snapshot; `u` numbers it as the 1000-level stream does. Spot pairs have the names of linear contracts:
 * only the request says which was meant.
 */
export function decodeOrderbook(payload: unknown, context: DecodeContext): Decoded {
  const opened = openEnvelope(payload);
  if ('failed' in opened) return opened.failed;
  const out = emptyDecoded();
  const outOfScope = outOfScopeCategory(requestParam(context.request, 'category'));
  if (outOfScope !== undefined) {
    out.rejects.push({ symbol: readText(opened.result.s) ?? null, reason: outOfScope });
    return out;
  }
  takeBook(out, opened.result, 'snapshot', opened.result.cts ?? opened.result.ts, context);
  return out;
}

/**
 * Adds one book message. `u` grows by one from frame to frame of a topic, so a delta follows `u - 1`; `seq` is
 * shared by all depths and may skip.
 *
 * @param stamp time of the matching engine, else of the push
 */
export function takeBook(
  out: Decoded,
  data: Wire,
  kind: BookUpdate['kind'],
  stamp: unknown,
  context: DecodeContext,
): void {
  const symbol = readText(data.s);
  if (symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 's' });
    return;
  }
  const multiplier = multiplierOf(symbol, context.instruments);
  if (typeof multiplier !== 'number') {
    out.rejects.push({ symbol, reason: multiplier });
    return;
  }
  const bids = readLevels(data.b, multiplier);
  const asks = readLevels(data.a, multiplier);
  const sequence = readNumber(data.u);
  if (bids === undefined || asks === undefined || (kind === 'delta' && sequence === undefined)) {
    out.rejects.push({ symbol, reason: 'malformed', detail: 'book' });
    return;
  }
  const time = readMs(stamp);
  const update: BookUpdate = {
    symbol,
    kind,
    bids,
    asks,
    ...(sequence === undefined ? {} : { sequence }),
    ...(sequence === undefined || kind === 'snapshot' ? {} : { previousSequence: sequence - 1 }),
    ...(time === undefined ? {} : { venueTime: time }),
  };
  out.books.push(update);
}
