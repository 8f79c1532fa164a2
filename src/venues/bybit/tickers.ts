import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readHours, readMs, readPrice, readRate, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { fieldFault } from '../field-fault.ts';
import { multiplierOf, outOfScopeCategory } from './contract.ts';
import { listOf, openEnvelope, unexpected } from './envelope.ts';
import { PUBLISHED, SINGLE_OPEN_INTEREST } from './published.ts';

/** `tickers`: every metric of every contract of a category in one answer. */
export function decodeTickers(payload: unknown, context: DecodeContext): Decoded {
  const opened = openEnvelope(payload);
  if ('failed' in opened) return opened.failed;
  const rows = listOf(opened.result);
  if (rows === undefined) return unexpected();
  const out = emptyDecoded();
  const outOfScope = outOfScopeCategory(opened.result.category);
  for (const row of rows) {
    if (!isWire(row)) out.rejects.push({ symbol: null, reason: 'malformed', detail: 'row' });
    else if (outOfScope !== undefined)
      out.rejects.push({ symbol: readText(row.symbol) ?? null, reason: outOfScope });
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
 * `openInterest`, the venue's own number, counts both sides; `singleOpenInterest`, where it is stated, one. The raw
 * number stays the first.
 */
function readOpenInterest(
  out: Decoded,
  patch: QuotePatch,
  row: Wire,
  multiplier: number,
  whole: boolean,
): void {
  const units = { multiplier, perContract: multiplier };
  const single = { base: row.singleOpenInterest, quote: row.singleOpenInterestValue };
  const both = { base: row.openInterest, quote: row.openInterestValue };
  const rule = whole && single.base === undefined ? 'required' : 'optional';
  putOpenInterest(patch, PUBLISHED.openInterest, both, units, out.rejects, rule);
  const once: QuotePatch = { symbol: patch.symbol };
  putOpenInterest(once, SINGLE_OPEN_INTEREST, single, units, out.rejects);
  if (once.openInterestBase !== undefined) patch.openInterestBase = once.openInterestBase;
  if (once.openInterestUsd !== undefined) patch.openInterestUsd = once.openInterestUsd;
}

function readVolume(out: Decoded, patch: QuotePatch, row: Wire, multiplier: number, whole: boolean): void {
  const { volume24h: base, turnover24h: quote } = row;
  const units = { multiplier, perContract: multiplier };
  putVolume(patch, PUBLISHED.volume, { base, quote }, units, out.rejects, whole ? 'required' : 'optional');
  if ((quote ?? '') === '') note(out, patch.symbol, 'turnover24h', quote, whole);
}
