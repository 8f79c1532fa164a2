import type { CallRef, Decoder, VenueCall } from '../adapter.ts';
import { decodeOrderbook } from './book.ts';
import { decodeFrame } from './frames.ts';
import {
  decodeFundingHistory,
  decodeHourKlines,
  decodeMarkKlines,
  decodeOpenInterestHistory,
} from './history.ts';
import { decodeInstruments } from './instruments.ts';
import { decodeTickers } from './tickers.ts';

function rest(endpoint: string, decode: Decoder): VenueCall {
  const path = `/v5/market/${endpoint}`;
  return {
    name: endpoint,
    matches: (ref) => ref.path === path && (ref.method === undefined || ref.method === 'GET'),
    decode,
  };
}

/** `tickers.BTCUSDT`, `orderbook.50.BTCUSDT`, the socket's address, or a subscription that names them. */
function isStream(ref: CallRef): boolean {
  if (ref.path.startsWith('/v5/public/')) return true;
  return !ref.path.startsWith('/v5/') && /\b(?:tickers|orderbook)\.\w|^(?:subscribe|ping)$/.test(ref.raw);
}

export const bybitCalls = {
  instruments: rest('instruments-info', (payload) => decodeInstruments(payload)),
  tickers: rest('tickers', decodeTickers),
  orderbook: rest('orderbook', decodeOrderbook),
  fundingHistory: rest('funding/history', decodeFundingHistory),
  openInterestHistory: rest('open-interest', decodeOpenInterestHistory),
  markKlines: rest('mark-price-kline', decodeMarkKlines),
  hourKlines: rest('kline', decodeHourKlines),
  stream: { name: 'stream', matches: isStream, decode: decodeFrame },
} as const satisfies Readonly<Record<string, VenueCall>>;
