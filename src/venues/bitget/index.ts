import { asBps } from '../../domain/units.ts';
import type { Decoder, Poll, VenueAdapter, VenueCall, VenueRequest } from '../adapter.ts';
import { matchesPath, matchesText } from '../call-match.ts';
import { bitgetBackfill } from './backfill.ts';
import { decodeMergeDepth, decodeOrderbookV3 } from './book.ts';
import { bitgetBooks } from './book-feed.ts';
import { decodeFrame } from './frames.ts';
import { decodeCandles, decodeFundingHistory, decodeFundingHistoryV3 } from './history.ts';
import { decodeContracts, decodeInstruments, TAKER_FEE_BPS } from './instruments.ts';
import { PUBLISHED } from './published.ts';
import { baseOf } from './rows.ts';
import {
  decodeFundingTime,
  decodeFundRates,
  decodeOpenInterest,
  decodeOpenInterestV3,
  decodeTickers,
} from './wire.ts';
import { decodeTickersV3 } from './wire-v3.ts';

const call = (name: string, path: RegExp, decode: Decoder): VenueCall => ({
  name,
  matches: matchesPath(path),
  decode,
});

const classic = (name: string, decode: Decoder): VenueCall =>
  call(name, new RegExp(`v2/mix/market/${name}$`), decode);

const unified = (name: string, decode: Decoder): VenueCall =>
  call(`v3 ${name}`, new RegExp(`v3/market/${name}$`), decode);

const contracts = classic('contracts', decodeContracts);
const tickers = call('tickers', /v2\/mix\/market\/tickers?$/, decodeTickers);
const fundRates = call('current-fund-rate', /v[23]\/(?:mix\/)?market\/current-fund-rate$/, decodeFundRates);
const markCandles = call(
  'mark candles',
  /v2\/mix\/market\/history-mark-candles$/,
  decodeCandles('markPrice'),
);
const indexCandles = call(
  'index candles',
  /v2\/mix\/market\/history-index-candles$/,
  decodeCandles('indexPrice'),
);

/** `candles` serves mark and index prices where `kLineType` (v2) or `type` (v3) says so. */
function pricedCandles(name: 'mark' | 'index'): VenueCall {
  const wanted = new RegExp(`[?&](?:kLineType|type)=${name}(?:&|\\s|$)`, 'i');
  const isCandles = matchesPath(/v(?:2\/mix|3)\/market\/(?:history-)?candles$/);
  return {
    name: `candles of the ${name} price`,
    matches: (ref) => isCandles(ref) && wanted.test(ref.raw),
    decode: decodeCandles(name === 'mark' ? 'markPrice' : 'indexPrice'),
  };
}

const frames: VenueCall = {
  name: 'public socket',
  matches: matchesText(/\bbooks\d*\b|\bticker\b|\/v[23]\/ws\/public/),
  decode: decodeFrame,
};

const mergeDepth = classic('merge-depth', decodeMergeDepth);

/** One request for each margin currency; inverse and demo products are not asked for. */
function bothProducts(path: string): readonly VenueRequest[] {
  return ['USDT-FUTURES', 'USDC-FUTURES'].map((product) => ({
    method: 'GET',
    path: `/api/v2/mix/market/${path}?productType=${product}`,
  }));
}

const polls: readonly Poll[] = [
  {
    call: contracts,
    kind: 'instruments',
    everyMs: 300_000,
    weight: 1,
    requests: () => bothProducts('contracts'),
  },
  { call: tickers, kind: 'quotes', everyMs: 5_000, weight: 1, requests: () => bothProducts('tickers') },
  {
    call: fundRates,
    kind: 'quotes',
    everyMs: 10_000,
    weight: 1,
    requests: () => bothProducts('current-fund-rate'),
  },
];

/** Bitget USDT- and USDC-margined perpetuals, through the classic (v2) market calls. */
export const bitget: VenueAdapter = {
  id: 'bitget',
  displayName: 'Bitget',
  kind: 'cex',
  sourceId: 4,
  takerFeeBps: asBps(TAKER_FEE_BPS),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'Weighted average of up to six exchanges, outliers beyond 5 % from the median dropped; some baskets hold perpetuals, its own among them',
    evidence: 'documented',
  },
  ...PUBLISHED,
  bases: { rest: 'https://api.bitget.com', ws: 'wss://ws.bitget.com' },
  budget: {
    id: 'bitget',
    pools: [
      { name: 'default', limit: 20, perMs: 1_000 },
      { name: 'merge-depth', limit: 20, perMs: 1_000 },
    ],
  },
  refreshMs: 5_000,
  polls,
  books: bitgetBooks(frames, mergeDepth),
  calls: [
    classic('funding-time', decodeFundingTime),
    classic('open-interest', decodeOpenInterest),
    classic('history-fund-rate', decodeFundingHistory),
    markCandles,
    indexCandles,
    pricedCandles('mark'),
    pricedCandles('index'),
    mergeDepth,
    unified('instruments', decodeInstruments),
    unified('tickers', decodeTickersV3),
    unified('open-interest', decodeOpenInterestV3),
    unified('history-fund-rate', decodeFundingHistoryV3),
    unified('orderbook', decodeOrderbookV3),
    frames,
  ],
  backfill: bitgetBackfill,
  baseOf,
};
