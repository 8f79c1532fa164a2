import { readMs } from '../../domain/read.ts';
import type { BookScan } from '../book-feed.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';
import { MICROSECONDS } from './rows.ts';

const EVENT_TIME = literal('{"data":{"E":');
const ENGINE_TIME = literal(',"T":');
const FIRST = literal(',"U":');
const ASKS = literal(',"a":');
const BIDS = literal(',"b":');
const SYMBOL = literal(',"e":"depth","s":"');
const LAST = literal('","u":');
const STREAM = literal('},"stream":"depth.');
const END = literal('"}');

/**
 * Scans the pushes of `depth`:
 * `{"data":{"E":…,"T":…,"U":…,"a":[…],"b":[…],"e":"depth","s":…,"u":…},"stream":"depth.…"}`.
 */
export function depthScanner(): BookScan {
  const scan = new FrameScanner();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    if (!scan.skip(EVENT_TIME) || Number.isNaN(scan.number()) || !scan.skip(ENGINE_TIME)) return false;
    into.venueTime = readMs(scan.number(), MICROSECONDS) ?? Number.NaN;
    if (!scan.skip(FIRST)) return false;
    into.firstSequence = scan.number();
    if (!scan.skip(ASKS) || !scan.quotedLevels(into.asks)) return false;
    if (!scan.skip(BIDS) || !scan.quotedLevels(into.bids) || !scan.skip(SYMBOL)) return false;
    into.symbol = scan.name();
    if (into.symbol === '' || !scan.skip(LAST)) return false;
    into.sequence = scan.number();
    if (Number.isNaN(into.sequence + into.firstSequence + into.venueTime)) return false;
    return scan.skip(STREAM) && scan.name() !== '' && scan.skip(END) && scan.ended();
  };
}
