import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readPrice, type Wire, wireArray } from '../../domain/read.ts';
import type { Price } from '../../domain/units.ts';
import { KIB } from '../answer-bound.ts';
import { SNAPSHOTS_ONLY } from '../book-continuity.ts';
import type { BookFeed } from '../book-feed.ts';
import type { VenueCall } from '../call.ts';
import { rejectShape } from '../grammar/answer.ts';
import { book, objectLevels } from '../grammar/book.ts';
import { type Field, field, ms } from '../grammar/field.ts';
import { quotes } from '../grammar/quote.ts';
import { takeEach } from '../grammar/rows.ts';
import { type DexDecoder, open, symbolsOf } from './wire.ts';

const takeBook = book(
  { bids: objectLevels('bids', 'px', 'sz'), asks: objectLevels('asks', 'px', 'sz'), venueTime: ms('time') },
  'snapshot',
);

/** `l2Book`, by REST or frame: always a snapshot of up to 20 levels a side, bids first. */
export const decodeBook: DexDecoder = (payload, context, dex) => {
  const out = emptyDecoded();
  const answer = open(payload, out);
  if (isWire(answer)) {
    const [bids, asks] = wireArray(answer.levels) ?? [];
    takeEach([{ ...answer, bids, asks }], 'coin', symbolsOf(dex).unitsOf, context, out, takeBook);
  } else if (out.rejects.length === 0) rejectShape(out, 'no book');
  return out;
};

/** One side of `bbo`, null where it is empty. */
const best = (at: 0 | 1): Field<Price> => ({
  ...field(`bbo[${at}]`, (side, { units }) =>
    isWire(side) ? readPrice(side.px, units.multiplier) : undefined,
  ),
  raw: ({ bbo }: Wire) => wireArray(bbo)?.[at],
});
const takeTouch = quotes({ bestBid: best(0), bestAsk: best(1) });

/** `bbo`: best bid and ask of one coin. */
export const decodeTouch: DexDecoder = (data, context, dex) => {
  const out = emptyDecoded();
  takeEach([data], 'coin', symbolsOf(dex).unitsOf, context, out, takeTouch);
  return out;
};

const frame = (method: string) => (coins: readonly string[]) =>
  coins.map((coin) => JSON.stringify({ method, subscription: { type: 'l2Book', coin } }));

const WEIGHT = 2;

/**
 * `l2Book`: every frame is a snapshot of 20 levels a side, about every five seconds. A coin that the dex does not
 * list closes the socket, so only listed ones are asked for.
 *
 * @param call decoder of a book, by REST or frame
 * @param budgetShare part of the one weight limit of all dexes that this dex's books may use
 */
export const hyperliquidBooks = (call: VenueCall, budgetShare: number): BookFeed => ({
  initialSnapshot: 'stream',
  continuity: SNAPSHOTS_ONLY,
  stream: {
    evidence: 'frames',
    base: 'ws',
    path: '/ws',
    call,
    topicOf: ({ symbol }) => symbol,
    subscribe: frame('subscribe'),
    unsubscribe: frame('unsubscribe'),
    // 1,000 subscriptions and ten connections an address, which all dexes share.
    topicsPerConnection: 200,
    topicsPerFrame: 1,
    framesPerSecond: 10,
    maxConnections: 1,
    compression: 'none',
    keepAlive: { everyMs: 30_000, frame: () => '{"method":"ping"}' },
    silenceMs: 30_000,
    normalBytes: 64 * KIB,
  },
  rest: {
    call,
    request: ({ symbol }) => ({
      method: 'POST',
      path: '/info',
      body: JSON.stringify({ type: 'l2Book', coin: symbol }),
      weight: WEIGHT,
      symbol,
    }),
    weight: WEIGHT,
    levels: 20,
    budgetShare,
  },
});
