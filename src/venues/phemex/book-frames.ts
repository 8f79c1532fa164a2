import { readMs } from '../../domain/read.ts';
import type { BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';
import { NS } from './rows.ts';

const DEPTH = literal('{"depth":');
const SENT = literal(',"dts":');
const MADE = literal(',"mts":');
const ASKS = literal(',"orderbook_p":{"asks":');
const BIDS = literal(',"bids":');
const SEQUENCE = literal('},"sequence":');
const SYMBOL = literal(',"symbol":"');
const TIME = literal('","timestamp":');
const SNAPSHOT = literal(',"type":"snapshot"}');
const CHANGE = literal(',"type":"incremental"}');

/**
 * Scans the pushes of `orderbook_p`: `{"depth":…,"dts":…,"mts":…,"orderbook_p":{"asks":[…],"bids":[…]},"sequence":…,
 * "symbol":…,"timestamp":…,"type":…}`; `dts` and `mts` are absent in frames of before 2026.
 */
export function orderbookScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    if (!scan.skip(DEPTH) || Number.isNaN(scan.number())) return false;
    if (scan.skip(SENT) && Number.isNaN(scan.number())) return false;
    if (scan.skip(MADE) && Number.isNaN(scan.number())) return false;
    if (!scan.skip(ASKS) || !scan.quotedLevels(into.asks)) return false;
    if (!scan.skip(BIDS) || !scan.quotedLevels(into.bids)) return false;
    return readStamps(scan, into) && scan.ended();
  };
}

function readStamps(scan: FrameScanner, into: BookFrame): boolean {
  if (!scan.skip(SEQUENCE)) return false;
  into.sequence = scan.number();
  if (!scan.skip(SYMBOL)) return false;
  into.symbol = scan.name();
  if (into.symbol === '' || !scan.skip(TIME)) return false;
  into.venueTime = readMs(scan.number(), NS) ?? Number.NaN;
  if (Number.isNaN(into.sequence + into.venueTime)) return false;
  if (scan.skip(CHANGE)) return true;
  into.isSnapshot = true;
  return scan.skip(SNAPSHOT);
}
