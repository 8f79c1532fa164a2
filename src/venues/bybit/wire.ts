import type { Published, PublishedAmount } from '../../domain/amount.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readNumber, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason, RejectReason } from '../../domain/reject.ts';
import type { Decoder, VenueRequest } from '../call.ts';
import type { UnitsLookup } from '../contract-units.ts';
import { envelope, objectIn, rowsIn } from '../grammar/answer.ts';
import { type ContractTable, contractList } from '../grammar/contract.ts';
import {
  bound,
  type ContractRow,
  field,
  hours,
  IN_MINUTES,
  listing,
  ms,
  price,
  rate,
  required,
  text,
} from '../grammar/field.ts';
import { openInterestSeries, priceSeries, settledRates, tradedHours } from '../grammar/history.ts';
import { amount, type QuoteTable, quoteChanges, quoteReader, quotes } from '../grammar/quote.ts';
import { type RowDecoder, requested, takeEach, takeOf } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'v5/market/tickers `openInterest`',
    unit: 'base',
    sides: 'two',
    evidence:
      'v5 documentation of tickers: `openInterest` is both sides, `singleOpenInterest` (since 2026-06-11) one, which is read where it is stated',
    date: '2026-07-24',
    confidence: 'high',
  },
  volume: {
    field: 'v5/market/tickers `volume24h`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd counts of lots: 98430.105, 73191.387',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'v5',
    date: '2026-09-25',
    source: 'ccxt 4.5.84; bybit-exchange/docs changelog to 2026-07-24 retires nothing that is read',
  },
};

/** `singleOpenInterest` and its value, stated since 2026-06-11: each contract once. */
export const SINGLE_OPEN_INTEREST: PublishedAmount = { ...PUBLISHED.openInterest, sides: 'one' };

/**
 * `BTCUSDT` settles in USDT, `BTCPERP` in USDC. Dated ones carry an expiry, `BTC-26DEC25`, `BTCUSDT-26DEC25`, or a month
 * letter and a year, `BTCUSDM23`; options are `BTC-26DEC25-60000-C`, `BTC-26DEC25-60000-C-USDT`.
 */
export const { baseOf, unitsOf } = symbols(
  {
    linear: /^([^-]+)(?:USDT|PERP)$/,
    others: [
      [/-[CP](?:-USDT)?$/, 'option'],
      [/-|USD[FGHJKMNQUVXZ]\d\d$/, 'dated'],
      [/USD$/, 'inverse'],
    ],
    rest: 'foreign_quote',
  },
  1,
);

/** Errors come with HTTP 200. Some messages quote the string that was signed, with the key in it. */
const open = envelope({
  code: 'retCode',
  isSuccess: (code) => readNumber(code) === 0,
  message: ({ retMsg }) => readText(retMsg)?.split('[', 1)[0],
  data: 'result',
});
export const resultIn = objectIn(open);
const listIn = rowsIn((result) => result, { list: 'list' });

const CATEGORIES: Readonly<Record<string, OutOfScopeReason>> = {
  inverse: 'inverse',
  spot: 'spot',
  option: 'option',
};

/** Units by the category that an answer states or a request asks for: others than the linear one are left out whole. */
export const unitsIn = (category: unknown): UnitsLookup => {
  const reason = CATEGORIES[String(category)];
  return reason === undefined ? unitsOf : () => reason;
};

const TYPES: Readonly<Record<string, RejectReason>> = {
  LinearFutures: 'dated',
  InversePerpetual: 'inverse',
  InverseFutures: 'inverse',
};
const STATUSES: Readonly<Record<string, RejectReason>> = {
  PreLaunch: 'prelisting',
  Settling: 'delisted',
  Delivering: 'delisted',
  Closed: 'delisted',
};
const CLASSES: Readonly<Record<string, AssetClass>> = {
  innovation: 'crypto',
  stock: 'equity',
  ETF: 'etf',
  commodity: 'commodity',
  forex: 'fx',
};

function leftOut({ contractType, status, settleCoin }: Wire, symbol: string) {
  if (contractType === undefined) return 'spot';
  if (contractType !== 'LinearPerpetual') return TYPES[String(contractType)] ?? 'not_trading';
  if (status !== 'Trading') return STATUSES[String(status)] ?? 'not_trading';
  const settle = readText(settleCoin);
  if (settle === undefined || settle === 'USDT' || settle === 'USDC') return undefined;
  return { symbol, reason: 'foreign_quote', detail: settle } as const;
}

const CONTRACT: ContractTable = {
  venue: 'bybit',
  symbol: 'symbol',
  leftOut,
  base: text('baseCoin'),
  quote: text('quoteCoin'),
  settle: text('settleCoin'),
  listedAt: listing('launchTime'),
  contractSize: 1,
  fundingCap: bound('upperFundingRate'),
  fundingFloor: bound('lowerFundingRate'),
  terms: TERMS,
  // Shares, funds, commodities and currencies are named; coins leave it empty, new ones are `innovation`.
  assetClass: field('symbolType', (raw, { wire }) =>
    wire.isPreListing === true ? 'prelaunch' : CLASSES[String(raw)],
  ),
  fundingIntervalHours: hours('fundingInterval', IN_MINUTES),
};

export const decodeInstruments = contractList(rowsIn(open, { list: 'list' }), CONTRACT);

