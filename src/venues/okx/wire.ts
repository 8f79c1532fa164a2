import type { CallRef, Decoder, VenueCall } from '../adapter.ts';
import { decodeBooks } from './book.ts';
import { decodeFrame } from './frames.ts';
import {
  decodeCoinTotals,
  decodeFundingHistory,
  decodeHourCandles,
  decodeMarkCandles,
  decodeOpenInterestHistory,
} from './history.ts';
import { decodeInstruments } from './instruments.ts';
import {
  restOf,
  takeFundingRates,
  takeIndexTickers,
  takeMarkPrices,
  takeOpenInterest,
  takeTickers,
} from './metrics.ts';

function rest(endpoints: readonly string[], decode: Decoder): VenueCall {
  const paths = endpoints.map((endpoint) => `/api/v5/${endpoint}`);
  return {
    name: endpoints[0] ?? '',
    matches: (ref) => paths.includes(ref.path) && (ref.method === undefined || ref.method === 'GET'),
    decode,
  };
}

const CHANNEL =
  /(?:^|[^\w/-])(?:funding-rate|mark-price|index-tickers|open-interest|tickers|books(?:5|-l2-tbt|50-l2-tbt)?|bbo-tbt)(?![\w-])/;

/** A channel with or without its instrument, the socket's address, or a subscription that names channels. */
function isStream(ref: CallRef): boolean {
  if (ref.path.startsWith('/ws/v5/')) return true;
  return !ref.path.startsWith('/') && (CHANNEL.test(ref.raw) || ref.raw === 'subscribe');
}

export const okxCalls = {
  instruments: rest(['public/instruments'], (payload) => decodeInstruments(payload)),
  fundingRate: rest(['public/funding-rate'], restOf(takeFundingRates)),
  markPrice: rest(['public/mark-price'], restOf(takeMarkPrices)),
  indexTickers: rest(['market/index-tickers'], restOf(takeIndexTickers)),
  openInterest: rest(['public/open-interest'], restOf(takeOpenInterest)),
  tickers: rest(['market/tickers', 'market/ticker'], restOf(takeTickers)),
  books: rest(['market/books', 'market/books-full'], decodeBooks),
  fundingHistory: rest(['public/funding-rate-history'], decodeFundingHistory),
  markCandles: rest(['market/mark-price-candles', 'market/history-mark-price-candles'], decodeMarkCandles),
  hourCandles: rest(['market/candles', 'market/history-candles'], decodeHourCandles),
  openInterestHistory: rest(['rubik/stat/contracts/open-interest-history'], decodeOpenInterestHistory),
  coinTotals: rest(['rubik/stat/contracts/open-interest-volume'], decodeCoinTotals),
  stream: { name: 'stream', matches: isStream, decode: decodeFrame },
} as const satisfies Readonly<Record<string, VenueCall>>;
