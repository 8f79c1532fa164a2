import type { BookScan } from '../book-feed.ts';
import type { BookFrame } from '../book-frame.ts';
import { FrameScanner, literal } from '../frame-scanner.ts';
import { symbolOfStream } from './frames.ts';

const TIME = literal('{"time":');
const TIME_MS = literal(',"time_ms":');
const CHANNEL = literal(',"channel":"futures.obu","event":"update","result":{"t":');
const FULL = literal(',"full":true');
const STREAM = literal(',"s":"');
const FIRST = literal('","U":');
const LAST = literal(',"u":');
const LAST_FULL = literal('","u":');
const BIDS = literal(',"b":');
const ASKS = literal(',"a":');
const END = literal('}}');

/**
 * Scans the pushes of `futures.obu`:
 * `{"time":…,"time_ms":…,"channel":…,"event":…,"result":{"t":…,"full":true,"s":…,"U":…,"u":…,"b":[…],"a":[…]}}`. A whole
 * book has `full` and no `U`; a side without changes is left out.
 */
export function obuScanner(): BookScan {
  const scan = new FrameScanner();
  /** Contracts by the stream's name. */
  const symbols = new Map<string, string>();
  return (bytes, length, into) => {
    scan.begin(bytes, length);
    into.reset();
    if (!scan.skip(TIME) || Number.isNaN(scan.number())) return false;
    if (!scan.skip(TIME_MS) || Number.isNaN(scan.number()) || !scan.skip(CHANNEL)) return false;
    const changedAt = scan.time();
    into.isSnapshot = scan.skip(FULL);
    if (Number.isNaN(changedAt) || !scan.skip(STREAM)) return false;
    const stream = scan.name();
    into.symbol = symbols.get(stream) ?? remember(symbols, stream);
    if (into.symbol === '' || !readNumbers(scan, into)) return false;
    // The last change before a snapshot may be long ago.
    if (!into.isSnapshot) into.venueTime = changedAt;
    return readSides(scan, into) && scan.skip(END) && scan.ended();
  };
}

function remember(symbols: Map<string, string>, stream: string): string {
  const symbol = symbolOfStream(stream);
  if (symbol !== '') symbols.set(stream, symbol);
  return symbol;
}

function readNumbers(scan: FrameScanner, into: BookFrame): boolean {
  if (into.isSnapshot) {
    if (!scan.skip(LAST_FULL)) return false;
  } else {
    if (!scan.skip(FIRST)) return false;
    into.firstSequence = scan.number();
    if (Number.isNaN(into.firstSequence) || !scan.skip(LAST)) return false;
  }
  into.sequence = scan.number();
  return !Number.isNaN(into.sequence);
}

function readSides(scan: FrameScanner, into: BookFrame): boolean {
  if (scan.skip(BIDS) && !scan.quotedLevels(into.bids)) return false;
  return !scan.skip(ASKS) || scan.quotedLevels(into.asks);
}
