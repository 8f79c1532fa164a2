import { isWire } from '../../domain/read.ts';
import { asBps } from '../../domain/units.ts';
import type { Decoder, Poll, Stream, VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { decodeOpenInterest, decodeOverview, decodeOverviews, overviewV1, overviewV2 } from './amounts.ts';
import { htxBooks } from './book-feed.ts';
import { decodeDepth } from './books.ts';
import { decodeFrame } from './frames.ts';
import { decodeFundingHistory, decodeInterestHistory, decodeMarkCandles } from './history.ts';
import { decodeContracts } from './instruments.ts';
import { decodeFunding, decodeIndex, decodeTouch } from './metrics.ts';
import { PUBLISHED } from './published.ts';
import { baseOf } from './wire.ts';

const call = (name: string, path: RegExp, decode: Decoder): VenueCall => ({
  name,
  matches: matchesPath(path),
  decode,
});

const contracts = call('swap_contract_info', /(?:^|\/)swap_contract_info$/, decodeContracts);
const funding = call(
  'funding_rate',
  /(?:^|\/)(?:swap_batch_funding_rate|swap_funding_rate|v5\/market\/funding_rate)$/,
  decodeFunding,
);
const index = call('swap_index', /(?:^|\/)swap_index$/, decodeIndex);
const openInterest = call(
  'open_interest',
  /(?:^|\/)(?:swap_open_interest|v5\/market\/open_interest)$/,
  decodeOpenInterest,
);
const depth = call('depth', /(?:^|\/)market\/depth$/, decodeDepth);
const touch = call('bbo', /(?:^|\/)market\/bbo$/, decodeTouch);

const frame: VenueCall = {
  name: 'frame',
  matches: matchesText(
    /\bmarket\.[^.\s]+\.|\bpublic\.[^.\s]+\.|\/(?:linear-swap-ws|ws_index|linear-swap-notification)\b|^market sockets$/,
  ),
  decode: decodeFrame,
};

const API = '/linear-swap-api/v1';
const get = (path: string) => () => [{ method: 'GET' as const, path }];

const polls: readonly Poll[] = [
  {
    call: contracts,
    kind: 'instruments',
    // It also states the interval, which changes.
    everyMs: 60_000,
    weight: 1,
    requests: get(`${API}/swap_contract_info?business_type=swap`),
  },
  {
    call: funding,
    kind: 'quotes',
    everyMs: 5000,
    weight: 1,
    requests: get(`${API}/swap_batch_funding_rate`),
  },
  {
    call: index,
    kind: 'quotes',
    everyMs: 5000,
    weight: 1,
    requests: get(`${API}/swap_index`),
  },
  {
    call: openInterest,
    kind: 'quotes',
    everyMs: 10_000,
    weight: 1,
    requests: get(`${API}/swap_open_interest?business_type=swap`),
  },
  {
    // The same numbers one by one from the fifth version, should the first one be switched off.
    call: { ...openInterest, name: 'open_interest (v5)' },
    kind: 'quotes',
    everyMs: 300_000,
    weight: 1,
    spread: true,
    requests: ({ instruments }) =>
      instruments.map(({ symbol }) => ({
        method: 'GET',
        path: `/v5/market/open_interest?contract_code=${encodeURIComponent(symbol)}`,
        symbol,
      })),
  },
  {
    call: touch,
    kind: 'quotes',
    everyMs: 5000,
    weight: 1,
    pool: 'market',
    requests: get('/linear-swap-ex/market/bbo?business_type=swap'),
  },
];

const pong = (message: unknown): string | undefined =>
  isWire(message) && message.ping !== undefined ? JSON.stringify({ pong: message.ping }) : undefined;

/** No call has the marks of all contracts: one candle subscription a contract, about a push a second each. */
const marks: Stream = {
  name: 'mark_price',
  base: 'ws',
  path: '/ws_index',
  call: frame,
  topics: ({ instruments }) => instruments.map(({ symbol }) => `market.${symbol}.mark_price.1min`),
  subscribe: (topics, id) => topics.map((sub) => JSON.stringify({ sub, id: String(id) })),
  unsubscribe: (topics, id) => topics.map((unsub) => JSON.stringify({ unsub, id: String(id) })),
  topicsPerConnection: 150,
  topicsPerFrame: 1,
  framesPerSecond: 20,
  maxConnections: 6,
  compression: 'gzip',
  pong,
  silenceMs: 30_000,
};

/** HTX USDT-margined perpetual swaps; evidence in VENUE.md. */
export const htx: VenueAdapter = {
  id: 'htx',
  displayName: 'HTX',
  kind: 'cex',
  sourceId: 8,
  takerFeeBps: asBps(6),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'Own weighted mean of last prices of several exchanges, held to 3 % around their median; basket and weights are not published',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: { rest: 'https://api.hbdm.com', ws: 'wss://api.hbdm.com' },
  budget: {
    id: 'api.hbdm.com',
    pools: [
      { name: 'default', limit: 240, perMs: 3000 },
      { name: 'market', limit: 800, perMs: 1000 },
    ],
  },
  refreshMs: 5000,
  polls,
  streams: [marks],
  books: htxBooks(frame, depth, pong),
  calls: [
    call(
      'batch_merged (v2)',
      /(?:^|\/)v2\/linear-swap-ex\/market\/detail\/batch_merged$/,
      decodeOverviews(overviewV2),
    ),
    call('batch_merged', /(?:^|\/)market\/detail\/batch_merged$/, decodeOverviews(overviewV1)),
    call('merged', /(?:^|\/)market\/detail\/merged$/, decodeOverview),
    depth,
    call(
      'funding history',
      /(?:^|\/)(?:swap_historical_funding_rate|v5\/market\/funding_rate_history)$/,
      decodeFundingHistory,
    ),
    call('swap_his_open_interest', /(?:^|\/)swap_his_open_interest$/, decodeInterestHistory),
    call('mark_price_kline', /(?:^|\/)linear_swap_mark_price_kline$/, decodeMarkCandles),
  ],
  baseOf,
};
