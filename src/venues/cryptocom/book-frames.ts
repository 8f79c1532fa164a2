import type { BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';

const HEAD = literal('{"id":-1,"method":"subscribe","code":0,"result":{"instrument_name":"');
const TOPIC = literal('","subscription":"');
const WHOLE = literal('","channel":"book","depth":');
const CHANGE = literal('","channel":"book.update","depth":');
const ROW = literal(',"data":[{"asks":');
const UPDATE = literal(',"data":[{"update":{"asks":');
const BIDS = literal(',"bids":');
const UPDATE_END = literal('}');
const TIME = literal(',"t":');
const CHANGED = literal(',"tt":');
const SEQUENCE = literal(',"u":');
const BEFORE = literal(',"pu":');
const CHECKSUM = literal(',"cs":');
const MINUS = literal('-');
const END = literal('}]}}');

/**
 * Scans the pushes of `book`: `{"id":-1,"method":"subscribe","code":0,"result":{"instrument_name":…,"subscription":…,
 * "channel":…,"depth":…,"data":[…]}}`, whose one row is `{"asks":[…],"bids":[…],"t":…,"tt":…,"u":…,"cs":…}` or, of a
 * change, `{"update":{"asks":[…],"bids":[…]},"t":…,"tt":…,"u":…,"pu":…,"cs":…}`.
 */
export function bookScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    if (!scan.skip(HEAD)) return false;
    into.symbol = scan.name();
    if (into.symbol === '' || !scan.skip(TOPIC) || scan.name() === '') return false;
    if (scan.skip(WHOLE)) into.isSnapshot = true;
    else if (!scan.skip(CHANGE)) return false;
    if (Number.isNaN(scan.number()) || !scan.skip(into.isSnapshot ? ROW : UPDATE)) return false;
    if (!scan.quotedLevels(into.asks) || !scan.skip(BIDS) || !scan.quotedLevels(into.bids)) return false;
    return (into.isSnapshot || scan.skip(UPDATE_END)) && readStamps(scan, into) && scan.ended();
  };
}

function readStamps(scan: FrameScanner, into: BookFrame): boolean {
  if (!scan.skip(TIME)) return false;
  into.venueTime = scan.time();
  if (!scan.skip(CHANGED) || Number.isNaN(scan.number()) || !scan.skip(SEQUENCE)) return false;
  into.sequence = scan.number();
  if (!into.isSnapshot) {
    if (!scan.skip(BEFORE)) return false;
    into.previousSequence = scan.number();
    if (Number.isNaN(into.previousSequence)) return false;
  }
  if (Number.isNaN(into.venueTime + into.sequence) || !scan.skip(CHECKSUM)) return false;
  scan.skip(MINUS);
  return !Number.isNaN(scan.number()) && scan.skip(END);
}
