import type { BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';

const UPDATE = literal('{"action":"update","arg":{"instType":"');
const SNAPSHOT = literal('{"action":"snapshot","arg":{"instType":"');
const USDT = literal('usdt-futures","topic":"books","symbol":"');
const USDC = literal('usdc-futures","topic":"books","symbol":"');
const ASKS = literal('"},"data":[{"a":');
const BIDS = literal(',"b":');
const SEQUENCE = literal(',"seq":');
const BEFORE = literal(',"pseq":');
const TIME = literal(',"ts":"');
const SENT = literal('"}],"ts":');
const END = literal('}');

/**
 * Scans the pushes of `books` of the unified socket: `{"action":…,"arg":{"instType":…,"topic":"books","symbol":…},
 * "data":[{"a":[…],"b":[…],"seq":…,"pseq":…,"ts":…}],"ts":…}`. Frames with a checksum are left to the decoder.
 */
export function booksScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    if (scan.skip(SNAPSHOT)) into.isSnapshot = true;
    else if (!scan.skip(UPDATE)) return false;
    if (!scan.skip(USDT) && !scan.skip(USDC)) return false;
    into.symbol = scan.name();
    if (into.symbol === '' || !scan.skip(ASKS) || !scan.quotedLevels(into.asks)) return false;
    if (!scan.skip(BIDS) || !scan.quotedLevels(into.bids)) return false;
    return readStamps(scan, into) && scan.skip(END) && scan.ended();
  };
}

/** A message that names 0 as the one before follows none. */
function readStamps(scan: FrameScanner, into: BookFrame): boolean {
  if (!scan.skip(SEQUENCE)) return false;
  into.sequence = scan.number();
  if (!scan.skip(BEFORE)) return false;
  const before = scan.number();
  if (before !== 0) into.previousSequence = before;
  if (!scan.skip(TIME)) return false;
  into.venueTime = scan.time();
  if (Number.isNaN(into.sequence + before + into.venueTime) || !scan.skip(SENT)) return false;
  return !Number.isNaN(scan.number());
}
