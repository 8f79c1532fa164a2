import type { BookScan } from '../book-feed.ts';
import { FrameScanner } from '../frame-scanner.ts';

/**
 * Scans the changes of the `book` feed, one level a frame:
 * `{"feed":"book","product_id":…,"side":…,"seq":…,"price":…,"qty":…,"timestamp":…}`. Snapshots are few and left to
 * the decoder, as are negative quantities, which count as none.
 */
export function bookScanner(): BookScan {
  const scan = new FrameScanner();
  return (text, into) => {
    scan.begin(text);
    into.reset();
    if (!scan.skip('{"feed":"book","product_id":"')) return false;
    into.symbol = scan.name();
    const isBid = scan.skip('","side":"buy","seq":');
    if (into.symbol === '' || (!isBid && !scan.skip('","side":"sell","seq":'))) return false;
    into.sequence = scan.number();
    into.previousSequence = into.sequence - 1;
    if (!scan.skip(',"price":')) return false;
    const price = scan.number();
    if (!scan.skip(',"qty":')) return false;
    const size = scan.number();
    if (!(price > 0 && price < 1e15 && size < 1e24) || !scan.skip(',"timestamp":')) return false;
    into.venueTime = scan.number();
    (isBid ? into.bids : into.asks).add(price, size);
    return !Number.isNaN(into.sequence + into.venueTime) && scan.skip('}') && scan.ended();
  };
}
