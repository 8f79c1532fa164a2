import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { SNAPSHOTS_ONLY } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { Decoder } from '../call.ts';
import { rejectShape } from '../grammar/answer.ts';
import { book, levelsOf, type SideReader } from '../grammar/book.ts';
import { socket } from '../grammar/calls.ts';
import { ms, number } from '../grammar/field.ts';
import { type RowDecoder, takeEach } from '../grammar/rows.ts';
import { askedInstrument, channelInstrument, isTicker, open, takeTicker, unitsOf } from './wire.ts';

/** v3 is described both with `[price, amount]` and with `{price, amount}`. */
const side =
  (name: string): SideReader =>
  (row) =>
    levelsOf(
      wireArray(row.wire[name])?.map((level) => (isWire(level) ? [level.price, level.amount] : level)),
      row,
    );

const takeBook: RowDecoder = book(
  { bids: side('bids'), asks: side('asks'), sequence: number('publish_id'), venueTime: ms('timestamp') },
  'snapshot',
);

/**
 * Frames of `ticker_slim.<instrument>.<ms>` and, before v3, `ticker.<instrument>.<ms>` (a ticker of either form as
 * `data.instrument_ticker`, or straight in `data`), and of `orderbook.<instrument>.<group>.<depth>` (each a whole
 * book). Acknowledgements say nothing; a frame of any other channel is refused by its name.
 */
const decodeFrame: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const frame: Wire = isWire(payload) ? payload : {};
  if (frame.result !== undefined) return out;
  open(frame, out);
  if (out.rejects.length > 0) return out;
  const params = isWire(frame.params) ? frame.params : frame;
  const channel = readText(params.channel);
  const data = isWire(params.data) ? params.data : params;
  const ticker = isWire(data.instrument_ticker) ? data.instrument_ticker : data;
  const asked = channel === undefined ? askedInstrument(context) : channelInstrument(channel);
  if (isTicker(ticker)) takeTicker(ticker, asked, context, out);
  else if (data.bids !== undefined || data.asks !== undefined)
    takeEach([data], 'instrument_name', unitsOf, context, out, takeBook);
  else rejectShape(out, `neither ticker nor book: ${channel ?? 'no channel'}`);
  return out;
};

export const frames = socket(
  'frame',
  /\b(?:ticker_slim|ticker|orderbook)\.|\/ws\/?$|"channels"/,
  decodeFrame,
);

const frame = (method: string) => (channels: readonly string[], id: number) => [
  JSON.stringify({ id, method, params: { channels } }),
];

/**
 * `orderbook.{instrument}.1.100`: every frame is a snapshot of 100 levels a side, prices ungrouped; `publish_id`
 * orders frames. There is no book over REST.
 */
export const deriveBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: SNAPSHOTS_ONLY,
  stream: {
    evidence: 'frames',
    base: 'ws',
    path: '/ws',
    call: frames,
    topicOf: ({ symbol }) => `orderbook.${symbol}.1.100`,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    // No limit of channels is stated.
    topicsPerConnection: 50,
    topicsPerFrame: 25,
    framesPerSecond: 5,
    maxConnections: 3,
    compression: 'none',
    keepAlive: { everyMs: 30_000 },
    silenceMs: 30_000,
    normalBytes: 64 * KIB,
  },
};
