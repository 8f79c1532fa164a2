import type { VenueAdapter } from '../adapter.ts';
import { endpoint, poll, secondWay } from '../grammar/calls.ts';
import { deribitBooks, frames, orderBook } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeFormerInstruments,
  decodeFundingHistory,
  decodeFundingValue,
  decodeInstruments,
  decodeSummaries,
  decodeTicker,
  PUBLISHED,
  TAKER_FEE_BPS,
} from './wire.ts';

const instruments = endpoint('/public/get_instruments', decodeInstruments, {
  alsoAt: ['/public/get_instrument'],
  former: { until: '2025-12-01', decode: decodeFormerInstruments },
});
const ticker = endpoint('/public/ticker', decodeTicker);
const LINEAR = { currency: 'USDC', kind: 'future' };

/** Deribit: linear perpetuals settled in USDC, funded continuously; evidence in VENUE.md. */
export const deribit: VenueAdapter = {
  id: 'deribit',
  displayName: 'Deribit',
  kind: 'cex',
  sourceId: 11,
  takerFeeBps: TAKER_FEE_BPS,
  hasIndex: true,
  index: {
    family: 'deribit-basket',
    description:
      'Own basket of spot exchanges for coins with options (BTC, ETH, SOL, XRP, AVAX, TRX, HYPE); the Coinbase Index for all others',
    evidence: 'documented',
  },
  continuousFunding: true,
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://www.deribit.com/api/v2', ws: 'wss://www.deribit.com' },
  heartbeat: {
    pingMs: { atMost: 60_000 },
    source: 'probes of 2026-09 (arbitrage-observatory): an idle socket ends after 60 s',
  },
  // Credits: 500 a call, refilled at 10,000 a second; the list of instruments has a pool of its own.
  budget: {
    id: 'www.deribit.com',
    pools: [
      { name: 'default', limit: 10_000, perMs: 1000 },
      { name: 'instruments', limit: 500_000, perMs: 50_000 },
    ],
    // Every error comes under HTTP 400; this is the one of code 10028.
    limitStatus: { status: 400, text: 'too_many_requests' },
  },
  refreshMs: 5000,
  polls: [
    poll('instruments', instruments, {
      everyMs: 300_000,
      weight: 10_000,
      pool: 'instruments',
      query: { ...LINEAR, expired: 'false' },
    }),
    poll('quotes', endpoint('/public/get_book_summary_by_currency', decodeSummaries), {
      everyMs: 3000,
      weight: 500,
      query: LINEAR,
    }),
  ],
  books: deribitBooks,
  calls: [
    endpoint('/public/get_book_summary_by_instrument', decodeSummaries),
    ticker,
    orderBook,
    endpoint('/public/get_funding_rate_history', decodeFundingHistory),
    endpoint('/public/get_funding_rate_value', decodeFundingValue),
    frames,
  ],
  second: {
    ways: [secondWay(ticker, ({ symbol }) => ({ instrument_name: symbol }), { weight: 500 })],
    missing: 'None: the ticker of one contract has a form of its own.',
  },
  baseOf,
};
