import type { Decoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readHours, readMs, readPrice, readRate, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest } from '../amounts.ts';
import { addBook, bookStamps } from '../book-message.ts';
import { eachContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { NS_IN_MS, readSides } from './book.ts';
import { PUBLISHED } from './published.ts';
import { unitsOf } from './rows.ts';
import { MS_IN_HOURS } from './wire.ts';

/** A message of the unified socket: type, kind, data; `P` is beyond what a number holds exactly. */
export interface UnifiedFrame {
  readonly T?: unknown;
  /** `snapshot` or `delta`, on books. */
  readonly t?: unknown;
  readonly d?: unknown;
}

/** Sequences O..C, engine time M in ns; an increment must begin at the last C + 1. */
function takeBook(data: Wire, symbol: string, units: ContractUnits, frame: UnifiedFrame, out: Decoded): void {
  const whole = frame.t === 'snapshot';
  if (!whole && frame.t !== 'delta') {
    out.rejects.push({ symbol, reason: 'malformed', detail: 't' });
    return;
  }
  const stamps = bookStamps(data.C, whole ? undefined : data.O, data.M, NS_IN_MS);
  addBook(out, symbol, whole ? 'snapshot' : 'delta', units, readSides(data.b, data.a, units), stamps);
}

/** Mark, index and open interest in lots, once a second, stamped on that second. */
function takeMark(data: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  const { multiplier } = units;
  const patch: QuotePatch = { symbol };
  need(patch, 'markPrice', readPrice(data.mp, multiplier), data.mp, out.rejects);
  need(patch, 'indexPrice', readPrice(data.ip, multiplier), data.ip, out.rejects);
  putOpenInterest(patch, PUBLISHED.openInterest, { contracts: data.oi }, units, out.rejects);
  put(patch, 'venueTime', readMs(data.ts), data.ts, out.rejects);
  keepPatch(patch, out.quotes, out.rejects);
}

/** Running rate, next settlement, interval in ms. */
function takeFunding(data: Wire, symbol: string, out: Decoded): void {
  const patch: QuotePatch = { symbol };
  need(patch, 'fundingRate', readRate(data.fr), data.fr, out.rejects);
  put(patch, 'fundingIntervalHours', readHours(data.gl, MS_IN_HOURS), data.gl, out.rejects);
  put(patch, 'nextFundingTime', readMs(data.nt), data.nt, out.rejects);
  keepPatch(patch, out.quotes, out.rejects);
}

/** Reads a message of the unified socket; `funding-fee-all-symbols` carries a list. */
export function takeUnifiedFrame(frame: UnifiedFrame, context: DecodeContext, out: Decoded): void {
  const type = readText(frame.T) ?? '';
  const rows: readonly unknown[] = Array.isArray(frame.d) ? frame.d : [frame.d];
  const take = (row: Wire, symbol: string, units: ContractUnits): void => {
    if (type.startsWith('obu')) takeBook(row, symbol, units, frame, out);
    else if (type === 'mark-price') takeMark(row, symbol, units, out);
    else if (type.startsWith('funding-fee')) takeFunding(row, symbol, out);
    else out.rejects.push({ symbol, reason: 'unexpected_shape', detail: `type ${type.slice(0, 40)}` });
  };
  eachContract(rows, 's', unitsOf, context, out, take);
}

/** Whether a text or binary frame is one of the unified socket's messages. */
export function isUnified(frame: unknown): boolean {
  return isWire(frame) && frame.T !== undefined;
}
