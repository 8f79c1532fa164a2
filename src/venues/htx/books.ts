import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import { KIB } from '../answer-bound.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { DecodeContext } from '../call.ts';
import type { UnitsLookup } from '../contract-units.ts';
import { fieldFault } from '../field-fault.ts';
import { objectIn, rejectShape } from '../grammar/answer.ts';
import { arrayLevels, type BookTable, before, book, orNone } from '../grammar/book.ts';
import { bookRequest, endpoint, socket } from '../grammar/calls.ts';
import { ms, number } from '../grammar/field.ts';
import { type RowDecoder, requestedRows, takeEach, takeOf } from '../grammar/rows.ts';
import type { QuoteStream, Stream } from '../stream.ts';
import {
  channelOf,
  close,
  decodeContracts,
  open,
  stamped,
  symbolOf,
  takeFundingNotice,
  takeOverview,
  takeTouch,
  unitsOf,
} from './wire.ts';

/**
 * With a list of contracts only those on it count. Without one, books of contracts that are not ours (dated, inverse) are
 * read as published, in the venue's own units: what a recording says of them is worth showing.
 */
const anyUnits: UnitsLookup = (context, symbol) => {
  const units = unitsOf(context, symbol);
  const isShown = typeof units === 'string' && context.instruments.size === 0;
  return isShown ? { multiplier: 1, perContract: undefined } : units;
};

/** A side without levels may be null or missing. The `version` of REST is a second and not the one of the socket. */
const REST_BOOK: BookTable = {
  bids: orNone('bids', arrayLevels('bids')),
  asks: orNone('asks', arrayLevels('asks')),
  venueTime: ms('ts'),
};
const takeRest = book(REST_BOOK, 'snapshot');

/** A suspended contract answers with an empty book, which is no book. */
const takeAnswer: RowDecoder = (row, out) => {
  const { bids, asks } = row.wire;
  const isEmpty = [bids, asks].every((side) => (wireArray(side ?? []) ?? [side]).length === 0);
  if (bids === undefined && asks === undefined) rejectShape(out, 'no levels');
  else if (isEmpty) out.rejects.push({ symbol: row.symbol, reason: 'not_trading', detail: 'empty book' });
  else takeRest(row, out);
};

export const depth = endpoint(
  '/linear-swap-ex/market/depth',
  requestedRows(objectIn(open), symbolOf, anyUnits, takeAnswer),
);

const WHOLE: BookTable = { ...REST_BOOK, sequence: number('version') };
const takeWhole = book(WHOLE, 'snapshot');
/** A change follows the version before it; versions differ between connections. */
const takeChange = book({ ...WHOLE, previousSequence: before('version') }, 'delta');

/** A frame of `depth.step*` has no event and is whole. A change may be without levels, a book not without both sides. */
const takeDepth: RowDecoder = (row, out) => {
  const { event, bids, asks } = row.wire;
  if (event === 'update') takeChange(row, out);
  else if ((event ?? 'snapshot') !== 'snapshot') out.rejects.push(fieldFault(row.symbol, 'event', event));
  else if (bids === undefined && asks === undefined)
    out.rejects.push({ symbol: row.symbol, reason: 'unexpected_shape', detail: 'no levels' });
  else takeWhole(row, out);
};

/** Subjects of ours; candles of trades, premiums and estimates hold nothing. */
const SUBJECTS: readonly (readonly [RegExp, RowDecoder])[] = [
  [/^depth\./, takeDepth],
  [/^mark_price\./, close('markPrice')],
  [/^index\./, close('indexPrice')],
  [/^detail(?:\.merged)?$/, takeOverview],
  [/^bbo$/, takeTouch],
];

/** Frames of the market, index and notification sockets. */
function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  open(payload, out);
  if (out.rejects.length > 0) return out;
  const frame: Wire = isWire(payload) ? payload : {};
  const [symbol, subject] = channelOf(frame.ch) ?? [];
  if (subject !== undefined && isWire(frame.tick)) {
    const take = SUBJECTS.find(([pattern]) => pattern.test(subject))?.[1];
    if (take !== undefined)
      takeOf(symbol, [frame.tick], take === takeDepth ? anyUnits : unitsOf, context, out, take);
  } else if (!isNameOrNone(frame.op)) rejectShape(out, 'op');
  else if (frame.op === 'notify') return decodeNotice(frame, context);
  else if (!isControl(frame)) rejectShape(out, 'no push');
  return out;
}

