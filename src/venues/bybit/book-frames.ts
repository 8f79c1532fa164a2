import type { BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import { FrameScanner } from '../frame-scanner.ts';

/**
 * Scans the pushes of `orderbook.*` of linear contracts:
 * `{"topic":…,"type":…,"ts":…,"data":{"s":…,"b":[…],"a":[…],"u":…,"seq":…},"cts":…}`.
 */
export function orderbookScanner(): BookScan {
  const scan = new FrameScanner();
  return (text, into) => {
    scan.begin(text);
    into.reset();
    if (!scan.skip('{"topic":"orderbook.') || scan.name() === '' || !scan.skip('","type":"')) return false;
    if (scan.skip('snapshot","ts":')) into.whole = true;
    else if (!scan.skip('delta","ts":')) return false;
    const pushedAt = scan.number();
    return readBook(scan, into) && !Number.isNaN(pushedAt) && scan.skip('}') && scan.ended();
  };
}

function readBook(scan: FrameScanner, into: BookFrame): boolean {
  if (!scan.skip(',"data":{"s":"')) return false;
  into.symbol = scan.name();
  if (into.symbol === '' || !scan.skip('","b":') || !scan.quotedLevels(into.bids)) return false;
  if (!scan.skip(',"a":') || !scan.quotedLevels(into.asks) || !scan.skip(',"u":')) return false;
  into.sequence = scan.number();
  if (!into.whole) into.previousSequence = into.sequence - 1;
  if (!scan.skip(',"seq":')) return false;
  const crossSequence = scan.number();
  if (!scan.skip('},"cts":')) return false;
  into.venueTime = scan.number();
  return !Number.isNaN(into.sequence + crossSequence + into.venueTime);
}
