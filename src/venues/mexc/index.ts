import { asBps } from '../../domain/units.ts';
import type { Decoder, Poll, VenueAdapter, VenueCall, VenueRequest } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { mexcBackfill } from './backfill.ts';
import { decodeDepth, decodeDepthCommits } from './book.ts';
import { mexcBooks } from './book-feed.ts';
import { decodeFrame } from './frames.ts';
import { decodeCandles, decodeFundingHistory } from './history.ts';
import { decodeDetail } from './instruments.ts';
import { PUBLISHED } from './published.ts';
import { baseOf } from './rows.ts';
import {
  decodeFairPrice,
  decodeFunding,
  decodeIndexPrice,
  decodeTickers,
  decodeTickerVolumes,
} from './wire.ts';

const call = (name: string, path: RegExp, decode: Decoder): VenueCall => ({
  name,
  matches: matchesPath(path),
  decode,
});

const detail = call('detail', /(?:^|\/)detail(?:\/country|\/[^/]+_[^/]+)?$/, decodeDetail);
const funding = call('funding_rate', /contract\/funding_rate(?:\/[^/]+_[^/]+)?$/, decodeFunding);
/** Matches nothing: a ticker reply that someone names is read whole, by `ticker`. */
const tickerVolumes: VenueCall = {
  name: 'ticker (open interest, volume, best prices)',
  matches: () => false,
  decode: decodeTickerVolumes,
};

const frames: VenueCall = {
  name: 'public socket',
  matches: matchesText(
    /\b(?:sub|push)\.(?:depth|tickers?|index\.price|fair\.price|funding\.rate|contract)\b|contract\.mexc\.com\/edge/,
  ),
  decode: decodeFrame,
};

const depth = call('depth', /(?:^|\/)depth\/[^/]+$/, decodeDepth);

const get = (path: string): readonly VenueRequest[] => [{ method: 'GET', path: `/api/v1/contract/${path}` }];

const polls: readonly Poll[] = [
  {
    call: detail,
    kind: 'instruments',
    everyMs: 300_000,
    weight: 1,
    pool: 'detail',
    requests: () => get('detail'),
  },
  { call: funding, kind: 'quotes', everyMs: 5_000, weight: 1, requests: () => get('funding_rate') },
  {
    call: tickerVolumes,
    kind: 'quotes',
    everyMs: 5_000,
    weight: 1,
    pool: 'ticker',
    requests: () => get('ticker'),
  },
];

/** MEXC USDT- and USDC-margined perpetuals. */
export const mexc: VenueAdapter = {
  id: 'mexc',
  displayName: 'MEXC',
  kind: 'cex',
  sourceId: 7,
  // Orders through the API pay 8 bps on every contract since 2026-06-01; the app's per-contract rates do not apply.
  takerFeeBps: asBps(8),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'Weighted basket of exchanges named per contract, outliers beyond 1 % from the median dropped; some baskets hold perpetuals, its own among them',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: { rest: 'https://api.mexc.com', ws: 'wss://contract.mexc.com' },
  budget: {
    id: 'mexc',
    pools: [
      { name: 'default', limit: 20, perMs: 2_000 },
      { name: 'ticker', limit: 10, perMs: 2_000 },
      { name: 'depth', limit: 10, perMs: 2_000 },
      { name: 'detail', limit: 10, perMs: 2_000 },
    ],
  },
  refreshMs: 5_000,
  polls,
  books: mexcBooks(frames, depth),
  calls: [
    call('ticker', /contract\/ticker$/, decodeTickers),
    call('index_price', /contract\/index_price\/[^/]+$/, decodeIndexPrice),
    call('fair_price', /contract\/fair_price\/[^/]+$/, decodeFairPrice),
    call('funding_rate/history', /funding_rate\/history$/, decodeFundingHistory),
    call('kline/fair_price', /kline\/fair_price\/[^/]+$/, decodeCandles('markPrice')),
    call('kline/index_price', /kline\/index_price\/[^/]+$/, decodeCandles('indexPrice')),
    depth,
    call('depth_commits', /(?:^|\/)depth_commits\/[^/]+(?:\/\d+)?$/, decodeDepthCommits),
    frames,
  ],
  backfill: mexcBackfill,
  baseOf,
};
