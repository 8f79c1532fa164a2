import type { Published } from '../../domain/amount.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass, Instrument } from '../../domain/instrument.ts';
import { isWire, readNumber, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import type { Decoder } from '../call.ts';
import type { UnitsLookup } from '../contract-units.ts';
import { fieldFault } from '../field-fault.ts';
import { rejectError, rejectShape, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractList } from '../grammar/contract.ts';
import {
  bound,
  field,
  hours,
  IN_SECONDS,
  listing,
  ms,
  price,
  rate,
  required,
  text,
} from '../grammar/field.ts';
import { settledRates } from '../grammar/history.ts';
import { amount, type QuoteTable, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, type RowsOf } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { STAMPS } from './stamps.ts';
import { perCoin, TERMS, withTiers } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'md/v3/ticker/24hr/all `openInterestRv`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd counts of lots: 6880.97, 96.3639',
    date: '2026-05',
    confidence: 'medium',
  },
  volume: {
    field: 'md/v3/ticker/24hr/all `volumeRq`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd count of lots: 1183.2525',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'md v3, book v2',
    date: '2026-09-25',
    source: 'ccxt 4.5.84; probe of 2026-09-23 (nemanull/arbitrage-observatory)',
  },
};

const OTHERS = [
  [/^s/, 'spot'],
  [/^(BTCUSD|c.+USD)$/, 'inverse'],
] as const;

/**
 * `BTCUSDT`, `BTCUSDC`; `u1000PEPEUSDT` is priced and sized per 1000 coins. The case of the first letter counts:
 * `sBTCUSDT` is spot.
 */
export const { baseOf, unitsOf } = symbols(
  { linear: /^u?([A-Z0-9].*)USD[TC]$/, others: OTHERS, rest: 'foreign_quote' },
  1,
);

/**
 * `XTZUSD`: linear contracts of the old model, settled in USD, sized in contracts. All are delisted since, on days that
 * no source states; their format is still that of coin-margined contracts, so that it has no end (VENUE.md).
 */
export const { unitsOf: oldUnitsOf } = symbols({
  linear: /^(?!BTCUSD$)u?([A-Z0-9].*?)USD[TC]?$/,
  others: OTHERS,
  rest: 'foreign_quote',
});

/**
 * Opens what calls with a `code` answer under `data`, those under `/md` under `result`, and bare payloads. A row of the
 * product list has a `code` of its own.
 */
export const open: UnwrapEnvelope = (payload, out) => {
  if (!isWire(payload)) return payload;
  const { error, code, msg, symbol, data, result } = payload;
  if (isWire(error)) return rejectError(out, error.code, error.message);
  if (code !== undefined && symbol === undefined && readNumber(code) !== 0)
    return rejectError(out, code, msg);
  return data ?? result ?? (data === undefined && result === undefined ? payload : null);
};

/** Contracts stand in `perpProductsV2`; coin-margined ones and spot pairs in `products`. */
const LISTS = ['perpProductsV2', 'products', 'perpProductsPilot'] as const;
const listsOf = (body: unknown) =>
  LISTS.map((name) => [name, isWire(body) ? body[name] : undefined] as const);

const products: UnwrapEnvelope = (payload, out) => {
  const body = open(payload, out);
  const rows = listsOf(body).flatMap(([, list]) => wireArray(list) ?? []);
  return rows.length === 0 ? body : rows;
};
const anyProducts = rowsIn(products, { row: 'symbol' });

/** A list that is null is left out; one that is none does not take the others with it. */
const productRows: RowsOf = (payload, out) => {
  const rows = anyProducts(payload, out);
  for (const [name, list] of listsOf(open(payload, emptyDecoded())))
    if (wireArray(list ?? []) === undefined) rejectShape(out, name);
  return withTiers(open(payload, emptyDecoded()), rows);
};

/** `TradFi` holds shares, indices and metals alike; the venue states only that it is no coin. */
const CLASSES: Readonly<Record<string, AssetClass>> = {
  Normal: 'crypto',
  PreMarket: 'prelaunch',
  TradFi: 'unknown',
};

function leftOut(row: Wire, symbol: string): OutOfScopeReason | Reject | undefined {
  const { type, status, quoteCurrency: quote, settleCurrency: settle } = row;
  if (readText(type) === undefined) return fieldFault(symbol, 'type', type);
  if (type === 'Spot') return 'spot';
  if (type === 'Perpetual' && settle !== quote) return 'inverse';
  if (status === 'Delisted') return 'delisted';
  if (status !== 'Listed') return 'not_trading';
  const isOurs = type === 'PerpetualV2' && settle === quote && (settle === 'USDT' || settle === 'USDC');
  return isOurs ? undefined : 'foreign_quote';
}

