import type { Published } from '../../domain/amount.ts';
import { readNumber, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject, RejectReason } from '../../domain/reject.ts';
import { asBps } from '../../domain/units.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { fieldFault } from '../field-fault.ts';
import { envelope, rowsIn } from '../grammar/answer.ts';
import { type ContractTable, contractList, ownTakerFee } from '../grammar/contract.ts';
import { bound, derived, hours, listing, ms, price, rate, required, text } from '../grammar/field.ts';
import { priceSeries, settledRates } from '../grammar/history.ts';
import { amount, type QuoteTable, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, requested, requestedRows } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { beforeLaunch } from '../launch.ts';
import { STAMPS } from './stamps.ts';
import { TERMS, UNIFIED_TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'v2/mix/market/tickers `holdingAmount`',
    unit: 'base',
    sides: 'unknown',
    evidence:
      'documentation says total positions only; public fifteen-minute record of raw BTC open interest, September and October 2026: USDT contract mixed, USDC contract 29 of 31 odd',
    date: '2026-10',
    confidence: 'low',
  },
  volume: {
    field: 'v2/mix/market/tickers `baseVolume`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd count of lots: 79089.5675',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'v2, sockets v3',
    date: '2026-10-10',
    source:
      'record of answered calls (mannoj93-spec/jbm-desk-data); probe of 2026-09-15 (nemanull/arbitrage-observatory): classic accounts are in maintenance, market data of v2 goes on',
  },
};

export const TAKER_FEE_BPS = asBps(6);

/**
 * `BTCUSDT` settles in USDT, `BTCPERP` in USDC. `BTCUSDZ26`, `BTCCMZ26` and `ETHUSD_231229` have a delivery date;
 * `BTCUSD` is inverse, in the unified account `BTCUSD_CM`. Sizes count the base coin.
 */
export const { baseOf, unitsOf } = symbols(
  {
    linear: /^(.+)(?:USDT|PERP)$/,
    others: [
      [/(?:(?:USDT|USDC|USD|CM)[FGHJKMNQUVXZ]|_)\d{2,6}$/, 'dated'],
      [/USD(?:_CM)?$/, 'inverse'],
    ],
    rest: 'foreign_quote',
  },
  1,
);

export const open = envelope({ isSuccess: (code) => code === '00000' });
const rows = rowsIn(open, { row: 'symbol' });
/** The data is the list, one row on its own, or an object that has the list under a name. */
const each = (take: RowDecoder, list?: string): Decoder =>
  contractRows(rowsIn(open, { row: 'symbol', ...(list !== undefined && { list }) }), 'symbol', unitsOf, take);

/** `symbolStatus` (v2) and `status` (v3) of contracts that are not open to everyone. */
const STATUS: Readonly<Record<string, OutOfScopeReason>> = {
  maintain: 'not_trading',
  limit_open: 'not_trading',
  limit_close: 'not_trading',
  restrictedAPI: 'not_trading',
  off: 'delisted',
  offline: 'delisted',
};

/** Names of the fields by which each generation of the list describes a contract. */
interface ListNames {
  readonly type: string;
  readonly status: string;
  readonly live: string;
}

const leftOut =
  (names: ListNames) =>
  (wire: Wire, symbol: string, { receivedAt }: DecodeContext): Reject | RejectReason | undefined => {
    const { [names.type]: type, [names.status]: status, quoteCoin: quote } = wire;
    if (type === 'delivery') return 'dated';
    if (type !== 'perpetual') return fieldFault(symbol, names.type, type);
    if (quote === 'USD') return 'inverse';
    if (quote !== 'USDT' && quote !== 'USDC') return 'foreign_quote';
    // Blank or 0 on many rows.
    const launch = { field: 'launchTime', raw: wire.launchTime };
    const early = beforeLaunch(symbol, launch, status === 'listed', receivedAt);
    if (early !== undefined || status === names.live) return early;
    return STATUS[String(status)] ?? fieldFault(symbol, names.status, status);
  };

/** All numbers are strings. */
const CLASSIC: ContractTable = {
  venue: 'bitget',
  symbol: 'symbol',
  leftOut: leftOut({ type: 'symbolType', status: 'symbolStatus', live: 'normal' }),
  base: text('baseCoin'),
  quote: text('quoteCoin'),
  listedAt: listing('launchTime'),
  contractSize: 1,
  // `isRwa` YES covers stocks, indices, metals, currencies and announced coins alike.
  assetClass: derived(({ wire }) => (wire.isRwa === 'NO' ? 'crypto' : undefined)),
  fundingIntervalHours: hours('fundInterval'),
  takerFeeBps: ownTakerFee('takerFeeRate', TAKER_FEE_BPS),
  terms: TERMS,
};

