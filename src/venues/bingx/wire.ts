import type { Published } from '../../domain/amount.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import { readMs, readNumber, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { asBps } from '../../domain/units.ts';
import { fieldFault } from '../field-fault.ts';
import { envelope, rowsIn } from '../grammar/answer.ts';
import { type ContractTable, contractList, ownTakerFee } from '../grammar/contract.ts';
import { bound, derived, field, hours, listing, ms, price, rate, required } from '../grammar/field.ts';
import { priceSeries, settledRates } from '../grammar/history.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { contractRows, namedOrRequested, type RowDecoder, requestedRows } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'swap/v2/quote/openInterest `openInterest`',
    unit: 'quote',
    sides: 'unknown',
    evidence: 'a notional has no lots, and the documentation says nothing',
    date: '2026-10',
    confidence: 'low',
  },
  volume: {
    field: 'swap/v2/quote/ticker `volume`',
    unit: 'base',
    sides: 'one',
    evidence: 'public odd count of whole lots: FET 18854367',
    date: '2026-08',
    confidence: 'medium',
  },
  verified: {
    version: 'swap v2',
    date: '2026-10-10',
    source: 'record of answered calls (mannoj93-spec/jbm-desk-data)',
  },
};

export const TAKER_FEE_BPS = asBps(5);

/**
 * An asset from outside the chains, by class: `NCSKTSLA2USD`. Commodities and indices may have digits before
 * their name, those that trade all week 724: `NCCO1OILWTI2USD`, `NCCO7241NATGAS2USD`. Two currencies are a pair:
 * `NCFXUSD2JPY`.
 */
function assetOf(base: string): string {
  const [, pair, other] = /^NCFX([A-Z]{3})2([A-Z]{3})$/.exec(base) ?? [];
  if (pair !== undefined && other !== 'USD') return `${pair}${other}`;
  return /^NC(?:SK|FX|(?:CO|SI)(?:(?:724)?1?(?=\D))?)(.+)2USD$/.exec(base)?.[1] ?? base;
}

/** `BTC-USDT` and `BTC-USDC` are linear, `BTC-USD` is inverse. */
const spelled = symbols(
  { linear: /^(.+)-USD[TC]$/, others: [[/-USD$/, 'inverse']], rest: 'foreign_quote' },
  1,
);

/** Sizes count coins: one contract is one unit of the base as named. */
export const { unitsOf } = spelled;

/** The asset that a symbol spells: `1000PEPE` of `1000PEPE-USDT`, `TSLA` of `NCSKTSLA2USD-USDT`. */
export function baseOf(symbol: string): string | undefined {
  const base = spelled.baseOf(symbol);
  return base === undefined ? undefined : assetOf(base);
}

/** Errors come mostly inside HTTP 200. */
export const open = envelope({ isSuccess: (code) => Number(code) === 0 });
/** All contracts are a list, one contract is an object. */
const rows = rowsIn(open, { row: 'symbol' });
const each = (take: RowDecoder) => contractRows(rows, 'symbol', unitsOf, take);

/** The class that a base's prefix states; none for all others, some of which are tokenised shares. */
const CLASSES: Readonly<Record<string, AssetClass>> = {
  SK: 'equity',
  FX: 'fx',
  CO: 'commodity',
  SI: 'index',
};

const STATUS: Readonly<Record<string, OutOfScopeReason>> = {
  0: 'delisted',
  5: 'prelisting',
  // No new positions, and no row of rates and prices.
  25: 'not_trading',
};

const quoteOf = (symbol: string): string => symbol.slice(symbol.lastIndexOf('-') + 1);

/** Numbers and strings change places over the years. */
function leftOut({ status, currency }: Wire, symbol: string) {
  if (spelled.baseOf(symbol) === undefined) return spelled.reasonOf(symbol);
  if (readNumber(status) !== 1) return STATUS[String(status)] ?? fieldFault(symbol, 'status', status);
  const settle = readText(currency) ?? quoteOf(symbol);
  return settle === quoteOf(symbol) ? undefined : ({ symbol, reason: 'quanto', detail: settle } as const);
}

const CONTRACT: ContractTable = {
  venue: 'bingx',
  symbol: 'symbol',
  leftOut,
  base: derived(({ symbol }) => spelled.baseOf(symbol)),
  assetOf,
  quote: derived(({ symbol }) => quoteOf(symbol)),
  listedAt: listing('launchTime'),
  contractSize: 1,
  assetClass: derived(({ symbol }) => CLASSES[/^NC(..)/.exec(symbol)?.[1] ?? '']),
  takerFeeBps: ownTakerFee('takerFeeRate', TAKER_FEE_BPS),
  terms: TERMS,
};

export const decodeContracts = contractList(rows, CONTRACT);

/** `updateTime` is the last settlement and no stamp of freshness. */
export const decodePremiums = each(
  quotes({
    fundingRate: required(rate('lastFundingRate')),
    fundingIntervalHours: hours('fundingIntervalHours'),
    fundingCap: bound('maxFundingRate'),
    fundingFloor: bound('minFundingRate'),
    nextFundingTime: ms('nextFundingTime'),
    markPrice: required(price('markPrice')),
    indexPrice: price('indexPrice'),
  }),
);

export const decodeTickers = each(
  quotes({
    volume24h: amount(PUBLISHED.volume, { base: 'volume', quote: 'quoteVolume' }),
    bestBid: price('bidPrice'),
    bestAsk: price('askPrice'),
  }),
);

/** The notional in the quote currency, not coins. */
export const decodeOpenInterest = each(
  quotes({ openInterest: required(amount(PUBLISHED.openInterest, { quote: 'openInterest' })) }),
);

/** Newest first. */
export const decodeFundingHistory = each(
  settledRates({
    stamp: STAMPS.funding,
    time: ms('fundingTime'),
    rate: rate('fundingRate'),
  }),
);

const takeCells = priceSeries(STAMPS.price, ms(0), 'markPrice', price(1));
const takeCandle = priceSeries(
  STAMPS.price,
  field('openTime', (raw, { wire }) => readMs(raw ?? wire.time)),
  'markPrice',
  price('open'),
);

/** Candles as objects, or as lists `[time, open, …]`. */
export const decodeMarkCandles = requestedRows(
  rowsIn(open, { row: 'open' }),
  namedOrRequested(),
  unitsOf,
  (row, out) => (Array.isArray(row.wire) ? takeCells : takeCandle)(row, out),
);

/** Metrics of pushes, by topic; trades, candles and last prices hold nothing of ours. */
export const QUOTE_TOPICS: Readonly<Record<string, RowDecoder>> = {
  markPrice: quotes({ markPrice: price('p'), venueTime: ms('E') }),
  ticker: quotes({
    volume24h: amount(PUBLISHED.volume, { base: 'v', quote: 'q' }),
    bestBid: price('B'),
    bestAsk: price('A'),
    venueTime: ms('E'),
  }),
  // `T` is the touch's own time, which can lie minutes behind the push.
  bookTicker: quotes({ bestBid: price('b'), bestAsk: price('a'), venueTime: ms('T') }),
};