const CONTRACT: ContractTable = {
  venue: 'phemex',
  symbol: 'symbol',
  // The list names bases in blocks: `1000 PEPE`.
  alphabet: { also: ' ' },
  leftOut,
  base: field('baseCurrency', (raw, { wire }) => readText(raw) ?? readText(wire.contractUnderlyingAssets)),
  quote: text('quoteCurrency'),
  listedAt: listing('listTime'),
  contractSize: 1,
  assetClass: field('perpProductSubType', (raw) => CLASSES[String(raw)]),
  fundingIntervalHours: hours('fundingInterval', IN_SECONDS),
  indexId: text('indexSymbol'),
  terms: TERMS,
};
const listed = contractList(productRows, CONTRACT);

/** The base `1000 PEPE` states how many coins one of it is. */
function named(contract: Instrument): Instrument {
  const [, count, coin] = /^(10+) (\S+)$/.exec(contract.base) ?? [];
  if (count === undefined || coin === undefined) return contract;
  // The venue itself says how many: nothing of it is read by rule.
  const { nameReading: _ruled, ...stated } = contract;
  const multiplier = Number(count);
  const named = { ...stated, base: count + coin, ticker: baseName(coin).ticker, multiplier };
  const { terms } = contract;
  return terms === undefined ? named : { ...named, terms: perCoin(terms, multiplier / contract.multiplier) };
}

export const decodeProducts: Decoder = (payload, context) => {
  const decoded = listed(payload, context);
  return { ...decoded, instruments: decoded.instruments.map(named) };
};

/**
 * A ticker, all decimal text; amounts count coins, although a suffix says value. Its `timestamp` is the last change of
 * the row, up to a minute ago: not read.
 */
const TICKER: QuoteTable = {
  fundingRate: rate('fundingRateRr'),
  markPrice: required(price('markRp')),
  indexPrice: required(price('indexRp')),
  bestBid: price('bidRp'),
  bestAsk: price('askRp'),
  openInterest: amount(PUBLISHED.openInterest, { base: 'openInterestRv' }),
  volume24h: amount(PUBLISHED.volume, { base: 'volumeRq', quote: 'turnoverRv' }),
};
const takeTickerV3 = quotes(TICKER);

/** As REST of v2 and the channel `market24h_p` name it. */
const takeTickerV2 = quotes({
  ...TICKER,
  markPrice: required(price('markPriceRp')),
  indexPrice: required(price('indexPriceRp')),
});
export const takeTicker: RowDecoder = (row, out) =>
  (row.wire.markPriceRp === undefined ? takeTickerV3 : takeTickerV2)(row, out);

/** All metrics but the interval and the settlement time. */
export const decodeTickers = contractRows(
  rowsIn(open, { row: 'symbol', isComplete: true }),
  'symbol',
  unitsOf,
  takeTicker,
);

/** The running rate. */
export const decodeFundingRates = contractRows(
  rowsIn(open, { list: 'rows', row: 'symbol', isComplete: true }),
  'symbol',
  unitsOf,
  quotes({
    fundingRate: required(rate('fundingRate')),
    fundingIntervalHours: required(hours('fundingInterval', IN_SECONDS)),
    fundingCap: bound('fundingRateCap'),
    fundingFloor: bound('fundingRateFloor'),
    nextFundingTime: required(ms('nextfundingTime')),
  }),
);

/** Rates of coin-margined contracts are named by their base alone: `.BTCFR8H`. */
const unitsOfRate: UnitsLookup = (context, symbol) => {
  const units = unitsOf(context, symbol);
  return units === 'foreign_quote' ? 'inverse' : units;
};

/** Settled rates, oldest first. `.BTCUSDTFR8H` is the rate of `BTCUSDT`, on contracts of four hours as well. */
export const decodeFundingHistory = contractRows(
  rowsIn(open, { list: 'rows', row: 'symbol' }),
  ({ symbol }) => readText(symbol)?.replace(/^\.(.+)FR8H$/, '$1'),
  unitsOfRate,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('fundingTime'),
    rate: rate('fundingRate'),
    intervalHours: hours('intervalSeconds', IN_SECONDS),
  }),
);
