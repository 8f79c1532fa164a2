import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readHours, readMs, readNumber, readPrice, readRate, type Wire } from '../../domain/read.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import type { ContractUnits } from '../contract-units.ts';
import { fieldFault } from '../field-fault.ts';
import type { FapiDialect } from './dialect.ts';
import { eachContract, rejected, rowsOf } from './rows.ts';

/**
 * `premiumIndex`: funding rate of the coming settlement, its time, mark and index. `time` is when the venue
 * computed the row. A next funding time of 0 marks a contract that no longer trades.
 */
export function decodePremiumIndex(payload: unknown, context: DecodeContext, dialect: FapiDialect): Decoded {
  const rows = rowsOf(payload);
  if (rows === undefined) return rejected(payload);
  const out = emptyDecoded();
  eachContract(rows, 'symbol', context.instruments, dialect, out, (row, symbol, multiplier) => {
    takeMark(out, symbol, multiplier, MARK_FIELDS, row);
  });
  return out;
}

/** Where a row has mark, index, rate, next funding time and event time. */
export interface MarkFields {
  readonly mark: string;
  readonly index: string;
  readonly rate: string;
  readonly next: string;
  readonly time: string;
}

const MARK_FIELDS: MarkFields = {
  mark: 'markPrice',
  index: 'indexPrice',
  rate: 'lastFundingRate',
  next: 'nextFundingTime',
  time: 'time',
};

/** Adds the quote of one mark row; each field that cannot be read is a fault of its own. */
export function takeMark(
  out: Decoded,
  symbol: string,
  multiplier: number,
  fields: MarkFields,
  row: Wire,
): void {
  if (row[fields.next] === 0 || row[fields.next] === '0') {
    out.rejects.push({ symbol, reason: 'delisted', detail: `${fields.next} 0` });
    return;
  }
  const mark = readPrice(row[fields.mark], multiplier);
  const index = readPrice(row[fields.index], multiplier);
  const rate = readRate(row[fields.rate]);
  const next = readMs(row[fields.next]);
  const patch: QuotePatch = { symbol };
  // Delisted contracts state rate 0: without a readable time a zero proves nothing.
  if (rate !== undefined && (rate !== 0 || next !== undefined)) patch.fundingRate = rate;
  else if (rate === undefined) out.rejects.push(fieldFault(symbol, fields.rate, row[fields.rate]));
  if (next !== undefined) patch.nextFundingTime = next;
  else out.rejects.push(fieldFault(symbol, fields.next, row[fields.next]));
  if (mark !== undefined) patch.markPrice = mark;
  else out.rejects.push(fieldFault(symbol, fields.mark, row[fields.mark]));
  if (index !== undefined) patch.indexPrice = index;
  else out.rejects.push(fieldFault(symbol, fields.index, row[fields.index]));
  if (rate === undefined && next === undefined && mark === undefined && index === undefined) return;
  const time: UnixMs | undefined = readMs(row[fields.time]);
  if (time !== undefined) patch.venueTime = time;
  out.quotes.push(patch);
}

/** `fundingInfo`: hours between settlements. A contract that is not on it has an unknown interval. */
export function decodeFundingInfo(payload: unknown, context: DecodeContext, dialect: FapiDialect): Decoded {
  const rows = rowsOf(payload);
  if (rows === undefined) return rejected(payload);
  const out = emptyDecoded();
  eachContract(rows, 'symbol', context.instruments, dialect, out, (row, symbol) => {
    const hours = readHours(row.fundingIntervalHours);
    if (hours !== undefined) out.quotes.push({ symbol, fundingIntervalHours: hours });
    else out.rejects.push(fieldFault(symbol, 'fundingIntervalHours', row.fundingIntervalHours));
  });
  return out;
}

/** `ticker/24hr`: volume of the last 24 hours in named base units and in the quote currency. */
export function decodeTicker24h(payload: unknown, context: DecodeContext, dialect: FapiDialect): Decoded {
  const rows = rowsOf(payload);
  if (rows === undefined) return rejected(payload);
  const out = emptyDecoded();
  eachContract(rows, 'symbol', context.instruments, dialect, out, (row, symbol, multiplier) => {
    takeVolume(out, symbol, multiplier, dialect, row.volume, row.quoteVolume);
  });
  return out;
}

/** Adds the volume of one ticker row: in named base units, and in the quote currency. */
export function takeVolume(
  out: Decoded,
  symbol: string,
  multiplier: number,
  { published }: FapiDialect,
  base: unknown,
  quote: unknown,
): void {
  const { rejects } = out;
  const patch: QuotePatch = { symbol };
  putVolume(patch, published.volume, { base, quote }, inBaseUnits(multiplier), rejects, 'required');
  if ((quote ?? '') === '') rejects.push(fieldFault(symbol, 'volume24hUsd', quote));
  if (patch.volume24hBase !== undefined || patch.volume24hUsd !== undefined) out.quotes.push(patch);
}

/** The venues of the family count base units as named: one contract is one of them. */
const inBaseUnits = (multiplier: number): ContractUnits => ({ multiplier, perContract: multiplier });

/** `ticker/bookTicker`: best bid and ask. An empty side is stated as 0 and is no price. */
export function decodeBookTicker(payload: unknown, context: DecodeContext, dialect: FapiDialect): Decoded {
  const rows = rowsOf(payload);
  if (rows === undefined) return rejected(payload);
  const out = emptyDecoded();
  eachContract(rows, 'symbol', context.instruments, dialect, out, (row, symbol, multiplier) => {
    takeTop(out, symbol, multiplier, 'bidPrice', 'askPrice', row);
  });
  return out;
}

/** Adds the best bid and ask of one row. */
export function takeTop(
  out: Decoded,
  symbol: string,
  multiplier: number,
  bidField: string,
  askField: string,
  row: Wire,
): void {
  const bid = readPrice(row[bidField], multiplier);
  const ask = readPrice(row[askField], multiplier);
  if (bid === undefined && readNumber(row[bidField]) !== 0)
    out.rejects.push(fieldFault(symbol, bidField, row[bidField]));
  if (ask === undefined && readNumber(row[askField]) !== 0)
    out.rejects.push(fieldFault(symbol, askField, row[askField]));
  if (bid === undefined && ask === undefined) return;
  const patch: QuotePatch = { symbol };
  if (bid !== undefined) patch.bestBid = bid;
  if (ask !== undefined) patch.bestAsk = ask;
  out.quotes.push(patch);
}

/** `openInterest`: open contracts of one symbol in named base units. */
export function decodeOpenInterest(payload: unknown, context: DecodeContext, dialect: FapiDialect): Decoded {
  const rows = rowsOf(payload);
  if (rows === undefined) return rejected(payload);
  const out = emptyDecoded();
  eachContract(rows, 'symbol', context.instruments, dialect, out, (row, symbol, multiplier) => {
    const { openInterest } = dialect.published;
    const patch: QuotePatch = { symbol };
    const stated = { base: row.openInterest };
    putOpenInterest(patch, openInterest, stated, inBaseUnits(multiplier), out.rejects, 'required');
    if (patch.openInterestBase !== undefined) out.quotes.push(patch);
  });
  return out;
}
