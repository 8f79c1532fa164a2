import { asBps } from '../../domain/units.ts';
import type { Decoder, Poll, VenueAdapter, VenueCall, VenueRequest } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { gateBackfill } from './backfill.ts';
import { decodeOrderBook } from './book.ts';
import { gateBooks } from './book-feed.ts';
import { decodeFrame } from './frames.ts';
import { decodeCandles, decodeContractStats, decodeFundingHistory } from './history.ts';
import { PUBLISHED } from './published.ts';
import { baseOf } from './rows.ts';
import {
  decodeContractQuotes,
  decodeContracts,
  decodeTickerQuotes,
  decodeTickers,
  TAKER_FEE_BPS,
} from './wire.ts';

const call = (name: string, path: RegExp, decode: Decoder): VenueCall => ({
  name,
  matches: matchesPath(path),
  decode,
});

const contracts = call('contracts', /futures\/\w+\/contracts(?:\/[^/]+)?$/, decodeContracts);
const contractQuotes: VenueCall = { ...contracts, name: 'contracts (metrics)', decode: decodeContractQuotes };
/** Matches nothing: a ticker reply that someone names is read whole, by `tickers`. */
const tickerQuotes: VenueCall = {
  name: 'tickers (without open interest)',
  matches: () => false,
  decode: decodeTickerQuotes,
};
const tickers = call('tickers', /futures\/\w+\/tickers$/, decodeTickers);

const isCandles = matchesPath(/futures\/\w+\/candlesticks$/);
const candles: VenueCall = {
  name: 'candlesticks of mark or index',
  matches: (ref) => isCandles(ref) && /[?&]contract=(?:mark|index)_/.test(ref.raw),
  decode: decodeCandles,
};

const frames: VenueCall = {
  name: 'futures socket',
  matches: matchesText(/\bfutures\.[a-z_]+\b|fx-ws\.gateio\.ws|\/v4\/ws\//),
  decode: decodeFrame,
};

const orderBook = call('order_book', /(?:^|\/)order_book$/, decodeOrderBook);

const get = (path: string): readonly VenueRequest[] => [{ method: 'GET', path: `/futures/usdt/${path}` }];

/** No `limit`: with one the lists are cut, without one they are whole. */
const polls: readonly Poll[] = [
  {
    call: contracts,
    kind: 'instruments',
    everyMs: 300_000,
    weight: 1,
    pool: 'contracts',
    requests: () => get('contracts'),
  },
  {
    call: tickerQuotes,
    kind: 'quotes',
    everyMs: 5_000,
    weight: 1,
    pool: 'tickers',
    requests: () => get('tickers'),
  },
  {
    call: contractQuotes,
    kind: 'quotes',
    everyMs: 15_000,
    weight: 1,
    pool: 'contracts',
    requests: () => get('contracts'),
  },
];

/** Documented per endpoint and address: 200 requests in 10 s. */
const PER_ENDPOINT = { limit: 200, perMs: 10_000 };

/** Gate USDT-margined perpetuals. */
export const gate: VenueAdapter = {
  id: 'gate',
  displayName: 'Gate',
  kind: 'cex',
  sourceId: 5,
  takerFeeBps: asBps(TAKER_FEE_BPS),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'Weighted basket of spot last prices, published per contract; some baskets hold perpetuals, its own among them',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: { rest: 'https://api.gateio.ws/api/v4', ws: 'wss://fx-ws.gateio.ws' },
  budget: {
    id: 'gate',
    pools: [
      { name: 'default', ...PER_ENDPOINT },
      { name: 'contracts', ...PER_ENDPOINT },
      { name: 'tickers', ...PER_ENDPOINT },
      { name: 'order_book', ...PER_ENDPOINT },
    ],
  },
  refreshMs: 5_000,
  polls,
  books: gateBooks(frames, orderBook),
  calls: [
    tickers,
    call('funding_rate', /futures\/\w+\/funding_rate$/, decodeFundingHistory),
    call('contract_stats', /futures\/\w+\/contract_stats$/, decodeContractStats),
    candles,
    orderBook,
    frames,
  ],
  backfill: gateBackfill,
  baseOf,
};
