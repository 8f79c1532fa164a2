import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readRate, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume, type StatedAmount } from '../amounts.ts';
import { eachContract, readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { keepPatch, put } from '../quote-field.ts';
import { INTERVAL } from './instruments.ts';
import { PUBLISHED } from './published.ts';
import { asked, objectOf, rowsOf, unitsOf } from './wire.ts';

/** Metrics under the names of the summary; tickers and books call some of them otherwise. Numbers. */
export interface DeribitSummary {
  readonly instrument_name?: unknown;
  /** Rate in force now, fraction for eight hours. */
  readonly current_funding?: unknown;
  readonly mark_price?: unknown;
  /** The index of a perpetual; the summary has it under this name only. */
  readonly estimated_delivery_price?: unknown;
  readonly index_price?: unknown;
  /** Base units on linear contracts, dollars on inverse ones. */
  readonly open_interest?: unknown;
  /** Coins, 24 h. */
  readonly volume?: unknown;
  readonly volume_usd?: unknown;
  readonly volume_notional?: unknown;
  readonly bid_price?: unknown;
  readonly ask_price?: unknown;
  readonly best_bid_price?: unknown;
  readonly best_ask_price?: unknown;
  /** When the summary was made, ms; tickers and books have `timestamp`. */
  readonly creation_timestamp?: unknown;
  readonly timestamp?: unknown;
  /** Tickers and books only. */
  readonly state?: unknown;
  readonly stats?: unknown;
}

/** One row of metrics. */
export function takeMetrics(wire: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  const row: DeribitSummary = wire;
  const { rejects } = out;
  if (row.state !== undefined && row.state !== null && row.state !== 'open') {
    rejects.push({ symbol, reason: 'not_trading' });
    return;
  }
  const { multiplier } = units;
  const q: QuotePatch = { symbol };
  put(q, 'fundingRate', readRate(row.current_funding), row.current_funding, rejects);
  if (q.fundingRate !== undefined) q.fundingIntervalHours = INTERVAL;
  put(q, 'markPrice', readPrice(row.mark_price, multiplier), row.mark_price, rejects);
  const index = row.index_price ?? row.estimated_delivery_price;
  put(q, 'indexPrice', readPrice(index, multiplier), index, rejects);
  putOpenInterest(q, PUBLISHED.openInterest, { base: row.open_interest }, units, rejects);
  putVolume(q, PUBLISHED.volume, tradedOf(isWire(row.stats) ? row.stats : row), units, rejects);
  const [bid, ask] = [row.best_bid_price ?? row.bid_price, row.best_ask_price ?? row.ask_price];
  put(q, 'bestBid', readPrice(bid, multiplier), bid, rejects);
  put(q, 'bestAsk', readPrice(ask, multiplier), ask, rejects);
  const time = row.creation_timestamp ?? row.timestamp;
  put(q, 'venueTime', readMs(time), time, rejects);
  keepPatch(q, out.quotes, rejects);
}

/** Coins and dollars of the last 24 hours; both null on rows that did not trade. */
function tradedOf({ volume, volume_usd, volume_notional }: DeribitSummary): StatedAmount {
  return { base: volume, quote: volume_usd ?? volume_notional };
}

/** `public/get_book_summary_by_currency?currency=USDC&kind=future`: every metric of every linear perpetual. */
export function decodeSummaries(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out), 'instrument_name', unitsOf, context, out, (row, symbol, units) =>
    takeMetrics(row, symbol, units, out),
  );
  return out;
}

/** `public/get_book_summary_by_instrument` and `public/ticker`. */
export function decodeSingle(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out), 'instrument_name', unitsOf, context, out, (row, symbol, units) =>
    takeMetrics(row, symbol, units, out),
  );
  return out;
}

/** Rate and index of the channel `perpetual.{instrument}`, which names its contract in the channel alone. */
export function takePerpetual(row: Wire, symbol: string | undefined, context: DecodeContext, out: Decoded) {
  readOneContract(symbol, unitsOf, context, out, (name, { multiplier }) => {
    const q: QuotePatch = { symbol: name };
    put(q, 'fundingRate', readRate(row.interest), row.interest, out.rejects);
    if (q.fundingRate !== undefined) q.fundingIntervalHours = INTERVAL;
    put(q, 'indexPrice', readPrice(row.index_price, multiplier), row.index_price, out.rejects);
    put(q, 'venueTime', readMs(row.timestamp), row.timestamp, out.rejects);
    keepPatch(q, out.quotes, out.rejects);
  });
}

/** The metrics that `public/get_order_book` has beside its levels. Returns the row, undefined when there is none. */
export function takeBookMetrics(payload: unknown, context: DecodeContext, out: Decoded): Wire | undefined {
  const row = objectOf(payload, out);
  if (row === undefined) return undefined;
  const named = row.instrument_name ?? asked(context);
  const symbol = typeof named === 'string' ? named : undefined;
  const units = symbol === undefined ? undefined : unitsOf(context, symbol);
  if (symbol !== undefined && typeof units === 'object') takeMetrics(row, symbol, units, out);
  return row;
}
