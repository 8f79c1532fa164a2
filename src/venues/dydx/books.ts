import type { BookLevel } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readNumber, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { keyedLevels } from '../keyed-levels.ts';
import { readLevels } from '../levels.ts';
import { requestSegment } from '../request-segment.ts';
import { errorBody, multiplierOf } from './wire.ts';

/** Levels are objects in snapshots and pairs in deltas. */
function readSide(rows: unknown, multiplier: number): BookLevel[] | undefined {
  const first = wireArray(rows)?.[0];
  return Array.isArray(first) ? readLevels(rows, multiplier) : keyedLevels(rows, 'price', 'size', multiplier);
}

/** `orderbooks/perpetualMarket/<ticker>`: a snapshot; the market stands in the request only. */
export function decodeBook(payload: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  const error = errorBody(payload);
  if (error !== undefined || !isWire(payload)) {
    decoded.rejects.push(error ?? { symbol: null, reason: 'unexpected_shape' });
    return decoded;
  }
  const symbol = context.request?.symbol ?? requestSegment(context.request, /perpetualMarket\/([^/]+)\/?$/);
  if (symbol === undefined) decoded.rejects.push({ symbol: null, reason: 'missing_field', detail: 'ticker' });
  else readWhole(payload, symbol, undefined, context, decoded);
  return decoded;
}

function readWhole(
  contents: Wire,
  symbol: string,
  sequence: number | undefined,
  context: DecodeContext,
  decoded: Decoded,
): void {
  const multiplier = multiplierOf(symbol, context);
  if (typeof multiplier !== 'number') {
    decoded.rejects.push(multiplier);
    return;
  }
  const bids = readSide(contents.bids, multiplier);
  const asks = readSide(contents.asks, multiplier);
  if (bids === undefined || asks === undefined) {
    decoded.rejects.push({ symbol, reason: 'malformed', detail: bids === undefined ? 'bids' : 'asks' });
    return;
  }
  decoded.books.push({
    symbol,
    kind: 'snapshot',
    bids,
    asks,
    ...(sequence === undefined ? {} : { sequence }),
  });
}

/**
 * `v4_orderbook`: a snapshot on subscription, then deltas, several in one batch. `message_id` counts over all
 * channels of the connection, so `sequence` tells the order of a book's messages, not their continuity.
 */
export function readBookFrame(frame: Wire, context: DecodeContext, decoded: Decoded): void {
  const symbol = readText(frame.id);
  const sequence = readNumber(frame.message_id);
  const { contents, type } = frame;
  if (symbol === undefined) {
    decoded.rejects.push({ symbol: null, reason: 'missing_field', detail: 'id' });
  } else if (type === 'subscribed' && isWire(contents)) {
    readWhole(contents, symbol, sequence, context, decoded);
  } else {
    const deltas = type === 'channel_batch_data' ? wireArray(contents) : [contents];
    readDeltas(deltas, symbol, sequence, context, decoded);
  }
}

/** The deltas of one frame as one update: in order, so that the last word on a price counts. */
function readDeltas(
  deltas: readonly unknown[] | undefined,
  symbol: string,
  sequence: number | undefined,
  context: DecodeContext,
  decoded: Decoded,
): void {
  const multiplier = multiplierOf(symbol, context);
  if (typeof multiplier !== 'number') {
    decoded.rejects.push(multiplier);
    return;
  }
  const bids: BookLevel[] = [];
  const asks: BookLevel[] = [];
  for (const delta of deltas ?? [undefined]) {
    const more = isWire(delta) ? [delta.bids ?? [], delta.asks ?? []] : [undefined, undefined];
    const [moreBids, moreAsks] = more.map((side) => readSide(side, multiplier));
    if (moreBids === undefined || moreAsks === undefined) {
      decoded.rejects.push({ symbol, reason: 'malformed', detail: 'contents' });
      return;
    }
    bids.push(...moreBids);
    asks.push(...moreAsks);
  }
  decoded.books.push({ symbol, kind: 'delta', bids, asks, ...(sequence === undefined ? {} : { sequence }) });
}
