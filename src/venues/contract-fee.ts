import type { Instrument } from '../domain/instrument.ts';
import { readTakerFeeBps } from './taker-fee.ts';

/**
 * The taker fee of one contract where it differs from the venue's.
 *
 * @param fraction of the notional (0.0006)
 * @param usualBps the venue's base tier
 */
export function ownTakerFee(fraction: unknown, usualBps: number): Pick<Instrument, 'takerFeeBps'> {
  const bps = readTakerFeeBps(fraction);
  return bps === undefined || bps === usualBps ? {} : { takerFeeBps: bps };
}
