import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readHours, readMs, readNumber, readPrice, readRate, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { eachContract, readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { PUBLISHED } from './published.ts';
import { objectOf, rowsOf, unitsOf } from './rows.ts';

/** Row of `funding_rate`. All numbers are JSON numbers. */
interface MexcFunding {
  readonly symbol?: unknown;
  readonly fundingRate?: unknown;
  /** Hours. */
  readonly collectCycle?: unknown;
  /** Next settlement, Unix ms. */
  readonly nextSettleTime?: unknown;
  /** Mark; absent before 2026-04. */
  readonly fairPrice?: unknown;
  /** Index; absent before 2026-04. */
  readonly idxPrice?: unknown;
  /** When the reply was made. */
  readonly timestamp?: unknown;
}

/** Row of `ticker` and of the channels `push.ticker` and `push.tickers`. */
interface MexcTicker {
  readonly symbol?: unknown;
  readonly lastPrice?: unknown;
  readonly bid1?: unknown;
  readonly ask1?: unknown;
  /** Contracts. */
  readonly volume24?: unknown;
  /** Quote currency. */
  readonly amount24?: unknown;
  /** Open interest, contracts. */
  readonly holdVol?: unknown;
  readonly indexPrice?: unknown;
  readonly fairPrice?: unknown;
  readonly fundingRate?: unknown;
  /** Time of the last trade, not of the row. */
  readonly timestamp?: unknown;
}

/** `GET /api/v1/contract/funding_rate` (all) and `…/{symbol}`: rate, interval, settlement, mark and index. */
export function decodeFunding(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const { rejects } = out;
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (wire, symbol, { multiplier }) => {
    const row: MexcFunding = wire;
    const patch: QuotePatch = { symbol };
    need(patch, 'fundingRate', readRate(row.fundingRate), row.fundingRate, rejects);
    need(patch, 'fundingIntervalHours', readHours(row.collectCycle), row.collectCycle, rejects);
    need(patch, 'nextFundingTime', readMs(row.nextSettleTime), row.nextSettleTime, rejects);
    put(patch, 'markPrice', readPrice(row.fairPrice, multiplier), row.fairPrice, rejects);
    put(patch, 'indexPrice', readPrice(row.idxPrice, multiplier), row.idxPrice, rejects);
    put(patch, 'venueTime', readMs(row.timestamp), row.timestamp, rejects);
    keepPatch(patch, out.quotes, rejects);
  });
  return out;
}

/** What is read of a ticker row. */
export interface TickerScope {
  /** Mark, index and rate; left to `funding_rate` where both calls are polled, which is three times as fresh. */
  readonly prices: boolean;
}

/** One ticker row, from REST or from a channel. */
export function takeTicker(
  wire: Wire,
  symbol: string,
  units: ContractUnits,
  scope: TickerScope,
  out: Decoded,
): void {
  const row: MexcTicker = wire;
  const { rejects } = out;
  const { multiplier } = units;
  if (readNumber(row.lastPrice) === 0) {
    rejects.push({ symbol, reason: 'placeholder', detail: 'lastPrice 0' });
    return;
  }
  const patch: QuotePatch = { symbol };
  const mark = readPrice(row.fairPrice, multiplier);
  if (scope.prices) {
    put(patch, 'fundingRate', readRate(row.fundingRate), row.fundingRate, rejects);
    put(patch, 'markPrice', mark, row.fairPrice, rejects);
    put(patch, 'indexPrice', readPrice(row.indexPrice, multiplier), row.indexPrice, rejects);
  }
  putOpenInterest(patch, PUBLISHED.openInterest, { contracts: row.holdVol }, units, rejects);
  const traded = { contracts: row.volume24, quote: row.amount24 };
  putVolume(patch, PUBLISHED.volume, traded, units, rejects);
  put(patch, 'bestBid', readPrice(row.bid1, multiplier), row.bid1, rejects);
  put(patch, 'bestAsk', readPrice(row.ask1, multiplier), row.ask1, rejects);
  keepPatch(patch, out.quotes, rejects);
}

function decodeTickerRows(payload: unknown, context: DecodeContext, scope: TickerScope): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (row, symbol, units) =>
    takeTicker(row, symbol, units, scope, out),
  );
  return out;
}

/** `GET /api/v1/contract/ticker`: open interest, volume, best prices, and mark, index and rate of some seconds ago. */
export function decodeTickers(payload: unknown, context: DecodeContext): Decoded {
  return decodeTickerRows(payload, context, { prices: true });
}

/** The same without mark, index and rate, for the poll beside `funding_rate`. */
export function decodeTickerVolumes(payload: unknown, context: DecodeContext): Decoded {
  return decodeTickerRows(payload, context, { prices: false });
}

/** `GET /api/v1/contract/index_price/{symbol}`. */
export function decodeIndexPrice(payload: unknown, context: DecodeContext): Decoded {
  return onePrice(payload, context, 'indexPrice', 'indexPrice');
}

/** `GET /api/v1/contract/fair_price/{symbol}`: the mark. */
export function decodeFairPrice(payload: unknown, context: DecodeContext): Decoded {
  return onePrice(payload, context, 'markPrice', 'fairPrice');
}

function onePrice(
  payload: unknown,
  context: DecodeContext,
  key: 'markPrice' | 'indexPrice',
  field: string,
): Decoded {
  const out = emptyDecoded();
  const row = objectOf(payload, out);
  if (row === undefined) return out;
  const symbol = typeof row.symbol === 'string' && row.symbol !== '' ? row.symbol : undefined;
  readOneContract(symbol, unitsOf, context, out, (name, { multiplier }) => {
    const patch: QuotePatch = { symbol: name };
    need(patch, key, readPrice(row[field], multiplier), row[field], out.rejects);
    keepPatch(patch, out.quotes, out.rejects);
  });
  return out;
}
