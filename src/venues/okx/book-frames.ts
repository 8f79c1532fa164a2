import type { BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import { FrameScanner } from '../frame-scanner.ts';

/**
 * Scans the pushes of `books`: `{"arg":{"channel":"books","instId":…},"action":…,"data":[{"asks":[…],"bids":[…],
 * "ts":…,"checksum":…,"seqId":…,"prevSeqId":…}]}`; the two numbers at the end are absent in frames of before 2023.
 */
export function booksScanner(): BookScan {
  const scan = new FrameScanner();
  return (text, into) => {
    scan.begin(text);
    into.reset();
    if (!scan.skip('{"arg":{"channel":"books","instId":"')) return false;
    into.symbol = scan.name();
    if (into.symbol === '' || !scan.skip('"},"action":"')) return false;
    if (scan.skip('snapshot","data":[{"asks":')) into.whole = true;
    else if (!scan.skip('update","data":[{"asks":')) return false;
    if (!scan.quotedLevels(into.asks) || !scan.skip(',"bids":')) return false;
    if (!scan.quotedLevels(into.bids) || !scan.skip(',"ts":"')) return false;
    into.venueTime = scan.number();
    return scan.skip('"') && readSequence(scan, into) && scan.skip('}]}') && scan.ended();
  };
}

/** What follows the levels. A snapshot states -1 as the one before: it follows nothing. */
function readSequence(scan: FrameScanner, into: BookFrame): boolean {
  if (Number.isNaN(into.venueTime) || !scan.skip(',"checksum":')) return false;
  scan.skip('-');
  if (Number.isNaN(scan.number())) return false;
  if (!scan.skip(',"seqId":')) return true;
  into.sequence = scan.number();
  if (Number.isNaN(into.sequence) || !scan.skip(',"prevSeqId":')) return false;
  if (scan.skip('-')) return !Number.isNaN(scan.number());
  into.previousSequence = scan.number();
  return !Number.isNaN(into.previousSequence);
}