const isNameOrNone = (name: unknown): boolean => typeof (name ?? '') === 'string';

/** Acknowledgements, pings, answers to single requests, and what a client itself sends. */
function isControl({ ping, pong, op, subbed, unsubbed, rep, sub, unsub, status }: Wire): boolean {
  return [ping, pong, op, subbed, unsubbed, rep, sub, unsub, status].some((field) => field !== undefined);
}

/** `public.{contract or *}.funding_rate` and `.contract_info`; other notices hold nothing of ours. */
function decodeNotice(frame: Wire, context: DecodeContext): Decoded {
  const topic = readText(frame.topic) ?? '';
  if (topic.endsWith('.contract_info')) return decodeContracts(frame.data, context);
  const out = emptyDecoded();
  if (!isNameOrNone(frame.topic)) rejectShape(out, 'topic');
  if (!topic.endsWith('.funding_rate')) return out;
  const rows = wireArray(frame.data);
  if (rows === undefined) rejectShape(out, 'no rows');
  else takeEach(rows, 'contract_code', unitsOf, stamped(context, frame), out, takeFundingNotice);
  return out;
}

const frames = socket(
  'frame',
  /\bmarket\.[^.\s]+\.|\bpublic\.[^.\s]+\.|\/(?:linear-swap-ws|ws_index|linear-swap-notification)\b|^market sockets$/,
  decodeFrame,
);

const pong: Stream['pong'] = (message) =>
  isWire(message) && message.ping !== undefined ? JSON.stringify({ pong: message.ping }) : undefined;

const frame =
  (verb: 'sub' | 'unsub', more: Readonly<Record<string, string>> = {}) =>
  (topics: readonly string[], id: number) =>
    topics.map((topic) => JSON.stringify({ [verb]: topic, ...more, id: String(id) }));

/** No call has the marks of all contracts: one candle subscription a contract, about a push a second each. */
export const marks: QuoteStream = {
  repeats: true,
  name: 'mark_price',
  base: 'ws',
  path: '/ws_index',
  call: frames,
  topics: ({ instruments }) => instruments.map(({ symbol }) => `market.${symbol}.mark_price.1min`),
  subscribe: frame('sub'),
  unsubscribe: frame('unsub'),
  topicsPerConnection: 150,
  topicsPerFrame: 1,
  framesPerSecond: 20,
  maxConnections: 6,
  compression: 'gzip',
  pong,
  silenceMs: 30_000,
  normalBytes: 16 * KIB,
};

/** The deeper of the two sizes that are streamed, and what the REST book has. */
const LEVELS = 150;
/** Without it snapshots come, and under the same channel. */
const CHANGES = { data_type: 'incremental' };

/**
 * `depth.size_150.high_freq`: a snapshot first, then changes as they happen, at most each 30 ms; the `version` of
 * each is one more than that before it on the same connection. Levels that leave the window are deleted. The REST
 * book is numbered otherwise: it is compared, never joined.
 */
export const htxBooks: BookFeed = {
  initialSnapshot: 'stream',
  continuity: CHAINED,
  stream: {
    evidence: 'pair',
    base: 'ws',
    path: '/linear-swap-ws',
    call: frames,
    topicOf: ({ symbol }) => `market.${symbol}.depth.size_${LEVELS}.high_freq`,
    subscribe: frame('sub', CHANGES),
    unsubscribe: frame('unsub', CHANGES),
    topicsPerConnection: 100,
    topicsPerFrame: 1,
    // Forty subscriptions a second are allowed.
    framesPerSecond: 20,
    maxConnections: 3,
    compression: 'gzip',
    pong,
    silenceMs: 20_000,
    normalBytes: 64 * KIB,
  },
  rest: {
    ...bookRequest(depth, ({ symbol }) => ({ contract_code: symbol, type: 'step0' }), { levels: LEVELS }),
    pool: 'market',
    // Of 800 a second, which no header confirms.
    budgetShare: 0.0125,
  },
};
