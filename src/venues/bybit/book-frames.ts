import type { BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';

const TOPIC = literal('{"topic":"orderbook.');
const TYPE = literal('","type":"');
const SNAPSHOT = literal('snapshot","ts":');
const DELTA = literal('delta","ts":');
const SYMBOL = literal(',"data":{"s":"');
const BIDS = literal('","b":');
const ASKS = literal(',"a":');
const UPDATE = literal(',"u":');
const SEQUENCE = literal(',"seq":');
const ENGINE_TIME = literal('},"cts":');
const END = literal('}');

/**
 * Scans the pushes of `orderbook.*` of linear contracts:
 * `{"topic":…,"type":…,"ts":…,"data":{"s":…,"b":[…],"a":[…],"u":…,"seq":…},"cts":…}`.
 */
export function orderbookScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    if (!scan.skip(TOPIC) || scan.name() === '' || !scan.skip(TYPE)) return false;
    if (scan.skip(SNAPSHOT)) into.isSnapshot = true;
    else if (!scan.skip(DELTA)) return false;
    const pushedAt = scan.number();
    return readBook(scan, into) && !Number.isNaN(pushedAt) && scan.skip(END) && scan.ended();
  };
}

function readBook(scan: FrameScanner, into: BookFrame): boolean {
  if (!scan.skip(SYMBOL)) return false;
  into.symbol = scan.name();
  if (into.symbol === '' || !scan.skip(BIDS) || !scan.quotedLevels(into.bids)) return false;
  if (!scan.skip(ASKS) || !scan.quotedLevels(into.asks) || !scan.skip(UPDATE)) return false;
  into.sequence = scan.number();
  if (!into.isSnapshot) into.previousSequence = into.sequence - 1;
  if (!scan.skip(SEQUENCE)) return false;
  const crossSequence = scan.number();
  if (!scan.skip(ENGINE_TIME)) return false;
  into.venueTime = scan.time();
  return !Number.isNaN(into.sequence + crossSequence + into.venueTime);
}
