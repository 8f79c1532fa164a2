import { isNestedTooDeep } from '../../domain/json-depth.ts';
import { isWire, readNumber, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { BookScan } from '../book-feed.ts';
import type { BookFrame, LevelList } from '../book-frame.ts';

/** Stream of all levels by changes. */
export const BOOK_STREAM = 'v1.book.d';

/** The number stands within so many bytes of a frame. */
const HEAD = 200;
const WHOLE = '"sequence_number":"0"';
const ACKNOWLEDGEMENT = '"latest_sequence_number"';

function parse(bytes: Buffer): Wire {
  // The reader of frames refuses it with its reason.
  if (isNestedTooDeep(bytes)) return {};
  try {
    const payload: unknown = JSON.parse(bytes.toString());
    return isWire(payload) ? payload : {};
  } catch {
    // The decoder says what is wrong with it.
    return {};
  }
}

/** Keeps the number that each book of an acknowledgement has reached. */
function keepNumbers({ result }: Wire, reached: Map<string, number>): void {
  if (!isWire(result) || result.stream !== BOOK_STREAM) return;
  const numbers = wireArray(result.latest_sequence_number) ?? [];
  for (const [i, selector] of (wireArray(result.subs) ?? []).entries()) {
    const symbol = readText(selector)?.split('@')[0];
    const number = readNumber(numbers[i]);
    if (symbol !== undefined && number !== undefined) reached.set(symbol, number);
  }
}

function fillSide(rows: unknown, side: LevelList): boolean {
  const levels = wireArray(rows);
  if (levels === undefined) return false;
  for (const level of levels) {
    const price = isWire(level) ? readNumber(level.price) : undefined;
    const size = isWire(level) ? readNumber(level.size) : undefined;
    if (price === undefined || size === undefined || price <= 0 || size < 0) return false;
    side.add(price, size);
  }
  return true;
}

function fill({ stream, prev_sequence_number, feed }: Wire, reached: Map<string, number>, into: BookFrame) {
  if (stream !== BOOK_STREAM || prev_sequence_number !== '0' || !isWire(feed)) return false;
  const symbol = readText(feed.instrument);
  const number = symbol === undefined ? undefined : reached.get(symbol);
  if (symbol === undefined || number === undefined) return false;
  into.reset();
  into.symbol = symbol;
  into.isSnapshot = true;
  into.sequence = number;
  into.venueTime = (readNumber(feed.event_time) ?? Number.NaN) / 1e6;
  reached.delete(symbol);
  return fillSide(feed.bids, into.bids) && fillSide(feed.asks, into.asks);
}

/**
 * Gives a snapshot, which is numbered 0 whatever it holds, the number of the acknowledgement that came before it.
 * All other frames are the decoder's.
 */
export function snapshotScanner(): BookScan {
  const reached = new Map<string, number>();
  return (bytes, length, into) => {
    const frame = Buffer.from(bytes.buffer, bytes.byteOffset, length);
    if (frame.subarray(0, HEAD).includes(WHOLE)) return fill(parse(frame), reached, into);
    if (isAcknowledgement(frame)) keepNumbers(parse(frame), reached);
    return false;
  };
}

/** An answer, not a message of a stream. */
function isAcknowledgement(frame: Buffer): boolean {
  return frame.subarray(0, 12).includes('"jsonrpc"') && frame.includes(ACKNOWLEDGEMENT);
}
