import type { Published } from '../../domain/amount.ts';
import { iso } from '../../domain/clock.ts';
import { isWire, readMs, readText, type Wire } from '../../domain/read.ts';
import type { Hours } from '../../domain/units.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { bareAnswer, objectIn, rejectShape, rowsIn } from '../grammar/answer.ts';
import { type ContractTable, contractList } from '../grammar/contract.ts';
import { derived, field, listing, ms, price, rate, SECONDS } from '../grammar/field.ts';
import { settledRates } from '../grammar/history.ts';
import { amount, type QuoteTable, quotes } from '../grammar/quote.ts';
import { type RowDecoder, type RowsOf, requested, requestedRows } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { hoursBetween } from '../hour.ts';
import { isStated } from '../quote-field.ts';
import { readTakerFeeBps } from '../taker-fee.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'market/data/open-interest `totalQuantity`',
    unit: 'base',
    sides: 'unknown',
    evidence: 'too few public values to tell',
    date: '2026-10',
    confidence: 'low',
  },
  volume: {
    field: 'market/data/stats `volume24h`',
    unit: 'quote',
    sides: 'unknown',
    evidence:
      'unit: hibachi-xyz/hibachi_sdk example (1485054.567 beside an open interest of 2.1586 BTC); sides: nothing public',
    date: '2026-09',
    confidence: 'low',
  },
  verified: {
    version: 'market/data',
    date: '2026-09-25',
    source: 'ccxt 4.5.84; hibachi-xyz/hibachi_sdk',
  },
};

/** `BTC/USDT-P`. */
export const { baseOf, unitsOf } = symbols({ linear: /^(.+)\/USDT-P$/, rest: 'foreign_quote' }, 1);

export const open = bareAnswer({ error: 'errorCode', message: 'message' });

function leftOut({ settlementSymbol, status, marketOpenTimestamp }: Wire, symbol: string) {
  if (baseOf(symbol) === undefined || settlementSymbol !== 'USDT') return 'foreign_quote';
  if (status === 'LIVE') return undefined;
  // A closed contract may say when it opens again.
  const opens = readMs(marketOpenTimestamp, SECONDS);
  const named = readText(status)?.slice(0, 40) ?? 'status';
  const detail = opens === undefined ? named : `${named}, opens ${iso(opens)}`;
  return { symbol, reason: 'not_trading', detail } as const;
}

const CONTRACT: ContractTable = {
  venue: 'hibachi',
  symbol: 'symbol',
  leftOut,
  base: derived(({ symbol }) => baseOf(symbol)),
  quote: 'USDT',
  listedAt: listing('marketCreationTimestamp', SECONDS),
  contractSize: 1,
  takerFeeBps: field('tradeTakerFeeRate', (raw) => readTakerFeeBps(raw)),
  terms: TERMS,
};

const contracts = rowsIn(open, { list: 'futureContracts' });

/** Contracts, with the fee that the answer states for all of them. */
export const decodeExchangeInfo = contractList((payload, out) => {
  const { feeConfig }: Wire = isWire(payload) ? payload : {};
  const { tradeTakerFeeRate }: Wire = isWire(feeConfig) ? feeConfig : {};
  const rows = contracts(payload, out);
  if (isStated(feeConfig) && tradeTakerFeeRate === undefined) rejectShape(out, 'feeConfig');
  return rows.map((row) => (isWire(row) ? { ...row, tradeTakerFeeRate } : row));
}, CONTRACT);

/** The contract of a call about one, which some answers name and some do not. */
export const contractOf = (context: DecodeContext, payload: unknown): string | undefined =>
  (isWire(payload) ? readText(payload.symbol) : undefined) ?? requested()(context);

const ofOne = (rows: RowsOf, take: RowDecoder): Decoder => requestedRows(rows, contractOf, unitsOf, take);
const answer = objectIn(open);

/** The running rate stands in an object of its own; one that does not state it is a rate that cannot be read. */
export const withEstimate = ({ fundingRateEstimation: estimate, ...row }: Wire): Wire => ({
  ...row,
  ...(isStated(estimate) && { estimatedFundingRate: [estimate] }),
  ...(isWire(estimate) && estimate),
});
const ESTIMATE: QuoteTable = {
  fundingRate: rate('estimatedFundingRate'),
  nextFundingTime: ms('nextFundingTimestamp', SECONDS),
};
export const takeEstimate = quotes(ESTIMATE);

/** Spot is the index. */
export const decodePrices = ofOne(
  (payload, out) => answer(payload, out).map(withEstimate),
  quotes({
    ...ESTIMATE,
    markPrice: price('markPrice'),
    indexPrice: price('spotPrice'),
    bestBid: price('bidPrice'),
    bestAsk: price('askPrice'),
  }),
);

export const decodeOpenInterest = ofOne(
  answer,
  quotes({ openInterest: amount(PUBLISHED.openInterest, { base: 'totalQuantity' }) }),
);

/** In USDT: the venue's SDK shows 1485054.567 beside 2.1586 BTC open. */
export const decodeStats = ofOne(
  answer,
  quotes({ volume24h: amount(PUBLISHED.volume, { quote: 'volume24h' }) }),
);

const settled = ofOne(
  rowsIn(open, { list: 'data' }),
  settledRates({
    stamp: STAMPS.funding,
    time: ms('fundingTimestamp', SECONDS),
    rate: rate('fundingRate'),
  }),
);

/** Gaps between settlements that tell the interval: a skipped settlement makes one of them longer. */
const GAPS = 3;

/**
 * Settled rates. No call states the interval, so it is the gap between settlements, of the newest one the
 * smallest of the last three, and unknown with less than two.
 */
export const decodeFundingRates: Decoder = (payload, context) => {
  const decoded = settled(payload, context);
  const sorted = decoded.funding.toSorted((a, b) => a.time - b.time);
  const gaps = sorted.map(({ time }, i) => {
    const before = sorted[i - 1];
    return before && hoursBetween(before.time, time);
  });
  const funding = sorted.map((point, i) => {
    const isNewest = i + 1 === sorted.length;
    const hours = isNewest ? smallest(gaps.slice(Math.max(0, i + 1 - GAPS))) : gapAt(gaps, i);
    return hours === undefined ? point : { ...point, intervalHours: hours };
  });
  const { symbol = '', intervalHours: last } = funding.at(-1) ?? {};
  const latest = last === undefined ? [] : [{ symbol, fundingIntervalHours: last }];
  return { ...decoded, funding, quotes: latest };
};

/** The gap before a settlement; of one that is longer than both of its neighbours, the shorter of these: one was skipped. */
function gapAt(gaps: readonly (Hours | undefined)[], at: number): Hours | undefined {
  const before = gaps[at - 1];
  const gap = gaps[at];
  const next = gaps[at + 1];
  const isSkipped =
    gap !== undefined && before !== undefined && next !== undefined && gap > Math.max(before, next);
  return isSkipped ? smallest([before, next]) : gap;
}

function smallest(gaps: readonly (Hours | undefined)[]): Hours | undefined {
  return gaps.filter((hours) => hours !== undefined).sort((a, b) => a - b)[0];
}
