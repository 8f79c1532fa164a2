import type { Decoded } from '../../domain/decoded.ts';
import type { CallRef, DecodeContext, VenueCall } from '../adapter.ts';
import { decodeDepth } from './book.ts';
import type { FapiDialect } from './dialect.ts';
import { decodeFrame } from './frames.ts';
import {
  decodeFundingHistory,
  decodeHourKlines,
  decodeMarkKlines,
  decodeOpenInterestHistory,
} from './history.ts';
import { decodeExchangeInfo } from './instruments.ts';
import {
  decodeBookTicker,
  decodeFundingInfo,
  decodeOpenInterest,
  decodePremiumIndex,
  decodeTicker24h,
} from './metrics.ts';

/** The calls of a venue that speaks the Binance futures API. */
export interface FapiCodec {
  readonly exchangeInfo: VenueCall;
  readonly premiumIndex: VenueCall;
  readonly fundingInfo: VenueCall;
  readonly ticker24h: VenueCall;
  readonly bookTicker: VenueCall;
  readonly openInterest: VenueCall;
  readonly depth: VenueCall;
  readonly fundingHistory: VenueCall;
  readonly openInterestHistory: VenueCall;
  readonly markKlines: VenueCall;
  readonly hourKlines: VenueCall;
  readonly stream: VenueCall;
}

type FapiDecoder = (payload: unknown, context: DecodeContext, dialect: FapiDialect) => Decoded;

const VERSIONED = /^\/fapi\/v\d+\//;
const SOCKET_PATH = /^\/(?:(?:public|market)\/)?(?:ws|stream)(?:\/|$)/;

/** Binds the shared decoders to one venue. */
export function fapiCodec(dialect: FapiDialect): FapiCodec {
  const call = (name: string, matches: (ref: CallRef) => boolean, decode: FapiDecoder): VenueCall => ({
    name,
    matches,
    decode: (payload, context) => decode(payload, context, dialect),
  });
  const rest = (endpoint: string, decode: FapiDecoder): VenueCall =>
    call(endpoint, (ref) => isGet(ref) && endpointOf(ref.path) === endpoint, decode);
  return {
    exchangeInfo: rest('exchangeInfo', (payload) => decodeExchangeInfo(payload, dialect)),
    premiumIndex: rest('premiumIndex', decodePremiumIndex),
    fundingInfo: rest('fundingInfo', decodeFundingInfo),
    ticker24h: rest('ticker/24hr', decodeTicker24h),
    bookTicker: rest('ticker/bookTicker', decodeBookTicker),
    openInterest: rest('openInterest', decodeOpenInterest),
    depth: rest('depth', decodeDepth),
    fundingHistory: rest('fundingRate', decodeFundingHistory),
    openInterestHistory: rest('futures/data/openInterestHist', decodeOpenInterestHistory),
    markKlines: rest('markPriceKlines', decodeMarkKlines),
    hourKlines: rest('klines', decodeHourKlines),
    stream: call('stream', isStream, decodeFrame),
  };
}

function isGet(ref: CallRef): boolean {
  return ref.method === undefined || ref.method === 'GET';
}

/** `/fapi/v1/depth` and `/fapi/v3/depth` are the endpoint `depth`; other paths keep their whole name. */
function endpointOf(path: string): string {
  return VERSIONED.test(path) ? path.replace(VERSIONED, '') : path.slice(1);
}

/** Stream names (`btcusdt@depth@100ms`, `!markPrice@arr`), socket addresses and subscriptions. */
function isStream(ref: CallRef): boolean {
  return SOCKET_PATH.test(ref.path) || ref.raw.includes('@') || ref.raw === 'SUBSCRIBE';
}
