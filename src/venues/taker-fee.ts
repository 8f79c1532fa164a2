import { readNumber } from '../domain/read.ts';
import { asBps, type Bps } from '../domain/units.ts';

/** A taker fee that a venue states as a fraction (`0.0003`), in basis points; undefined beyond 0..1 %. */
export function readTakerFeeBps(fraction: unknown): Bps | undefined {
  const fee = readNumber(fraction);
  if (fee === undefined || fee < 0 || fee > 0.01) return undefined;
  return asBps(Math.round(fee * 1e8) / 1e4);
}
