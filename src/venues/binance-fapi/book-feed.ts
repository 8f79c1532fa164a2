import type { Instrument } from '../../domain/instrument.ts';
import { CHAINED } from '../book-continuity.ts';
import type { BookFeed, BookRequest } from '../book-feed.ts';
import { depthUpdateScanner } from './book-frames.ts';
import type { FapiCodec } from './codec.ts';

/** What differs between the venues that speak the Binance futures API. */
export interface FapiBooks {
  /** Path of combined streams; their frames are wrapped as `{stream, data}`. */
  readonly path: string;
  /** Path of the REST book. */
  readonly depth: string;
  readonly silenceMs: number;
  /** Part of the weight limit that books may use. */
  readonly budgetShare: number;
}

function depthRequest(path: string, levels: number, weight: number): BookRequest {
  return {
    request: ({ symbol }: Instrument) => ({
      method: 'GET',
      path: `${path}?symbol=${encodeURIComponent(symbol)}&limit=${levels}`,
      symbol,
    }),
    weight,
    levels,
  };
}

const frame = (method: string) => (topics: readonly string[], id: number) => [
  JSON.stringify({ method, params: topics, id }),
];

/**
 * Changes every 100 ms, joined with a REST book: of the changes, those with `u` up to `lastUpdateId` are in the book
 * already, the first after it has `pu` up to it, and from then on each `pu` is the `u` before. `U` follows no chain:
 * its numbers count the updates of all contracts.
 */
export function fapiBooks(codec: FapiCodec, { path, depth, silenceMs, budgetShare }: FapiBooks): BookFeed {
  return {
    initialSnapshot: 'rest',
    continuity: CHAINED,
    stream: {
      base: 'ws',
      path,
      call: codec.stream,
      topicOf: ({ symbol }) => `${symbol.toLowerCase()}@depth@100ms`,
      subscribe: frame('SUBSCRIBE'),
      unsubscribe: frame('UNSUBSCRIBE'),
      topicsPerConnection: 200,
      topicsPerFrame: 50,
      framesPerSecond: 5,
      maxConnections: 3,
      compression: 'none',
      silenceMs,
      scanner: depthUpdateScanner,
    },
    rest: {
      ...depthRequest(depth, 500, 10),
      call: codec.depth,
      shallow: depthRequest(depth, 100, 5),
      budgetShare,
    },
  };
}
