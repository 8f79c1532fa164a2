import type { Instrument } from '../../domain/instrument.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { VenueAdapter } from '../adapter.ts';
import type { Decoder } from '../call.ts';
import { backfill, endpoint, poll, secondWay } from '../grammar/calls.ts';
import { bitgetBooks, frames, mergeDepth, unifiedBook } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeCandles,
  decodeContracts,
  decodeFundingHistory,
  decodeFundingTime,
  decodeFundRates,
  decodeInstruments,
  decodeOpenInterest,
  decodeTickers,
  decodeUnifiedFundingHistory,
  decodeUnifiedOpenInterest,
  decodeUnifiedTickers,
  PUBLISHED,
  TAKER_FEE_BPS,
} from './wire.ts';

const CLASSIC = '/api/v2/mix/market';
const UNIFIED = '/api/v3/market';
const contracts = endpoint(`${CLASSIC}/contracts`, decodeContracts);
const tickers = endpoint(`${CLASSIC}/tickers`, decodeTickers, { alsoAt: [`${CLASSIC}/ticker`] });
const fundRates = endpoint(`${CLASSIC}/current-fund-rate`, decodeFundRates, {
  alsoAt: [`${UNIFIED}/current-fund-rate`],
});
const fundingHistory = endpoint(`${CLASSIC}/history-fund-rate`, decodeFundingHistory);
const markCandles = endpoint(`${CLASSIC}/history-mark-candles`, decodeCandles('markPrice'), {
  name: 'mark candles',
});
const indexCandles = endpoint(`${CLASSIC}/history-index-candles`, decodeCandles('indexPrice'), {
  name: 'index candles',
});
const fundingTime = endpoint(`${CLASSIC}/funding-time`, decodeFundingTime);
const openInterest = endpoint(`${CLASSIC}/open-interest`, decodeOpenInterest);
const product = ({ symbol, quote }: Instrument) => ({ symbol, productType: `${quote}-FUTURES` });
const unified = (name: string, decode: Decoder) =>
  endpoint(`${UNIFIED}/${name}`, decode, { name: `v3 ${name}` });

/** `candles` serves mark and index prices where `kLineType` (v2) or `type` (v3) says so. */
const pricedCandles = (name: 'mark' | 'index') =>
  endpoint(`${CLASSIC}/candles`, decodeCandles(name === 'mark' ? 'markPrice' : 'indexPrice'), {
    name: `candles of the ${name} price`,
    alsoAt: [`${CLASSIC}/history-candles`, `${UNIFIED}/candles`, `${UNIFIED}/history-candles`],
    answers: (query) => (query.get('kLineType') ?? query.get('type'))?.toLowerCase() === name,
  });

/** One request for each margin currency; inverse and demo products are not asked for. */
const query = [{ productType: 'USDT-FUTURES' }, { productType: 'USDC-FUTURES' }];

/** Bitget USDT- and USDC-margined perpetuals, through the classic (v2) market calls. */
export const bitget: VenueAdapter = {
  id: 'bitget',
  displayName: 'Bitget',
  kind: 'cex',
  sourceId: 4,
  takerFeeBps: TAKER_FEE_BPS,
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'Weighted average of up to six exchanges, outliers beyond 5 % from the median dropped; some baskets hold perpetuals, its own among them',
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://api.bitget.com', ws: 'wss://ws.bitget.com' },
  heartbeat: {
    pingMs: { atMost: 30_000 },
    source: 'documents, websocket-intro: a ping every 30 s; two minutes without one end the connection',
  },
  budget: {
    id: 'bitget',
    pools: [
      { name: 'default', limit: 20, perMs: 1_000 },
      { name: 'merge-depth', limit: 20, perMs: 1_000 },
    ],
  },
  refreshMs: 5_000,
  polls: [
    poll('instruments', contracts, { everyMs: 300_000, query }),
    poll('quotes', tickers, { everyMs: 5_000, query }),
    poll('quotes', fundRates, { everyMs: 10_000, query }),
  ],
  books: bitgetBooks,
  calls: [
    fundingTime,
    openInterest,
    fundingHistory,
    markCandles,
    indexCandles,
    pricedCandles('mark'),
    pricedCandles('index'),
    mergeDepth,
    unified('instruments', decodeInstruments),
    unified('tickers', decodeUnifiedTickers),
    unified('open-interest', decodeUnifiedOpenInterest),
    unified('history-fund-rate', decodeUnifiedFundingHistory),
    unifiedBook,
    frames,
  ],
  // Payments by number of page, without a time filter; the unified call takes numbers up to 100.
  backfill: [
    backfill('funding', fundingHistory, {
      points: 100,
      pages: 100,
      query: (instrument, _from, _to, page, size) => ({
        ...product(instrument),
        pageSize: size,
        pageNo: page,
      }),
    }),
    backfill('mark', markCandles, {
      points: 200,
      stepMs: HOUR_MS,
      query: ({ symbol, quote }, from, to) => ({
        symbol,
        productType: `${quote}-FUTURES`,
        granularity: '1H',
        startTime: from,
        endTime: to - 1,
        limit: 200,
      }),
    }),
  ],
  second: {
    ways: [
      secondWay(fundingTime, product),
      secondWay(openInterest, product),
      secondWay(indexCandles, (instrument) => ({ ...product(instrument), granularity: '1m', limit: 2 })),
    ],
    missing: 'Rate and volume: the calls of a single contract answer with the rows of those for all.',
  },
  baseOf,
};
