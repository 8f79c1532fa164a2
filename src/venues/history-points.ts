import type { Decoded } from '../domain/decoded.ts';
import type { FundingPoint } from '../domain/quote.ts';
import { readMs, readRate } from '../domain/read.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import { SECOND_MS } from '../runtime/duration.ts';
import { fieldFault } from './field-fault.ts';

/** A stamp on a grid; settlements are stamped up to some seconds late. */
export function onGrid(time: UnixMs, stepMs: number): UnixMs {
  return asMs(Math.round(time / stepMs) * stepMs);
}

/**
 * Adds a settled rate, or the faults of its fields.
 *
 * @param units of the time to milliseconds
 * @param stepMs grid that the stamp is put on; a second unless said otherwise
 */
export function addFundingPoint(
  out: Decoded,
  symbol: string,
  rawTime: unknown,
  rawRate: unknown,
  units = 1,
  stepMs = SECOND_MS,
): void {
  const time = readMs(rawTime, units);
  const rate = readRate(rawRate);
  if (time === undefined) out.rejects.push(fieldFault(symbol, 'time', rawTime));
  if (rate === undefined) out.rejects.push(fieldFault(symbol, 'rate', rawRate));
  if (time === undefined || rate === undefined) return;
  out.funding.push({ symbol, time: onGrid(time, stepMs), rate } satisfies FundingPoint);
}
