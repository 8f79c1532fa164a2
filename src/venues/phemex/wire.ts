import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import {
  isWire,
  readHours,
  readMs,
  readNumber,
  readPrice,
  readRate,
  type Wire,
  wireArray,
} from '../../domain/read.ts';
import type { DecodeContext, VenueRequest } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import type { ContractUnits } from '../contract-units.ts';
import { rejectEmpty } from '../empty-rows.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { requestParam } from '../request-param.ts';
import { eachContract } from '../rows.ts';
import { PUBLISHED } from './published.ts';
import { bodyOf, contracts, rowsOf, SECONDS } from './rows.ts';

/** Row of the 24 h tickers: v3 names, v2 names beside them. All values are decimal text. */
interface PhemexTicker {
  readonly markRp?: unknown;
  readonly markPriceRp?: unknown;
  readonly indexRp?: unknown;
  readonly indexPriceRp?: unknown;
  readonly fundingRateRr?: unknown;
  readonly predFundingRateRr?: unknown;
  readonly bidRp?: unknown;
  readonly askRp?: unknown;
  /** Base coin, although the suffix says value. */
  readonly openInterestRv?: unknown;
  /** Base coin. */
  readonly volumeRq?: unknown;
  /** Quote currency. */
  readonly turnoverRv?: unknown;
}

/** One ticker, of REST or of a socket. Its `timestamp` is the last change of the row, up to a minute ago: not read. */
export function takeTicker(wire: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  const row: PhemexTicker = wire;
  const { multiplier } = units;
  const { rejects } = out;
  const q: QuotePatch = { symbol };
  const rate = row.fundingRateRr ?? row.predFundingRateRr;
  put(q, 'fundingRate', readRate(rate), rate, rejects);
  const mark = row.markRp ?? row.markPriceRp;
  need(q, 'markPrice', readPrice(mark, multiplier), mark, rejects);
  const index = row.indexRp ?? row.indexPriceRp;
  need(q, 'indexPrice', readPrice(index, multiplier), index, rejects);
  put(q, 'bestBid', readPrice(row.bidRp, multiplier), row.bidRp, rejects);
  put(q, 'bestAsk', readPrice(row.askRp, multiplier), row.askRp, rejects);
  putOpenInterest(q, PUBLISHED.openInterest, { base: row.openInterestRv }, units, rejects);
  const traded = { base: row.volumeRq, quote: row.turnoverRv };
  putVolume(q, PUBLISHED.volume, traded, units, rejects);
  keepPatch(q, out.quotes, rejects);
}

/** `GET /md/v3/ticker/24hr[/all]` and the v2 call: all metrics but the interval and the settlement time. */
export function decodeTickers(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = bodyOf(payload, out);
  if (out.rejects.length > 0) return out;
  rejectEmpty(rows, out);
  eachContract(rows, 'symbol', out, context, contracts, (row, symbol, units) => {
    takeTicker(row, symbol, units, out);
  });
  return out;
}

/** `GET /contract-biz/public/real-funding-rates`: running rate, interval (s) and next settlement (ms). */
export function decodeFundingRates(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const { rejects } = out;
  const rows = rowsOf(bodyOf(payload, out));
  if (rejects.length > 0) return out;
  rejectEmpty(rows, out);
  eachContract(rows, 'symbol', out, context, contracts, (row, symbol) => {
    const q: QuotePatch = { symbol };
    need(q, 'fundingRate', readRate(row.fundingRate), row.fundingRate, rejects);
    const interval = row.fundingInterval;
    need(q, 'fundingIntervalHours', readHours(interval, SECONDS), interval, rejects);
    const next = row.nextfundingTime;
    need(q, 'nextFundingTime', readMs(next), next, rejects);
    keepPatch(q, out.quotes, rejects);
  });
  return out;
}

/** Rows on one page of the funding call; without the parameter a page has 20. */
const PAGE_SIZE = 200;

export function fundingPage(page: number): VenueRequest {
  const query = page === 1 ? '' : `&pageNum=${page}`;
  return {
    method: 'GET',
    path: `/contract-biz/public/real-funding-rates?pageSize=${PAGE_SIZE}${query}`,
  };
}

/** The page behind the one just read, while the stated total promises one. */
export function nextFundingPage(payload: unknown, request: VenueRequest): VenueRequest | undefined {
  const data = isWire(payload) && isWire(payload.data) ? payload.data : undefined;
  const total = readNumber(data?.total);
  const rows = wireArray(data?.rows)?.length ?? 0;
  const page = Number(requestParam(request, 'pageNum') ?? '1');
  if (total === undefined || rows === 0 || page * PAGE_SIZE >= total) return undefined;
  return fundingPage(page + 1);
}
