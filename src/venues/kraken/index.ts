import { asBps, asMs } from '../../domain/units.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import type { VenueAdapter } from '../adapter.ts';
import { backfill, endpoint, poll, seconds, secondWay } from '../grammar/calls.ts';
import { frames, krakenBooks, orderbook, tickerStream } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeCandles,
  decodeFundingHistory,
  decodeInstruments,
  decodeOpenInterest,
  decodePolledTickers,
  decodeTickers,
  PUBLISHED,
} from './wire.ts';

const API = '/derivatives/api/v3';
const CHARTS = '/api/charts/v1';
const fundingRates = endpoint(`${API}/historical-funding-rates`, decodeFundingHistory, {
  alsoAt: ['/derivatives/api/v4/historicalfundingrates'],
});
const tickers = endpoint(`${API}/tickers`, decodeTickers, { alsoAt: [`${API}/tickers/*`] });
const markCandles = endpoint(`${CHARTS}/mark/*/1h`, decodeCandles('markPrice'), {
  name: 'charts',
  alsoAt: [`${CHARTS}/mark/*/*`],
});
const indexMinutes = endpoint(`${CHARTS}/spot/*/1m`, decodeCandles('indexPrice'), {
  name: 'charts of the index',
  alsoAt: [`${CHARTS}/spot/*/*`],
});
const interestAnalytics = endpoint(`${CHARTS}/analytics/*/open-interest`, decodeOpenInterest, {
  name: 'open-interest analytics',
});

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
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: {
    rest: 'https://futures.kraken.com',
    ws: 'wss://futures.kraken.com',
  },
  heartbeat: {
    pingMs: { atMost: 60_000 },
    source: 'docs.kraken.com, futures: a ping of the protocol at least every 60 s',
  },
  // No figure is published for public calls; client libraries keep to five a second.
  budget: {
    id: 'futures.kraken.com',
    pools: [{ name: 'default', limit: 50, perMs: 10_000 }],
    limitBody: { field: 'error', codes: ['apiLimitExceeded'] },
  },
  refreshMs: 5000,
  polls: [
    poll('instruments', endpoint(`${API}/instruments`, decodeInstruments), { everyMs: 300_000 }),
    poll('quotes', tickers, {
      everyMs: 3000,
      part: { name: 'tickers (without the rate)', decode: decodePolledTickers },
    }),
  ],
  streams: [tickerStream],
  books: krakenBooks,
  calls: [tickers, orderbook, fundingRates, markCandles, indexMinutes, interestAnalytics, frames],
  // https://docs.kraken.com/api/docs/futures-api: the whole history of payments in one answer.
  backfill: [
    backfill('funding', fundingRates, {
      points: 100_000,
      isLatestOnly: true,
      repeatMs: 12 * HOUR_MS,
      query: ({ symbol }) => ({ symbol }),
    }),
    backfill('mark', markCandles, {
      points: 2000,
      stepMs: HOUR_MS,
      query: (_, from, to) => ({ from: seconds(from), to: seconds(to) - 1 }),
    }),
  ],
  second: {
    ways: [
      secondWay(interestAnalytics, (_, now) => ({ since: seconds(asMs(now - 2 * HOUR_MS)), interval: 300 })),
      secondWay(indexMinutes, (_, now) => ({ from: seconds(asMs(now - 5 * MINUTE_MS)), to: seconds(now) })),
    ],
    missing:
      'Rate: the socket alone states it as a fraction. Volume: the tickers alone. The past of payments comes whole only: it is asked for twice a day, and compared with nothing.',
  },
  baseOf,
};
