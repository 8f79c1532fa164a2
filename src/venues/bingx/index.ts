import type { Instrument } from '../../domain/instrument.ts';
import type { UnixMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { VenueAdapter } from '../adapter.ts';
import { backfill, endpoint, poll, pollEach } from '../grammar/calls.ts';
import { bingxBooks, depth, frames } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeContracts,
  decodeFundingHistory,
  decodeMarkCandles,
  decodeOpenInterest,
  decodePremiums,
  decodeTickers,
  PUBLISHED,
  TAKER_FEE_BPS,
} from './wire.ts';

const QUOTE = '/openApi/swap/v2/quote';
const fundingRate = endpoint(`${QUOTE}/fundingRate`, decodeFundingHistory);
const markCandles = endpoint('/openApi/swap/v1/market/markPriceKlines', decodeMarkCandles);

const span = ({ symbol }: Instrument, from: UnixMs, to: UnixMs) => ({
  symbol,
  startTime: from,
  endTime: to - 1,
  limit: 1000,
});

/** Of an address and a call, as the answers' own headers count. */
const PER_CALL = { limit: 500, perMs: 10_000 };

/** BingX perpetuals of USDT and USDC; evidence in VENUE.md. */
export const bingx: VenueAdapter = {
  id: 'bingx',
  displayName: 'BingX',
  kind: 'cex',
  sourceId: 9,
  takerFeeBps: TAKER_FEE_BPS,
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'Equal-weight mean of last prices of outside venues, outliers dropped; the basket is not published',
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://open-api.bingx.com', ws: 'wss://open-api-swap.bingx.com' },
  heartbeat: { source: 'probes of 2026-09 (arbitrage-observatory): the text Ping every 5 s wants Pong' },
  budget: {
    id: 'open-api.bingx.com',
    pools: [
      { name: 'default', ...PER_CALL },
      { name: 'openInterest', ...PER_CALL },
      { name: 'depth', ...PER_CALL },
    ],
    limitBody: { field: 'code', codes: ['100410'] },
  },
  refreshMs: 5000,
  polls: [
    poll('instruments', endpoint(`${QUOTE}/contracts`, decodeContracts), { everyMs: 300_000 }),
    poll('quotes', endpoint(`${QUOTE}/premiumIndex`, decodePremiums), { everyMs: 5000 }),
    poll('quotes', endpoint(`${QUOTE}/ticker`, decodeTickers), { everyMs: 10_000 }),
    pollEach(endpoint(`${QUOTE}/openInterest`, decodeOpenInterest), {
      everyMs: 120_000,
      pool: 'openInterest',
      query: ({ symbol }) => ({ symbol }),
    }),
  ],
  books: bingxBooks,
  calls: [depth, fundingRate, markCandles, frames],
  // https://bingx-api.github.io/docs
  backfill: [
    backfill('funding', fundingRate, { points: 1000, query: span }),
    backfill('mark', markCandles, {
      points: 1000,
      stepMs: HOUR_MS,
      query: (instrument, from, to) => ({ ...span(instrument, from, to), interval: '1h' }),
    }),
  ],
  second: {
    ways: [],
    missing: 'Rate, index, open interest and volume: one call states each of them.',
  },
  baseOf,
};