/** The next page of the list; there are more contracts than the largest page holds. */
export function nextInstrumentPage(payload: unknown, request: VenueRequest): VenueRequest | undefined {
  const [result] = resultIn(payload, emptyDecoded());
  const cursor = readText(result?.nextPageCursor);
  const [path = '', query = ''] = request.path.split('?', 2);
  const next = new URLSearchParams(query);
  if (cursor === undefined || next.get('cursor') === cursor) return undefined;
  next.set('cursor', cursor);
  return { ...request, path: `${path}?${next}` };
}

/** Fields of a ticker delta. An empty side of the book is stated as "" or 0. */
const CHANGE = {
  fundingRate: rate('fundingRate'),
  nextFundingTime: ms('nextFundingTime'),
  // Added in 2025; before that only the list of contracts states the interval.
  fundingIntervalHours: hours('fundingIntervalHour'),
  markPrice: price('markPrice'),
  indexPrice: price('indexPrice'),
  bestBid: price('bid1Price'),
  bestAsk: price('ask1Price'),
  openInterest: amount(PUBLISHED.openInterest, { base: 'openInterest', quote: 'openInterestValue' }),
  volume24h: amount(PUBLISHED.volume, { base: 'volume24h', quote: 'turnover24h' }),
  // Of a frame: when the venue made it.
  venueTime: ms('frameTime'),
} satisfies QuoteTable;

/** A whole ticker. */
const TICKER: QuoteTable = {
  ...CHANGE,
  fundingRate: required(CHANGE.fundingRate),
  nextFundingTime: required(CHANGE.nextFundingTime),
  markPrice: required(CHANGE.markPrice),
  indexPrice: required(CHANGE.indexPrice),
  volume24h: required(CHANGE.volume24h),
};

/** The ticker of before v5. */
const FORMER_TICKER: QuoteTable = { ...TICKER, bestBid: price('bidPrice'), bestAsk: price('askPrice') };

const readSingle = quoteReader({
  openInterest: amount(SINGLE_OPEN_INTEREST, {
    base: 'singleOpenInterest',
    quote: 'singleOpenInterestValue',
  }),
});

/** `openInterest`, the venue's own number, counts both sides; `singleOpenInterest`, where it is stated, one. */
function countOnce(patch: QuotePatch, row: ContractRow, rejects: Parameters<typeof readSingle>[1]): void {
  const { openInterestBase, openInterestUsd } = readSingle(row, rejects);
  if (openInterestBase !== undefined) patch.openInterestBase = openInterestBase;
  if (openInterestUsd !== undefined) patch.openInterestUsd = openInterestUsd;
}

/** Phases of a contract in which funding is charged; in those before them it is called up by auction. */
const TRADING_PHASES: ReadonlySet<unknown> = new Set([undefined, '', 'ContinuousTrading', 'Finished']);

/**
 * Takes tickers. Dated futures have no funding, and both its fields are empty; they are empty as well before continuous
 * trading, whose phase the row states.
 */
function tickers(take: RowDecoder): RowDecoder {
  return (row, out) => {
    const { symbol, wire } = row;
    const { fundingRate, nextFundingTime: next, curPreListingPhase: phase } = wire;
    const isWithoutFunding = fundingRate === '' && (next === '' || next === '0');
    if (isWithoutFunding && !TRADING_PHASES.has(phase)) out.rejects.push({ symbol, reason: 'prelisting' });
    else if (isWithoutFunding && !row.context.instruments.has(symbol))
      out.rejects.push({ symbol, reason: 'dated' });
    else take(row, out);
  };
}

export const takeTicker = tickers(quotes(TICKER, countOnce));
export const takeTickerChange = tickers(quoteChanges(CHANGE, countOnce));

/** Decodes the list of an answer whose rows name their contracts. */
function categoryRows(take: RowDecoder): Decoder {
  return (payload, context) => {
    const out = emptyDecoded();
    for (const result of resultIn(payload, out))
      takeEach(listIn(result, out), 'symbol', unitsIn(result.category), context, out, take);
    return out;
  };
}

export const decodeTickers = categoryRows(takeTicker);
export const decodeFormerTickers = categoryRows(tickers(quotes(FORMER_TICKER, countOnce)));
export const decodeFundingHistory = categoryRows(
  settledRates({
    stamp: STAMPS.funding,
    time: ms('fundingRateTimestamp'),
    rate: rate('fundingRate'),
  }),
);

/** Decodes the list of an answer about one contract. */
function historyRows(take: RowDecoder): Decoder {
  return (payload, context) => {
    const out = emptyDecoded();
    for (const result of resultIn(payload, out)) {
      const symbol = readText(result.symbol) ?? requested()(context);
      takeOf(symbol, listIn(result, out), unitsIn(result.category), context, out, take);
    }
    return out;
  };
}

const takeBoth = openInterestSeries(
  STAMPS.openInterest,
  ms('timestamp'),
  amount(PUBLISHED.openInterest, { base: 'openInterest' }),
);
const takeSingle = openInterestSeries(
  STAMPS.openInterest,
  ms('timestamp'),
  amount(SINGLE_OPEN_INTEREST, { base: 'singleOpenInterest' }),
);

/** One side in base units at each stamp; half of both sides in older answers. */
export const decodeOpenInterestHistory = historyRows((row, out) =>
  (readNumber(row.wire.singleOpenInterest) === undefined ? takeBoth : takeSingle)(row, out),
);

/** Candles `[start, open, …]`, newest first; the seventh cell of one of trades is the turnover. */
export const decodeMarkKlines = historyRows(priceSeries(STAMPS.price, ms(0), 'markPrice', price(1)));
export const decodeHourKlines = historyRows(tradedHours(STAMPS.volume, ms(0), PUBLISHED.volume, 6));
