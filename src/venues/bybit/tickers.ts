import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import {
  isWire,
  readBase,
  readHours,
  readMs,
  readNumber,
  readPrice,
  readRate,
  readText,
  readUsd,
  type Wire,
} from '../../domain/read.ts';
import { asUsd } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { fieldFault } from '../field-fault.ts';
import { foreignCategory, multiplierOf } from './contract.ts';
import { listOf, openEnvelope, unexpected } from './envelope.ts';

/** `tickers`: every metric of every contract of a category in one answer. */
export function decodeTickers(payload: unknown, context: DecodeContext): Decoded {
  const opened = openEnvelope(payload);
  if ('failed' in opened) return opened.failed;
  const rows = listOf(opened.result);
  if (rows === undefined) return unexpected();
  const out = emptyDecoded();
  const foreign = foreignCategory(opened.result.category);
  for (const row of rows) {
    if (!isWire(row)) out.rejects.push({ symbol: null, reason: 'malformed', detail: 'row' });
    else if (foreign !== undefined)
      out.rejects.push({ symbol: readText(row.symbol) ?? null, reason: foreign });
    else takeTicker(out, row, context.instruments, true);
  }
  return out;
}

/**
 * Adds what one ticker states. A whole row must have the metrics; a changed row (a delta) has what changed.
 * Dated futures have no funding: both fields are empty.
 */
export function takeTicker(
  out: Decoded,
  row: Wire,
  instruments: ReadonlyMap<string, Instrument>,
  whole: boolean,
): QuotePatch | undefined {
  const symbol = readText(row.symbol);
  if (symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'symbol' });
    return undefined;
  }
  const multiplier = multiplierOf(symbol, instruments);
  if (typeof multiplier !== 'number') {
    out.rejects.push({ symbol, reason: multiplier });
    return undefined;
  }
  if (isDatedRow(row) && !instruments.has(symbol)) {
    out.rejects.push({ symbol, reason: 'dated' });
    return undefined;
  }
  const patch: QuotePatch = { symbol };
  readFunding(out, patch, row, whole);
  readPrices(out, patch, row, multiplier, whole);
  readOpenInterest(out, patch, row, multiplier, whole);
  readVolume(out, patch, row, multiplier, whole);
  out.quotes.push(patch);
  return patch;
}

function isDatedRow(row: Wire): boolean {
  return row.fundingRate === '' && (row.nextFundingTime === '' || row.nextFundingTime === '0');
}

/** Notes a field that is there but unreadable, or missing from a row that must have it. */
function note(out: Decoded, symbol: string, field: string, raw: unknown, whole: boolean): void {
  if (whole || raw !== undefined) out.rejects.push(fieldFault(symbol, field, raw));
}

function readFunding(out: Decoded, patch: QuotePatch, row: Wire, whole: boolean): void {
  const rate = readRate(row.fundingRate);
  if (rate !== undefined) patch.fundingRate = rate;
  else note(out, patch.symbol, 'fundingRate', row.fundingRate, whole);
  const next = readMs(row.nextFundingTime);
  if (next !== undefined) patch.nextFundingTime = next;
  else note(out, patch.symbol, 'nextFundingTime', row.nextFundingTime, whole);
  // Added in 2025; before that only the instrument list states the interval.
  const hours = readHours(row.fundingIntervalHour);
  if (hours !== undefined) patch.fundingIntervalHours = hours;
  else if (row.fundingIntervalHour !== '')
    note(out, patch.symbol, 'fundingIntervalHour', row.fundingIntervalHour, false);
}

function readPrices(out: Decoded, patch: QuotePatch, row: Wire, multiplier: number, whole: boolean): void {
  const mark = readPrice(row.markPrice, multiplier);
  if (mark !== undefined) patch.markPrice = mark;
  else note(out, patch.symbol, 'markPrice', row.markPrice, whole);
  const index = readPrice(row.indexPrice, multiplier);
  if (index !== undefined) patch.indexPrice = index;
  else note(out, patch.symbol, 'indexPrice', row.indexPrice, whole);
  // `bidPrice` and `askPrice` are the names of before v5. An empty side is stated as "" or 0.
  const bid = readPrice(row.bid1Price ?? row.bidPrice, multiplier);
  if (bid !== undefined) patch.bestBid = bid;
  const ask = readPrice(row.ask1Price ?? row.askPrice, multiplier);
  if (ask !== undefined) patch.bestAsk = ask;
}

/**
 * `singleOpenInterest` counts one side and `openInterest` both, so half of it where the first is absent
 * (answers of before June 2026). The raw number is the venue's own `openInterest`.
 */
function readOpenInterest(
  out: Decoded,
  patch: QuotePatch,
  row: Wire,
  multiplier: number,
  whole: boolean,
): void {
  const raw = readNumber(row.openInterest);
  const base = readBase(row.singleOpenInterest, multiplier) ?? readBase(row.openInterest, multiplier / 2);
  if (base !== undefined) {
    patch.openInterestBase = base;
    if (raw !== undefined && raw >= 0) patch.openInterestRaw = raw;
  } else note(out, patch.symbol, 'openInterest', row.openInterest, whole);
  const single = readUsd(row.singleOpenInterestValue);
  const both = readUsd(row.openInterestValue);
  if (single !== undefined) patch.openInterestUsd = single;
  else if (both !== undefined) patch.openInterestUsd = asUsd(both / 2);
  else if (base !== undefined && patch.markPrice !== undefined)
    patch.openInterestUsd = asUsd(base * patch.markPrice);
}

function readVolume(out: Decoded, patch: QuotePatch, row: Wire, multiplier: number, whole: boolean): void {
  const base = readBase(row.volume24h, multiplier);
  const raw = readNumber(row.volume24h);
  if (base !== undefined && raw !== undefined) {
    patch.volume24hRaw = raw;
    patch.volume24hBase = base;
  } else note(out, patch.symbol, 'volume24h', row.volume24h, whole);
  const usd = readUsd(row.turnover24h);
  if (usd !== undefined) patch.volume24hUsd = usd;
  else note(out, patch.symbol, 'turnover24h', row.turnover24h, whole);
}
