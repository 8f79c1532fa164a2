import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readHours, readMs, readPrice, readRate } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest } from '../amounts.ts';
import { eachContract, readOneContract } from '../contract-rows.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { PUBLISHED } from './published.ts';
import { contractOf, dataOf, objectOf, rowsOf, unitsOf } from './rows.ts';
import { MS_IN_HOURS } from './wire.ts';

/** `GET /api/v1/allTickers`: best prices of all contracts. Its stamp is the last trade's. */
export function decodeAllTickers(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (row, symbol, { multiplier }) => {
    const patch: QuotePatch = { symbol };
    put(patch, 'bestBid', readPrice(row.bestBidPrice, multiplier), row.bestBidPrice, out.rejects);
    put(patch, 'bestAsk', readPrice(row.bestAskPrice, multiplier), row.bestAskPrice, out.rejects);
    keepPatch(patch, out.quotes, out.rejects);
  });
  return out;
}

/** `GET /api/v1/mark-price/{symbol}/current`: `value` is the mark, computed on the second of `timePoint`. */
export function decodeMarkPrice(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const row = objectOf(payload, out);
  if (row === undefined) return out;
  readOneContract(contractOf(row.symbol), unitsOf, context, out, (symbol, { multiplier }) => {
    const patch: QuotePatch = { symbol };
    need(patch, 'markPrice', readPrice(row.value, multiplier), row.value, out.rejects);
    need(patch, 'indexPrice', readPrice(row.indexPrice, multiplier), row.indexPrice, out.rejects);
    put(patch, 'venueTime', readMs(row.timePoint), row.timePoint, out.rejects);
    keepPatch(patch, out.quotes, out.rejects);
  });
  return out;
}

/** `GET /api/v1/funding-rate/{symbol}/current`: running rate, next settlement, interval in ms. */
export function decodeCurrentFunding(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const row = objectOf(payload, out);
  if (row === undefined) return out;
  readOneContract(contractOf(row.symbol), unitsOf, context, out, (symbol) => {
    const patch: QuotePatch = { symbol };
    const { value, granularity, fundingTime } = row;
    need(patch, 'fundingRate', readRate(value), value, out.rejects);
    put(patch, 'fundingIntervalHours', readHours(granularity, MS_IN_HOURS), granularity, out.rejects);
    put(patch, 'nextFundingTime', readMs(fundingTime), fundingTime, out.rejects);
    keepPatch(patch, out.quotes, out.rejects);
  });
  return out;
}

/**
 * `GET /api/ua/v1|v2/market/funding-rate`: one contract (named by its rate, `.XBTUSDTMFPI8H`) or all. In the list
 * of all, rows named by a rate double those named by a contract.
 */
export function decodeUnifiedFunding(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (data === undefined && out.rejects.length > 0) return out;
  const rows = Array.isArray(data)
    ? data
    : rowsOf(data, out).map((row) => ({ ...Object(row), symbol: contractOf(Object(row).symbol) }));
  eachContract(rows, 'symbol', unitsOf, context, out, (row, symbol) => {
    const patch: QuotePatch = { symbol };
    const { nextFundingRate, fundingTime, currentGranularity } = row;
    need(patch, 'fundingRate', readRate(nextFundingRate), nextFundingRate, out.rejects);
    const interval = readHours(currentGranularity, MS_IN_HOURS);
    put(patch, 'fundingIntervalHours', interval, currentGranularity, out.rejects);
    put(patch, 'nextFundingTime', readMs(fundingTime), fundingTime, out.rejects);
    keepPatch(patch, out.quotes, out.rejects);
  });
  return out;
}

/** An open interest that its row has not touched for longer is none: servers of this venue have stood still for days. */
const FROZEN_MS = 3_600_000;

/** `GET /api/ua/v2/market/open-interest` (and v1) without an interval: lots of all (or some) contracts, with their time. */
export function decodeUnifiedOpenInterest(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const { receivedAt } = context;
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (row, symbol, units) => {
    const made = readMs(row.ts);
    if (made !== undefined && receivedAt !== undefined && receivedAt - made > FROZEN_MS) {
      out.rejects.push({ symbol, reason: 'out_of_range', detail: 'open interest stands still' });
      return;
    }
    const patch: QuotePatch = { symbol };
    const stated = { contracts: row.openInterest };
    putOpenInterest(patch, PUBLISHED.openInterest, stated, units, out.rejects, 'required');
    keepPatch(patch, out.quotes, out.rejects);
  });
  return out;
}
