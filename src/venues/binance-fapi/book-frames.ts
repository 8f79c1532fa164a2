import type { BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';

const WRAPPED = literal('{"stream":"');
const DATA = literal('","data":');
const EVENT = literal('{"e":"depthUpdate","E":');
const ENGINE_TIME = literal(',"T":');
const SYMBOL = literal(',"s":"');
const FIRST = literal('","U":');
const LAST = literal(',"u":');
const BEFORE = literal(',"pu":');
const BIDS = literal(',"b":');
const ASKS = literal(',"a":');
const END = literal('}');
const WRAPPED_END = literal('}}');

/**
 * Scans `depthUpdate` events, bare or as `{"stream":…,"data":…}`:
 * `{"e":"depthUpdate","E":…,"T":…,"s":…,"U":…,"u":…,"pu":…,"b":[…],"a":[…]}`. The partial books `@depth5` to
 * `@depth20` have the same shape and another meaning; they are left to the decoder.
 */
export function depthUpdateScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    const wrapped = scan.skip(WRAPPED);
    if (wrapped && !isDiffStream(scan)) return false;
    if (!scan.skip(EVENT) || !readStamps(scan, into)) return false;
    if (!scan.skip(BIDS) || !scan.quotedLevels(into.bids)) return false;
    if (!scan.skip(ASKS) || !scan.quotedLevels(into.asks)) return false;
    return scan.skip(wrapped ? WRAPPED_END : END) && scan.ended();
  };
}

function isDiffStream(scan: FrameScanner): boolean {
  const stream = scan.name();
  const isDiff =
    stream.endsWith('@depth@100ms') || stream.endsWith('@depth') || stream.endsWith('@depth@500ms');
  return isDiff && scan.skip(DATA);
}

/** From `E` to `pu`; every number must be there. */
function readStamps(scan: FrameScanner, into: BookFrame): boolean {
  into.venueTime = scan.time();
  if (!scan.skip(ENGINE_TIME)) return false;
  const engineTime = scan.number();
  if (!scan.skip(SYMBOL)) return false;
  into.symbol = scan.name();
  if (!scan.skip(FIRST)) return false;
  into.firstSequence = scan.number();
  if (!scan.skip(LAST)) return false;
  into.sequence = scan.number();
  if (!scan.skip(BEFORE)) return false;
  into.previousSequence = scan.number();
  // A number that was not there is NaN, and so is any sum with it.
  const all = engineTime + into.venueTime + into.firstSequence + into.sequence + into.previousSequence;
  return into.symbol !== '' && !Number.isNaN(all);
}
