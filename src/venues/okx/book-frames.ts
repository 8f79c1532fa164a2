import type { BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';

const CHANNEL = literal('{"arg":{"channel":"books","instId":"');
const ACTION = literal('"},"action":"');
const SNAPSHOT = literal('snapshot","data":[{"asks":');
const UPDATE = literal('update","data":[{"asks":');
const BIDS = literal(',"bids":');
const TIME = literal(',"ts":"');
const CHECKSUM = literal('","checksum":');
const SEQUENCE = literal(',"seqId":');
const BEFORE = literal(',"prevSeqId":');
const MINUS = literal('-');
const END = literal('}]}');

/**
 * Scans the pushes of `books`: `{"arg":{"channel":"books","instId":…},"action":…,"data":[{"asks":[…],"bids":[…],
 * "ts":…,"checksum":…,"seqId":…,"prevSeqId":…}]}`; the two numbers at the end are absent in frames of before 2023.
 */
export function booksScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    if (!scan.skip(CHANNEL)) return false;
    into.symbol = scan.name();
    if (into.symbol === '' || !scan.skip(ACTION)) return false;
    if (scan.skip(SNAPSHOT)) into.isSnapshot = true;
    else if (!scan.skip(UPDATE)) return false;
    if (!scan.quotedLevels(into.asks) || !scan.skip(BIDS)) return false;
    if (!scan.quotedLevels(into.bids) || !scan.skip(TIME)) return false;
    into.venueTime = scan.time();
    return readSequence(scan, into) && scan.skip(END) && scan.ended();
  };
}

/** What follows the levels. A snapshot states -1 as the one before: it follows nothing. */
function readSequence(scan: FrameScanner, into: BookFrame): boolean {
  if (Number.isNaN(into.venueTime) || !scan.skip(CHECKSUM)) return false;
  scan.skip(MINUS);
  if (Number.isNaN(scan.number())) return false;
  if (!scan.skip(SEQUENCE)) return true;
  into.sequence = scan.number();
  if (Number.isNaN(into.sequence) || !scan.skip(BEFORE)) return false;
  if (scan.skip(MINUS)) return !Number.isNaN(scan.number());
  into.previousSequence = scan.number();
  return !Number.isNaN(into.previousSequence);
}
