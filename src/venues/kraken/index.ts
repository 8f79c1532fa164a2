import { asBps } from '../../domain/units.ts';
import type { Decoder, VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { krakenBackfill } from './backfill.ts';
import { krakenBooks } from './book-feed.ts';
import { decodeOrderBook } from './books.ts';
import { decodeFrame } from './frames.ts';
import { decodeCandles, decodeFundingHistory, decodeOpenInterest } from './history.ts';
import { decodeInstruments } from './instruments.ts';
import { PUBLISHED } from './published.ts';
import { baseOf } from './symbols.ts';
import { decodeTickers } from './tickers.ts';

const call = (name: string, path: RegExp, decode: Decoder): VenueCall => ({
  name,
  matches: matchesPath(path),
  decode,
});

const instruments = call('instruments', /(?:^|\/)instruments$/, decodeInstruments);
const tickers = call('tickers', /(?:^|\/)tickers(?:\/[^/]+)?$/, decodeTickers);

const orderbook = call('orderbook', /(?:^|\/)orderbook$/, decodeOrderBook);

const frames: VenueCall = {
  name: 'frame',
  matches: matchesText(
    /\bfeeds?\b|"event"|\/ws\/v1\b|^(?:ticker(?:_lite)?|book(?:_snapshot)?|heartbeat)(?:[\s:,].*)?$/i,
  ),
  decode: decodeFrame,
};

/** Kraken Futures: linear multi-collateral perpetuals (`PF_`); evidence in VENUE.md. */
export const kraken: VenueAdapter = {
  id: 'kraken',
  displayName: 'Kraken Futures',
  kind: 'cex',
  sourceId: 10,
  takerFeeBps: asBps(5),
  hasIndex: true,
  index: {
    family: 'cf-benchmarks',
    description: 'Real-time indices of CF Benchmarks, a subsidiary, from spot exchanges',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: {
    rest: 'https://futures.kraken.com',
    ws: 'wss://futures.kraken.com',
  },
  // No figure is published for public calls; client libraries keep to five a second.
  budget: { id: 'futures.kraken.com', pools: [{ name: 'default', limit: 50, perMs: 10_000 }] },
  refreshMs: 5000,
  polls: [
    {
      call: instruments,
      kind: 'instruments',
      everyMs: 300_000,
      weight: 1,
      requests: () => [{ method: 'GET', path: '/derivatives/api/v3/instruments' }],
    },
    {
      call: tickers,
      kind: 'quotes',
      everyMs: 3000,
      weight: 1,
      requests: () => [{ method: 'GET', path: '/derivatives/api/v3/tickers' }],
    },
  ],
  books: krakenBooks(frames, orderbook),
  calls: [
    orderbook,
    call('historical-funding-rates', /(?:^|\/)historical-?funding-?rates$/, decodeFundingHistory),
    call('charts', /(?:^|\/)charts\/v1\/(?:mark|spot)\/[^/]+(?:\/[^/]+)?$/, decodeCandles),
    call(
      'open-interest analytics',
      /(?:^|\/)charts\/v1\/analytics\/[^/]+\/open-interest$/,
      decodeOpenInterest,
    ),
    frames,
  ],
  backfill: krakenBackfill,
  baseOf,
};
