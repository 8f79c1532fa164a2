import type { QuotePatch } from '../../../domain/quote.ts';
import type { Wire } from '../../../domain/read.ts';
import type { VenueId } from '../../../domain/venue.ts';
import type { VenueAdapter } from '../../../venues/adapter.ts';
import type { Decoder } from '../../../venues/call.ts';
import { decodeFunding } from '../../../venues/ccxt/funding.ts';
import { openInterestDecoder } from '../../../venues/ccxt/open-interest.ts';
import type { CcxtCall } from '../../../venues/ccxt/profile.ts';
import { tickersDecoder } from '../../../venues/ccxt/tickers.ts';

/** Fields that ccxt is asked for, as a sentence names them. */
export const SECOND_FIELD_NAMES = {
  fundingRate: 'rate',
  nextFundingTime: 'next settlement',
  markPrice: 'mark',
  indexPrice: 'index',
  openInterestBase: 'open interest',
  openInterestUsd: 'open interest',
  volume24hBase: 'volume',
  volume24hUsd: 'volume',
} as const satisfies Partial<Record<keyof QuotePatch, string>>;

type Field = keyof typeof SECOND_FIELD_NAMES;

/** A unified call that reads fields of a venue which none of its other endpoints states. */
export interface SecondCall {
  readonly call: CcxtCall;
  readonly fields: readonly Field[];
}

/** Readers of a venue by ccxt, beside our own decoder. */
export interface SecondByCcxt {
  /** ccxt's id of it. */
  readonly exchange: string;
  readonly calls: readonly SecondCall[];
  /** Another name of the host behind our `rest`, which ccxt asks. */
  readonly host?: string;
}

const RATE: readonly Field[] = ['fundingRate'];
const RATE_AND_INDEX: readonly Field[] = ['fundingRate', 'indexPrice'];
const PRICES: readonly Field[] = ['markPrice', 'indexPrice'];
const VOLUME: readonly Field[] = ['volume24hBase', 'volume24hUsd'];
const INTEREST: readonly Field[] = ['openInterestBase', 'openInterestUsd'];

const by = (
  exchange: string,
  calls: Partial<Record<CcxtCall, readonly Field[]>>,
  host?: string,
): SecondByCcxt => ({
  exchange,
  calls: Object.entries(calls).map(([call, fields]) => ({ call: call as CcxtCall, fields })),
  ...(host !== undefined && { host }),
});

/**
 * By venue: fields without another way of the venue's own, as far as docs/ccxt-agreement.md has no mistake of
 * ccxt in them. Calls are those about one contract where ccxt has them.
 */
const SECOND_BY_CCXT: Readonly<Record<VenueId, SecondByCcxt>> = {
  binance: by('binanceusdm', { fetchFundingRate: RATE_AND_INDEX }),
  bybit: by('bybit', { fetchFundingRates: RATE_AND_INDEX }),
  okx: by('okx', { fetchFundingRate: ['fundingRate', 'nextFundingTime'] }),
  bitget: by('bitget', { fetchFundingRate: RATE, fetchTicker: VOLUME }),
  gate: by('gate', { fetchFundingRate: RATE, fetchTicker: ['volume24hUsd'] }),
  mexc: by('mexc', { fetchFundingRate: RATE }),
  aster: by('aster', { fetchFundingRate: RATE_AND_INDEX }),
  htx: by('htx', { fetchFundingRate: RATE }, 'api.hbdm.vn'),
  bingx: by('bingx', {
    fetchFundingRate: RATE_AND_INDEX,
    fetchTicker: VOLUME,
    fetchOpenInterest: INTEREST,
  }),
  // Its rate is the absolute one over the mark of now, no fraction of the price at which the hour began.
  kraken: by('krakenfutures', { fetchTicker: VOLUME }),
  phemex: by('phemex', { fetchFundingRate: [...RATE, ...PRICES], fetchOpenInterest: INTEREST }),
  whitebit: by('whitebit', { fetchFundingRate: RATE }),
  backpack: by('backpack', { fetchFundingRate: RATE_AND_INDEX, fetchTicker: VOLUME }),
  cryptocom: by('cryptocom', { fetchTicker: VOLUME }),
  hyperliquid: by('hyperliquid', {
    fetchFundingRates: [...RATE, ...PRICES],
    fetchOpenInterests: INTEREST,
    fetchTickers: VOLUME,
  }),
  lighter: by('lighter', { fetchTicker: VOLUME }),
  paradex: by('paradex', { fetchTicker: VOLUME, fetchOpenInterest: INTEREST }),
  orderly: by(
    'woofipro',
    { fetchTickers: [...PRICES, ...VOLUME], fetchOpenInterests: INTEREST },
    'api-evm.orderly.org',
  ),
  pacifica: by('pacifica', { fetchFundingRates: ['indexPrice'] }),
  hibachi: by('hibachi', { fetchFundingRate: RATE, fetchTicker: VOLUME, fetchOpenInterest: INTEREST }),
};

type Place = Pick<VenueAdapter, 'id' | 'parent'>;

/**
 * The reader of a venue by ccxt, if there is one; dexes on hyperliquid, which are found at run time, are read
 * as the main exchange.
 */
export const secondByCcxt = ({ id, parent = id }: Place): SecondByCcxt | undefined => SECOND_BY_CCXT[parent];

/** The body of a question that ccxt asks the main exchange, as one about a dex on it: the answers are written alike. */
export function askedOfDex({ id, parent }: Place, body: string): string {
  if (parent !== 'hyperliquid') return body;
  return JSON.stringify({ ...(JSON.parse(body) as Wire), dex: id.slice(`${parent}-`.length) });
}

/** True if one answer of a call is about all contracts. */
export const isAboutAll = (call: CcxtCall): boolean => call.endsWith('s');

const decoderOf = (exchange: string, call: CcxtCall): Decoder => {
  if (call.startsWith('fetchTicker')) return tickersDecoder(exchange);
  return call.startsWith('fetchOpenInterest') ? openInterestDecoder(exchange) : decodeFunding;
};

/** Decodes a unified call, and keeps what is looked for; ccxt leaves amounts that count both sides as they are. */
export function secondDecoder(
  { openInterest, volume }: Pick<VenueAdapter, 'openInterest' | 'volume'>,
  exchange: string,
  { call, fields }: SecondCall,
): Decoder {
  const decode = decoderOf(exchange, call);
  const partOf = (field: Field): number => {
    const amount = INTEREST.includes(field) ? openInterest : VOLUME.includes(field) ? volume : undefined;
    return amount?.sides === 'two' ? 1 / 2 : 1;
  };
  return (payload, context) => {
    const decoded = decode(payload, context);
    const quotes = decoded.quotes.map((patch) => {
      const read = fields.flatMap((field) => {
        const value = patch[field];
        return value === undefined ? [] : [[field, value * partOf(field)] as const];
      });
      return { symbol: patch.symbol, ...Object.fromEntries(read) } satisfies QuotePatch;
    });
    return { ...decoded, quotes };
  };
}
