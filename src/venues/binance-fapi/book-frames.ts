import type { BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import { FrameScanner } from '../frame-scanner.ts';

/**
 * Scans `depthUpdate` events, bare or as `{"stream":…,"data":…}`:
 * `{"e":"depthUpdate","E":…,"T":…,"s":…,"U":…,"u":…,"pu":…,"b":[…],"a":[…]}`. The partial books `@depth5` to
 * `@depth20` have the same shape and another meaning; they are left to the decoder.
 */
export function depthUpdateScanner(): BookScan {
  const scan = new FrameScanner();
  return (text, into) => {
    scan.begin(text);
    into.reset();
    const wrapped = scan.skip('{"stream":"');
    if (wrapped && !isDiffStream(scan)) return false;
    if (!scan.skip('{"e":"depthUpdate","E":') || !readStamps(scan, into)) return false;
    if (!scan.skip(',"b":') || !scan.quotedLevels(into.bids)) return false;
    if (!scan.skip(',"a":') || !scan.quotedLevels(into.asks)) return false;
    return scan.skip(wrapped ? '}}' : '}') && scan.ended();
  };
}

function isDiffStream(scan: FrameScanner): boolean {
  const stream = scan.name();
  const isDiff =
    stream.endsWith('@depth@100ms') || stream.endsWith('@depth') || stream.endsWith('@depth@500ms');
  return isDiff && scan.skip('","data":');
}

/** From `E` to `pu`; every number must be there. */
function readStamps(scan: FrameScanner, into: BookFrame): boolean {
  into.venueTime = scan.number();
  if (!scan.skip(',"T":')) return false;
  const engineTime = scan.number();
  if (!scan.skip(',"s":"')) return false;
  into.symbol = scan.name();
  if (!scan.skip('","U":')) return false;
  into.firstSequence = scan.number();
  if (!scan.skip(',"u":')) return false;
  into.sequence = scan.number();
  if (!scan.skip(',"pu":')) return false;
  into.previousSequence = scan.number();
  // A number that was not there is NaN, and so is any sum with it.
  const all = engineTime + into.venueTime + into.firstSequence + into.sequence + into.previousSequence;
  return into.symbol !== '' && !Number.isNaN(all);
}
