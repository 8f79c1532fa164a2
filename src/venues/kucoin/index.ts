import { asBps } from '../../domain/units.ts';
import type { CallRef, Decoder, Poll, VenueAdapter, VenueCall, VenueRequest } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { kucoinBackfill } from './backfill.ts';
import { decodeLevel2 } from './book.ts';
import { kucoinBooks } from './book-feed.ts';
import { decodeFrame } from './frames.ts';
import {
  decodeFundingHistory,
  decodeMarkCandles,
  decodeOpenInterestHistory,
  decodeUnifiedFundingHistory,
} from './history.ts';
import { PUBLISHED } from './published.ts';
import { baseOf } from './rows.ts';
import {
  decodeAllTickers,
  decodeCurrentFunding,
  decodeMarkPrice,
  decodeUnifiedFunding,
  decodeUnifiedOpenInterest,
} from './single.ts';
import { decodeContractQuotes, decodeContracts, decodePolledContracts, TAKER_FEE_BPS } from './wire.ts';

const call = (name: string, path: RegExp, decode: Decoder): VenueCall => ({
  name,
  matches: matchesPath(path),
  decode,
});

const contracts = call('contracts', /(?:^|\/)contracts\/[A-Za-z0-9]+$/, decodeContracts);
/** These two match nothing: a reply that someone names is read whole, by `contracts`. */
const polledContracts: VenueCall = {
  name: 'contracts (without open interest)',
  matches: () => false,
  decode: decodePolledContracts,
};
const contractQuotes: VenueCall = {
  ...polledContracts,
  name: 'contracts (metrics)',
  decode: decodeContractQuotes,
};
const allTickers = call('allTickers', /(?:^|\/)allTickers$/, decodeAllTickers);

const isOpenInterest = matchesPath(/ua\/v\d\/market\/open-interest$/);
const asksHistory = (ref: CallRef): boolean => /[?&]interval=/.test(ref.raw);
const openInterestHistory: VenueCall = {
  name: 'open-interest history',
  matches: (ref) => isOpenInterest(ref) && asksHistory(ref),
  decode: decodeOpenInterestHistory,
};
const openInterest: VenueCall = {
  name: 'open-interest',
  matches: (ref) => isOpenInterest(ref) && !asksHistory(ref),
  decode: decodeUnifiedOpenInterest,
};

const isKline = matchesPath(/ua\/v\d\/market\/kline$/);
const markCandles: VenueCall = {
  name: 'kline of the mark price',
  // By a parameter in v2, by the symbol in v1.
  matches: (ref) => isKline(ref) && /[?&]klineType=MARK_PRICE\b|-mark-price/.test(ref.raw),
  decode: decodeMarkCandles,
};

/** Topics of the classic socket, channels and message types of the unified one, and both addresses. */
const CHANNELS =
  /\/contractMarket\/(?:level2|snapshot|ticker)|\/contract\/(?:instrument|announcement)|\bobu\b|\bmark-price\b|\bfunding-fee\b|x-push-futures|ws-api-futures/;

const frames: VenueCall = { name: 'public sockets', matches: matchesText(CHANNELS), decode: decodeFrame };

const level2 = call('level2', /(?:^|\/)level2\/(?:snapshot|depth\d+)$/, decodeLevel2);

const get = (path: string): readonly VenueRequest[] => [{ method: 'GET', path: `/api/v1/${path}` }];

const polls: readonly Poll[] = [
  {
    call: polledContracts,
    kind: 'instruments',
    everyMs: 300_000,
    weight: 3,
    requests: () => get('contracts/active'),
  },
  {
    call: contractQuotes,
    kind: 'quotes',
    everyMs: 5_000,
    weight: 3,
    requests: () => get('contracts/active'),
  },
  {
    // Without a symbol: all contracts. Its weight is not published.
    call: openInterest,
    kind: 'quotes',
    everyMs: 10_000,
    weight: 5,
    requests: () => [{ method: 'GET', path: '/api/ua/v2/market/open-interest', base: 'unified' }],
  },
  { call: allTickers, kind: 'quotes', everyMs: 10_000, weight: 5, requests: () => get('allTickers') },
];

/** KuCoin Futures: USDT- and USDC-margined perpetuals. */
export const kucoin: VenueAdapter = {
  id: 'kucoin',
  displayName: 'KuCoin Futures',
  kind: 'cex',
  sourceId: 6,
  takerFeeBps: asBps(TAKER_FEE_BPS),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      "Weighted basket of other venues' spot prices, published per index; some baskets hold perpetuals, its own among them",
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: {
    rest: 'https://api-futures.kucoin.com',
    unified: 'https://api.kucoin.com',
    ws: 'wss://x-push-futures.kucoin.com',
  },
  budget: { id: 'kucoin', pools: [{ name: 'default', limit: 2_000, perMs: 30_000 }] },
  refreshMs: 5_000,
  polls,
  books: kucoinBooks(frames, level2),
  calls: [
    contracts,
    call('mark-price', /(?:^|\/)mark-price\/[^/]+\/current$/, decodeMarkPrice),
    call('funding-rate', /(?:^|\/)funding-rate\/[^/]+\/current$/, decodeCurrentFunding),
    call('unified funding-rate', /ua\/v\d\/market\/funding-rate$/, decodeUnifiedFunding),
    openInterestHistory,
    call('funding-rates', /(?:^|\/)contract\/funding-rates$/, decodeFundingHistory),
    call(
      'unified funding-rate-history',
      /ua\/v\d\/market\/funding-rate-history$/,
      decodeUnifiedFundingHistory,
    ),
    markCandles,
    level2,
    frames,
  ],
  backfill: kucoinBackfill,
  baseOf,
};
