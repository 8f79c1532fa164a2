import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readRate, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { type ContractUnits, contractUnitsOf } from '../contract-units.ts';
import { nextHour } from '../hour.ts';
import { keepPatch, put } from '../quote-field.ts';
import { BEFORE_V3, PUBLISHED } from './published.ts';
import { askedInstrument, contracts, INTERVAL, resultOf } from './wire.ts';

/** Whether an object is a ticker of one of the two forms: slim keys (`M`, `I`), or the long names before v3. */
export function isTicker(row: Wire): boolean {
  return isLong(row) || row.M !== undefined || row.I !== undefined;
}

function isLong(row: Wire): boolean {
  return row.mark_price !== undefined || row.perp_details !== undefined;
}

/**
 * Adds what a ticker says, in either form. A long one names its instrument, a slim one does not.
 *
 * @param asked the instrument that the channel, the key or the request names
 */
export function takeTicker(out: Decoded, row: Wire, asked: string | undefined, context: DecodeContext): void {
  const symbol = readText(row.instrument_name) ?? asked;
  if (symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'instrument_name' });
    return;
  }
  const units = contractUnitsOf(context, symbol, contracts.parseSymbol, contracts.contractSize);
  if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
  else if (isLong(row)) takeLong(out, row, symbol, units, context);
  else takeSlim(out, row, symbol, units, context);
}

/** One-letter keys; `stats.v` is USD volume, `stats.pr` is premium volume (unused). */
function takeSlim(
  out: Decoded,
  row: Wire,
  symbol: string,
  units: ContractUnits,
  context: DecodeContext,
): void {
  const { rejects } = out;
  const { multiplier } = units;
  const q: QuotePatch = { symbol };
  put(q, 'fundingRate', readRate(row.f), row.f, rejects);
  put(q, 'markPrice', readPrice(row.M, multiplier), row.M, rejects);
  put(q, 'indexPrice', readPrice(row.I, multiplier), row.I, rejects);
  put(q, 'bestBid', readPrice(row.b, multiplier), row.b, rejects);
  put(q, 'bestAsk', readPrice(row.a, multiplier), row.a, rejects);
  const stats = isWire(row.stats) ? row.stats : {};
  putOpenInterest(q, PUBLISHED.openInterest, { base: stats.oi }, units, rejects);
  putVolume(q, PUBLISHED.volume, { quote: stats.v, base: stats.c }, units, rejects);
  finish(out, q, row.t, context);
}

/** Long names, of the version before v3: open interest of both sides, volume in base only. */
function takeLong(
  out: Decoded,
  row: Wire,
  symbol: string,
  units: ContractUnits,
  context: DecodeContext,
): void {
  const { rejects } = out;
  const { multiplier } = units;
  const q: QuotePatch = { symbol };
  const perp = isWire(row.perp_details) ? row.perp_details : {};
  const stats = isWire(row.stats) ? row.stats : {};
  put(q, 'fundingRate', readRate(perp.funding_rate), perp.funding_rate, rejects);
  put(q, 'markPrice', readPrice(row.mark_price, multiplier), row.mark_price, rejects);
  put(q, 'indexPrice', readPrice(row.index_price, multiplier), row.index_price, rejects);
  put(q, 'bestBid', readPrice(row.best_bid_price, multiplier), row.best_bid_price, rejects);
  put(q, 'bestAsk', readPrice(row.best_ask_price, multiplier), row.best_ask_price, rejects);
  putOpenInterest(q, BEFORE_V3.openInterest, { base: stats.open_interest }, units, rejects);
  putVolume(q, PUBLISHED.volume, { base: stats.contract_volume }, units, rejects);
  finish(out, q, row.timestamp, context);
}

/** Stamps a quote; the next settlement is the full hour after the stamp. */
function finish(out: Decoded, q: QuotePatch, stamp: unknown, context: DecodeContext): void {
  const time = readMs(stamp);
  if (Object.keys(q).length > 1) {
    q.fundingIntervalHours = INTERVAL;
    const next = nextHour(time ?? context.receivedAt);
    if (next !== undefined) q.nextFundingTime = next;
    if (time !== undefined) q.venueTime = time;
  }
  keepPatch(q, out.quotes, out.rejects);
}

/** `get_tickers {"instrument_type":"perp"}`: slim tickers keyed by instrument. */
export function decodeTickers(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  const tickers = isWire(result) && isWire(result.tickers) ? result.tickers : undefined;
  if (tickers === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no tickers' });
    return out;
  }
  for (const symbol in tickers) {
    const row = tickers[symbol];
    if (isWire(row)) takeTicker(out, row, symbol, context);
    else out.rejects.push({ symbol, reason: 'malformed', detail: 'ticker' });
  }
  return out;
}

/** `get_ticker`: one instrument, slim in v3 (named by the request alone), long before it. */
export function decodeTicker(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  if (isWire(result) && isTicker(result)) takeTicker(out, result, askedInstrument(context), context);
  else out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no ticker' });
  return out;
}
