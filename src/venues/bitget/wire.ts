import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readHours, readMs, readNumber, readPrice, readRate, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { eachContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { PUBLISHED } from './published.ts';
import { rowsOf, unitsOf } from './rows.ts';

/** Row of `ticker` and `tickers` and of the `ticker` channel (classic account, v2). All numbers are strings. */
interface BitgetTicker {
  readonly symbol?: unknown;
  readonly bidPr?: unknown;
  readonly askPr?: unknown;
  readonly ts?: unknown;
  readonly baseVolume?: unknown;
  readonly quoteVolume?: unknown;
  readonly indexPrice?: unknown;
  readonly markPrice?: unknown;
  readonly fundingRate?: unknown;
  /** Channel only. */
  readonly nextFundingTime?: unknown;
  /** Open interest in the base coin. */
  readonly holdingAmount?: unknown;
  /** Set on dated futures only. */
  readonly deliveryTime?: unknown;
}

/** Row of `current-fund-rate`, the same in v2 and v3. */
interface BitgetFundRate {
  readonly symbol?: unknown;
  readonly fundingRate?: unknown;
  /** Hours. */
  readonly fundingRateInterval?: unknown;
  /** Next settlement, ms. */
  readonly nextUpdate?: unknown;
  /** Null on announced and test contracts, which have no market. */
  readonly maxFundingRate?: unknown;
}

/** One row of the classic ticker. `ts` is the stamp of the whole reply, about 90 ms before it arrives. */
export function takeTicker(wire: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  const row: BitgetTicker = wire;
  const { multiplier } = units;
  const { rejects } = out;
  if ((readNumber(row.deliveryTime) ?? 0) > 0) {
    rejects.push({ symbol, reason: 'dated' });
    return;
  }
  const patch: QuotePatch = { symbol };
  need(patch, 'fundingRate', readRate(row.fundingRate), row.fundingRate, rejects);
  put(patch, 'nextFundingTime', readMs(row.nextFundingTime), row.nextFundingTime, rejects);
  need(patch, 'markPrice', readPrice(row.markPrice, multiplier), row.markPrice, rejects);
  need(patch, 'indexPrice', readPrice(row.indexPrice, multiplier), row.indexPrice, rejects);
  putOpenInterest(patch, PUBLISHED.openInterest, { base: row.holdingAmount }, units, rejects);
  const traded = { base: row.baseVolume, quote: row.quoteVolume };
  putVolume(patch, PUBLISHED.volume, traded, units, rejects);
  put(patch, 'bestBid', readPrice(row.bidPr, multiplier), row.bidPr, rejects);
  put(patch, 'bestAsk', readPrice(row.askPr, multiplier), row.askPr, rejects);
  put(patch, 'venueTime', readMs(row.ts), row.ts, rejects);
  keepPatch(patch, out.quotes, rejects);
}

/** `GET /api/v2/mix/market/tickers` and `…/ticker`: all metrics but the interval and the settlement time. */
export function decodeTickers(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (row, symbol, units) =>
    takeTicker(row, symbol, units, out),
  );
  return out;
}

/** `GET /api/v2/mix/market/current-fund-rate` and its v3 twin: running rate, interval, next settlement. */
export function decodeFundRates(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const { rejects } = out;
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (wire, symbol) => {
    const row: BitgetFundRate = wire;
    if (row.maxFundingRate === null) {
      rejects.push({ symbol, reason: 'placeholder' });
      return;
    }
    const patch: QuotePatch = { symbol };
    need(patch, 'fundingRate', readRate(row.fundingRate), row.fundingRate, rejects);
    const interval = row.fundingRateInterval;
    need(patch, 'fundingIntervalHours', readHours(interval), interval, rejects);
    need(patch, 'nextFundingTime', readMs(row.nextUpdate), row.nextUpdate, rejects);
    keepPatch(patch, out.quotes, rejects);
  });
  return out;
}

/** `GET /api/v2/mix/market/funding-time`: next settlement and period of one contract. */
export function decodeFundingTime(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (row, symbol) => {
    const { nextFundingTime, ratePeriod } = row;
    const patch: QuotePatch = { symbol };
    need(patch, 'nextFundingTime', readMs(nextFundingTime), nextFundingTime, out.rejects);
    need(patch, 'fundingIntervalHours', readHours(ratePeriod), ratePeriod, out.rejects);
    keepPatch(patch, out.quotes, out.rejects);
  });
  return out;
}

/** `GET /api/v2/mix/market/open-interest`: `openInterestList[].size` in the base coin. */
export function decodeOpenInterest(payload: unknown, context: DecodeContext): Decoded {
  return openInterestOf(payload, context, 'openInterestList', 'size');
}

/** `GET /api/v3/market/open-interest`: `list[].openInterest` in the base coin. */
export function decodeOpenInterestV3(payload: unknown, context: DecodeContext): Decoded {
  return openInterestOf(payload, context, 'list', 'openInterest');
}

function openInterestOf(payload: unknown, context: DecodeContext, list: string, field: string): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out, list), 'symbol', unitsOf, context, out, (row, symbol, units) => {
    const patch: QuotePatch = { symbol };
    putOpenInterest(patch, PUBLISHED.openInterest, { base: row[field] }, units, out.rejects);
    keepPatch(patch, out.quotes, out.rejects);
  });
  return out;
}