const UNIFIED: ContractTable = {
  ...CLASSIC,
  leftOut: leftOut({ type: 'type', status: 'status', live: 'online' }),
  assetClass: derived(({ wire }) => {
    if (wire.isRwa === 'NO') return 'crypto';
    return wire.symbolType === 'stock' ? 'equity' : undefined;
  }),
  terms: UNIFIED_TERMS,
};

export const decodeContracts = contractList(rows, CLASSIC);
export const decodeInstruments = contractList(rows, UNIFIED);

/** Takes tickers; `deliveryTime` is blank on perpetuals. */
function tickers(table: QuoteTable): RowDecoder {
  const take = quotes(table);
  return (row, out) => {
    const { deliveryTime, category } = row.wire;
    if ((readNumber(deliveryTime) ?? 0) > 0) out.rejects.push({ symbol: row.symbol, reason: 'dated' });
    else if (category === 'SPOT' || category === 'MARGIN')
      out.rejects.push({ symbol: row.symbol, reason: 'spot' });
    else take(row, out);
  };
}

/**
 * Both generations of tickers state these alike. The interval and, but for pushes, the settlement are not in
 * it.
 */
const TICKER: QuoteTable = {
  fundingRate: required(rate('fundingRate')),
  nextFundingTime: ms('nextFundingTime'),
  markPrice: required(price('markPrice')),
  indexPrice: required(price('indexPrice')),
};

/** Classic account. `ts` is the stamp of the whole reply, about 90 ms before it arrives. */
export const takeTicker = tickers({
  ...TICKER,
  openInterest: amount(PUBLISHED.openInterest, { base: 'holdingAmount' }),
  volume24h: amount(PUBLISHED.volume, { base: 'baseVolume', quote: 'quoteVolume' }),
  bestBid: price('bidPr'),
  bestAsk: price('askPr'),
  venueTime: ms('ts'),
});

/** Unified account. Where the row has no stamp, the frame's counts. */
export const takeUnifiedTicker = tickers({
  ...TICKER,
  openInterest: amount(PUBLISHED.openInterest, { base: 'openInterest' }),
  volume24h: amount(PUBLISHED.volume, { base: 'volume24h', quote: 'turnover24h' }),
  bestBid: price('bid1Price'),
  bestAsk: price('ask1Price'),
  venueTime: { ...ms('ts'), raw: ({ ts, frameTime }) => ts ?? frameTime },
});

export const decodeTickers = each(takeTicker);
export const decodeUnifiedTickers = each(takeUnifiedTicker);

const takeFundRate = quotes({
  fundingRate: required(rate('fundingRate')),
  fundingIntervalHours: required(hours('fundingRateInterval')),
  fundingCap: bound('maxFundingRate'),
  fundingFloor: bound('minFundingRate'),
  nextFundingTime: required(ms('nextUpdate')),
});

/** Running rate, interval, next settlement; `maxFundingRate` is null on announced and test contracts without a market. */
export const decodeFundRates = each((row, out) => {
  if (row.wire.maxFundingRate === null) out.rejects.push({ symbol: row.symbol, reason: 'placeholder' });
  else takeFundRate(row, out);
});

export const decodeFundingTime = each(
  quotes({
    nextFundingTime: required(ms('nextFundingTime')),
    fundingIntervalHours: required(hours('ratePeriod')),
  }),
);

/** In the base coin. */
const interest = (base: string): RowDecoder =>
  quotes({ openInterest: amount(PUBLISHED.openInterest, { base }) });
export const decodeOpenInterest = each(interest('size'), 'openInterestList');
export const decodeUnifiedOpenInterest = each(interest('openInterest'), 'list');

/** Newest first. */
export const decodeFundingHistory = each(
  settledRates({
    stamp: STAMPS.funding,
    time: ms('fundingTime'),
    rate: rate('fundingRate'),
  }),
);
export const decodeUnifiedFundingHistory = each(
  settledRates({
    stamp: STAMPS.funding,
    time: ms('fundingRateTimestamp'),
    rate: rate('fundingRate'),
  }),
  'resultList',
);

/** `[time, open, …]` of the contract that the request names. */
export const decodeCandles = (key: 'markPrice' | 'indexPrice'): Decoder =>
  requestedRows(rows, requested(), unitsOf, priceSeries(STAMPS.price, ms(0), key, price(1)));
