import type { BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';

const CHANGE = literal('{"feed":"book","product_id":"');
const BUY = literal('","side":"buy","seq":');
const SELL = literal('","side":"sell","seq":');
const PRICE = literal(',"price":');
const QUANTITY = literal(',"qty":');
const TIME = literal(',"timestamp":');
const END = literal('}');

const SNAPSHOT = literal('{"feed":"book_snapshot","product_id":"');
const SNAPSHOT_TIME = literal('","timestamp":');
const SEQUENCE = literal(',"seq":');
const BIDS = literal(',"tickSize":null,"bids":');
const ASKS = literal(',"asks":');
const LEVEL_PRICE = literal('{"price":');

/**
 * Scans the frames of the `book` feed: changes of one level,
 * `{"feed":"book","product_id":…,"side":…,"seq":…,"price":…,"qty":…,"timestamp":…}`, and snapshots,
 * `{"feed":"book_snapshot","product_id":…,"timestamp":…,"seq":…,"tickSize":null,"bids":[{"price":…,"qty":…}],…}`.
 * Negative quantities, which count as none, are left to the decoder.
 */
export function bookScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    const isRead = scan.skip(CHANGE) ? readChange(scan, into) : readSnapshot(scan, into);
    return isRead && scan.skip(END) && scan.ended();
  };
}

function readChange(scan: FrameScanner, into: BookFrame): boolean {
  into.symbol = scan.name();
  const isBid = scan.skip(BUY);
  if (into.symbol === '' || (!isBid && !scan.skip(SELL))) return false;
  into.sequence = scan.number();
  into.previousSequence = into.sequence - 1;
  if (!scan.skip(PRICE)) return false;
  const price = scan.number();
  if (!scan.skip(QUANTITY)) return false;
  const size = scan.number();
  if (!(price > 0 && price < 1e15 && size < 1e24) || !scan.skip(TIME)) return false;
  into.venueTime = scan.time();
  (isBid ? into.bids : into.asks).add(price, size);
  return !Number.isNaN(into.sequence + into.venueTime);
}

function readSnapshot(scan: FrameScanner, into: BookFrame): boolean {
  if (!scan.skip(SNAPSHOT)) return false;
  into.isSnapshot = true;
  into.symbol = scan.name();
  if (into.symbol === '' || !scan.skip(SNAPSHOT_TIME)) return false;
  into.venueTime = scan.time();
  if (!scan.skip(SEQUENCE)) return false;
  into.sequence = scan.number();
  if (Number.isNaN(into.sequence + into.venueTime)) return false;
  if (!scan.skip(BIDS) || !scan.keyedLevels(into.bids, LEVEL_PRICE, QUANTITY)) return false;
  return scan.skip(ASKS) && scan.keyedLevels(into.asks, LEVEL_PRICE, QUANTITY);
}
