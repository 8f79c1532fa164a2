import { asBps } from '../../domain/units.ts';
import type { Decoder, VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { deribitBooks } from './book-feed.ts';
import { decodeOrderBook } from './books.ts';
import { decodeFrame } from './frames.ts';
import { decodeFundingHistory, decodeFundingValue } from './history.ts';
import { decodeInstruments, TAKER_FEE_BPS } from './instruments.ts';
import { decodeSingle, decodeSummaries } from './metrics.ts';
import { PUBLISHED } from './published.ts';
import { baseOf } from './wire.ts';

const call = (name: string, path: RegExp, decode: Decoder): VenueCall => ({
  name,
  matches: matchesPath(path),
  decode,
});

const instruments = call('get_instruments', /(?:^|\/)get_instruments?$/, decodeInstruments);
const summaries = call(
  'get_book_summary_by_currency',
  /(?:^|\/)get_book_summary_by_currency$/,
  decodeSummaries,
);

const orderBook = call('get_order_book', /(?:^|\/)get_order_book(?:_by_instrument_id)?$/, decodeOrderBook);

const frames: VenueCall = {
  name: 'frame',
  matches: matchesText(
    /\b(?:book|ticker|incremental_ticker|perpetual|quote)\.[A-Z0-9<{*]|\/ws\/api\/v2\b|"channels?"|^(?:heartbeat|errors|public\/subscribe|public\/set_heartbeat)$/,
  ),
  decode: decodeFrame,
};

/** Deribit: linear perpetuals settled in USDC, funded continuously; evidence in VENUE.md. */
export const deribit: VenueAdapter = {
  id: 'deribit',
  displayName: 'Deribit',
  kind: 'cex',
  sourceId: 11,
  takerFeeBps: asBps(TAKER_FEE_BPS),
  hasIndex: true,
  index: {
    family: 'deribit-basket',
    description:
      'Own basket of spot exchanges for coins with options (BTC, ETH, SOL, XRP, AVAX, TRX, HYPE); the Coinbase Index for all others',
    evidence: 'documented',
  },
  continuousFunding: true,
  ...PUBLISHED,
  bases: { rest: 'https://www.deribit.com/api/v2', ws: 'wss://www.deribit.com' },
  // Credits: 500 a call, refilled at 10,000 a second; the list of instruments has a pool of its own.
  budget: {
    id: 'www.deribit.com',
    pools: [
      { name: 'default', limit: 10_000, perMs: 1000 },
      { name: 'instruments', limit: 500_000, perMs: 50_000 },
    ],
  },
  refreshMs: 5000,
  polls: [
    {
      call: instruments,
      kind: 'instruments',
      everyMs: 300_000,
      weight: 10_000,
      pool: 'instruments',
      requests: () => [
        { method: 'GET', path: '/public/get_instruments?currency=USDC&kind=future&expired=false' },
      ],
    },
    {
      call: summaries,
      kind: 'quotes',
      everyMs: 3000,
      weight: 500,
      requests: () => [
        { method: 'GET', path: '/public/get_book_summary_by_currency?currency=USDC&kind=future' },
      ],
    },
  ],
  books: deribitBooks(frames, orderBook),
  calls: [
    call('get_book_summary_by_instrument', /(?:^|\/)get_book_summary_by_instrument$/, decodeSingle),
    call('ticker', /(?:^|\/)public\/ticker$/, decodeSingle),
    orderBook,
    call('get_funding_rate_history', /(?:^|\/)get_funding_rate_history$/, decodeFundingHistory),
    call('get_funding_rate_value', /(?:^|\/)get_funding_rate_value$/, decodeFundingValue),
    frames,
  ],
  baseOf,
};
