import type { Published } from '../../domain/amount.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, type Wire } from '../../domain/read.ts';
import { asHours } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { Decoder } from '../call.ts';
import { fieldFault } from '../field-fault.ts';
import { objectIn, rejectError, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractsWithQuotes } from '../grammar/contract.ts';
import {
  boundIn,
  type ContractRow,
  derived,
  field,
  listing,
  ms,
  price,
  rate,
  where,
} from '../grammar/field.ts';
import { openInterestSeries, priceSeries, settledRates } from '../grammar/history.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, requested, requestedRows } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'info/markets `openInterestBase`',
    unit: 'base',
    sides: 'unknown',
    evidence:
      '3 of 11 counts of lots of 2026-09-13 are odd, which speaks for one side; the others and all older ones are even',
    date: '2026-09-13',
    confidence: 'low',
  },
  volume: {
    field: 'info/markets `dailyVolume`',
    unit: 'quote',
    sides: 'two',
    evidence:
      'DefiLlama checked trades and found maker and taker both counted; public base volumes are even counts of lots',
    date: '2026-07-14',
    confidence: 'medium',
  },
  verified: {
    version: 'v1 on Starknet',
    date: '2026-09-28',
    source: 'public decoder tests with rows of that day; ccxt 4.5.84',
  },
};

/** `BTC-USD`; `NVDA_24_5-USD` trades NVDA around the clock on five days a week. */
export const { baseOf, unitsOf } = symbols({ linear: /^(.+?)(?:_24_[57])?-USD$/, rest: 'not_listed' }, 1);

export const open: UnwrapEnvelope = (payload, out) => {
  if (!isWire(payload)) return payload;
  const { error, data, status } = payload;
  if (isWire(error)) return rejectError(out, error.code, error.message);
  // A row of a list has a status of its own, which is never this one.
  return status === 'ERROR' ? rejectError(out, status, error) : (data ?? payload);
};

/** By type and status, never by value: a delisted row keeps a plausible rate. */
function leftOut({ type, status, active, visibleOnUi }: Wire, symbol: string) {
  if ((type ?? 'PERPETUAL') !== 'PERPETUAL') return 'spot';
  if (status === 'DELISTED') return 'delisted';
  if (status === 'PRELISTED') return 'prelisting';
  // Older payloads state no status: `active` alone says whether a market trades.
  if (active === false || (status ?? 'ACTIVE') !== 'ACTIVE') return 'not_trading';
  if (visibleOnUi === false) return { symbol, reason: 'not_trading', detail: 'visibleOnUi' } as const;
  if (baseOf(symbol) === undefined) return 'not_listed';
  return status === undefined && active === undefined ? fieldFault(symbol, 'status', status) : undefined;
}

/** Values of `subCategory` for assets that are no coins; a gold token is filed under Crypto, Commodity. */
const CLASSES: ReadonlyMap<unknown, AssetClass> = new Map([
  ['Equity', 'equity'],
  ['ETF/Index', 'index'],
  ['Commodity', 'commodity'],
  ['FX', 'fx'],
  ['Pre-market', 'prelaunch'],
]);

function classOf({ category, subCategory }: Wire): AssetClass | undefined {
  if (category === 'Crypto') return 'crypto';
  return category === 'RWA' ? (CLASSES.get(subCategory) ?? 'unknown') : undefined;
}

/** Funding is applied at each full hour. */
const INTERVAL = asHours(1);

const CONTRACT: ContractTable = {
  venue: 'extended',
  symbol: 'name',
  leftOut,
  base: derived(({ symbol }) => baseOf(symbol)),
  quote: 'USD',
  settle: 'USDC',
  listedAt: listing('createdAt'),
  contractSize: 1,
  fundingCap: boundIn('tradingConfig', 'hourlyFundingRateCap', 0.01),
  fundingFloor: boundIn('tradingConfig', 'hourlyFundingRateCap', -0.01),
  assetClass: field('category', (_, { wire }) => classOf(wire)),
  fundingIntervalHours: INTERVAL,
  indicativeBook: field('isRfq', (raw) => raw === true || undefined),
  terms: TERMS,
};

const withInterval = (patch: QuotePatch): void => {
  if (patch.fundingRate !== undefined) patch.fundingIntervalHours = INTERVAL;
};

/** Outside its hours a market's touch is a band of 3 % about the mark that the venue makes. */
const hasRealBook = ({ wire, context, symbol }: ContractRow): boolean =>
  wire.isRfq !== true && wire.isOffHours !== true && context.instruments.get(symbol)?.indicativeBook !== true;

const takeStats = quotes(
  {
    // The estimate of the hour in progress.
    fundingRate: rate('fundingRate'),
    // So named, the time of the next settlement.
    nextFundingTime: ms('nextFundingRate'),
    markPrice: price('markPrice'),
    indexPrice: price('indexPrice'),
    bestBid: where(hasRealBook, price('bidPrice')),
    bestAsk: where(hasRealBook, price('askPrice')),
    openInterest: amount(PUBLISHED.openInterest, { base: 'openInterestBase', quote: 'openInterest' }),
    volume24h: amount(PUBLISHED.volume, { base: 'dailyVolumeBase', quote: 'dailyVolume' }),
    // Older payloads do not say.
    marketOpen: field('isOffHours', (raw) => (typeof raw === 'boolean' ? !raw : undefined)),
  },
  withInterval,
);

const rows = rowsIn(open, { row: 'name' });

/** An object without any of these metrics is a different object than the documentation describes. */
const hasMetrics = (stats: unknown): stats is Wire =>
  isWire(stats) && ['fundingRate', 'markPrice', 'openInterest', 'dailyVolume'].some((name) => name in stats);

/**
 * List and metrics in one; the metrics stand in an object of their own. Hours are stated beside it: without metrics they
 * would make a row that says nothing of what was lost.
 */
export const decodeMarkets = contractsWithQuotes(rows, CONTRACT, (row, out) => {
  const { marketStats, isRfq, isOffHours } = row.wire;
  takeStats({ ...row, wire: hasMetrics(marketStats) ? { ...marketStats, isRfq, isOffHours } : {} }, out);
});
export const decodeStats = requestedRows(objectIn(open), requested(), unitsOf, takeStats);

/** Hourly, stamped a little after the hour. */
export const decodeFundingHistory = contractRows(
  rowsIn(open, { row: 'm' }),
  'm',
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: ms('T'),
    rate: rate('f'),
    intervalHours: derived(() => INTERVAL),
    gridMs: HOUR_MS,
  }),
);

export const decodeOpenInterests = requestedRows(
  rowsIn(open, { row: 't' }),
  requested(),
  unitsOf,
  openInterestSeries(STAMPS.openInterest, ms('t'), amount(PUBLISHED.openInterest, { base: 'I', quote: 'i' })),
);

export const decodeCandles = (key: 'markPrice' | 'indexPrice'): Decoder =>
  requestedRows(
    rowsIn(open, { row: 'T' }),
    requested(),
    unitsOf,
    priceSeries(STAMPS.price, ms('T'), key, price('o')),
  );

/** Pushes of prices by type; the others are of rates. */
export const PRICES: Readonly<Record<string, RowDecoder>> = {
  MP: quotes({ markPrice: price('p') }),
  IP: quotes({ indexPrice: price('p') }),
};
export const takeRate = quotes({ fundingRate: rate('f') }, withInterval);
