import { isWire } from '../../domain/read.ts';
import { asBps } from '../../domain/units.ts';
import type { Decoder, PlanContext, Stream, VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath } from '../call-match.ts';
import { isChannel } from '../channel-match.ts';
import { cryptocomBooks } from './book-feed.ts';
import { decodeBook, decodeFrame } from './frames.ts';
import { PUBLISHED } from './published.ts';
import { baseOf } from './rows.ts';
import { decodeValuations } from './valuations.ts';
import { decodeInstruments, decodeTickers } from './wire.ts';

const call = (name: string, decode: Decoder): VenueCall => ({
  name,
  matches: matchesPath(new RegExp(`(?:^|/)${name}$`)),
  decode,
});

const instruments = call('get-instruments', decodeInstruments);
const tickers = call('get-tickers', decodeTickers);
const frames: VenueCall = { name: 'market socket', matches: isChannel, decode: decodeFrame };

const book = call('get-book', decodeBook);

/** Answers the venue's heartbeat with its own id. */
const pong: Stream['pong'] = (message) =>
  isWire(message) && message.method === 'public/heartbeat'
    ? JSON.stringify({ id: message.id, method: 'public/respond-heartbeat' })
    : undefined;

/** Mark and index each second, the rate in force each minute: no bulk call has any of them. */
function channels({ instruments: all }: PlanContext): readonly string[] {
  return all.flatMap(({ symbol, indexId }) => [
    `mark.${symbol}`,
    `funding.${symbol}`,
    ...(indexId === undefined ? [] : [`index.${indexId}`]),
  ]);
}

const request = (method: string) => (topics: readonly string[], id: number) => [
  JSON.stringify({ id, method, params: { channels: topics } }),
];

/** The venue allows 400 channels a connection; three belong to each contract. */
const CHANNELS = 399;

const valuations: Stream = {
  name: 'valuations',
  base: 'ws',
  path: '/market',
  call: frames,
  topics: channels,
  subscribe: request('subscribe'),
  unsubscribe: request('unsubscribe'),
  topicsPerConnection: CHANNELS,
  topicsPerFrame: 100,
  // A hundred a second are allowed, by the share of the second that is left at the connect.
  framesPerSecond: 2,
  maxConnections: 4,
  compression: 'none',
  pong,
  silenceMs: 30_000,
};

/** Crypto.com Exchange perpetuals in USD; evidence in VENUE.md. */
export const cryptocom: VenueAdapter = {
  id: 'cryptocom',
  displayName: 'Crypto.com Exchange',
  kind: 'cex',
  sourceId: 14,
  takerFeeBps: asBps(4),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'Own average of up to ten spot venues, its own among them, outliers clamped to 0.1 %; baskets of shares and goods rest on Pyth, Chainlink and ICE',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: {
    rest: 'https://api.crypto.com/exchange/v1',
    ws: 'wss://stream.crypto.com/exchange/v1',
  },
  // Documented for each method and address; the calls polled here share one, books have that of their own method.
  budget: {
    id: 'api.crypto.com',
    pools: [
      { name: 'default', limit: 100, perMs: 1_000 },
      { name: 'get-book', limit: 100, perMs: 1_000 },
    ],
  },
  refreshMs: 5_000,
  // The channel of rates speaks once a minute.
  rateEveryMs: 60_000,
  polls: [
    {
      call: instruments,
      kind: 'instruments',
      everyMs: 300_000,
      weight: 1,
      requests: () => [{ method: 'GET', path: '/public/get-instruments' }],
    },
    {
      call: tickers,
      kind: 'quotes',
      everyMs: 5_000,
      weight: 1,
      requests: () => [{ method: 'GET', path: '/public/get-tickers' }],
    },
  ],
  streams: [valuations],
  books: cryptocomBooks(frames, book, pong),
  calls: [call('get-valuations', decodeValuations), book],
  baseOf,
};
