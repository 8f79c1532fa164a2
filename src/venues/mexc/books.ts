import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { Decoder } from '../call.ts';
import { objectIn, rejectError, rejectShape, rowsIn } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, book } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { addContracts } from '../grammar/contract.ts';
import { type Field, ms, number } from '../grammar/field.ts';
import { type RowDecoder, requested, requestedRows, takeEach } from '../grammar/rows.ts';
import { CONTRACT, open, QUOTE_CHANNELS, takeTicker, unitsOf } from './wire.ts';

/** Levels are `[price, contracts, orders]`. */
const WHOLE: BookTable = {
  bids: arrayLevels('bids'),
  asks: arrayLevels('asks'),
  sequence: number('version'),
};
const takeSnapshot = book({ ...WHOLE, venueTime: ms('timestamp') }, 'snapshot');

const isEmpty = (side: unknown): boolean => Array.isArray(side) && side.length === 0;

/**
 * In the sequence of the socket. A contract that no longer trades has an empty book and a frozen stamp, which
 * is no book.
 */
export const depth = endpoint(
  '/api/v1/contract/depth/*',
  requestedRows(objectIn(open), requested(), unitsOf, (row, out) => {
    const { wire, symbol } = row;
    if (isEmpty(wire.bids) && isEmpty(wire.asks))
      out.rejects.push({ symbol, reason: 'not_trading', detail: 'empty book' });
    else takeSnapshot(row, out);
  }),
);

/** The versions `begin` to `end` of merged messages, `version` alone of single ones. */
const version = (name: 'begin' | 'end'): Field<number> => ({
  ...number(name),
  raw: (wire) => wire[name] ?? wire.version,
});

const takeChange = book(
  { ...WHOLE, sequence: version('end'), firstSequence: version('begin'), venueTime: ms('cts') },
  'delta',
);

const commits = rowsIn(open);

/** The last single changes, newest first; given oldest first. */
export const depthCommits = endpoint(
  '/api/v1/contract/depth_commits/*/*',
  requestedRows((payload, out) => commits(payload, out).toReversed(), requested(), unitsOf, takeChange),
  { alsoAt: ['/api/v1/contract/depth_commits/*'] },
);

const CHANNELS: Readonly<Record<string, RowDecoder>> = {
  ...QUOTE_CHANNELS,
  'push.tickers': takeTicker,
  'push.depth': takeChange,
  // The best levels, whole each time.
  'push.depth.full': book({ ...WHOLE, venueTime: ms('cts') }, 'snapshot'),
};

/** A frame of the public socket; the contract is named beside the data or in it. */
const decodeFrame: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const { channel: name, symbol, data, ts }: Wire = isWire(payload) ? payload : {};
  const channel = readText(name) ?? 'none';
  const take = CHANNELS[channel];
  const isList = channel === 'push.tickers';
  if (channel === 'rs.error') rejectError(out, undefined, data);
  else if (channel === 'push.contract') addContracts([data], CONTRACT, context, out);
  else if (take !== undefined && (isList || isWire(data))) {
    const rows = [data]
      .flat()
      .map((row) => (isWire(row) && !isList ? { symbol, ...row, pushedAt: ts } : row));
    takeEach(rows, 'symbol', unitsOf, context, out, take);
  } else if (channel !== 'pong' && !channel.startsWith('rs.'))
    rejectShape(out, `channel ${channel.slice(0, 40)}`);
  return out;
};

export const frames = socket(
  'public socket',
  /\b(?:sub|push)\.(?:depth|tickers?|index\.price|fair\.price|funding\.rate|contract)\b|contract\.mexc\.com\/edge/,
  decodeFrame,
);

/** One contract a frame; the answer names none. */
const frame = (method: string) => (symbols: readonly string[]) =>
  symbols.map((symbol) => JSON.stringify({ method, param: { symbol } }));

const upTo = (levels: number) => bookRequest(depth, () => ({ limit: levels }), { levels });

/**
 * `sub.depth`: changes merged over 200 ms, each of which begins right behind the end of the one before. There is no
 * first snapshot: the REST book is joined by its `version`. It can be hundreds of versions behind the socket; then it
 * is asked for again.
 */
export const mexcBooks: BookFeed = {
  initialSnapshot: 'rest',
  continuity: CHAINED,
  stream: {
    evidence: 'frames',
    base: 'ws',
    path: '/edge',
    call: frames,
    topicOf: ({ symbol }) => symbol,
    subscribe: frame('sub.depth'),
    unsubscribe: frame('unsub.depth'),
    // No limit is stated; 150 contracts on one connection at 20 frames a second were probed.
    topicsPerConnection: 100,
    topicsPerFrame: 1,
    framesPerSecond: 10,
    maxConnections: 3,
    compression: 'none',
    // Without one the connection ends after a minute, whatever it carries.
    keepAlive: { everyMs: 15_000, frame: () => '{"method":"ping"}' },
    silenceMs: 30_000,
    normalBytes: 64 * KIB,
  },
  // REST honours up to 1000 levels; nothing else uses this pool.
  rest: { ...upTo(1000), pool: 'depth', shallow: upTo(50), budgetShare: 0.9 },
};
