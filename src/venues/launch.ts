import { iso } from '../domain/clock.ts';
import { readMs } from '../domain/read.ts';
import type { Reject } from '../domain/reject.ts';
import type { UnixMs } from '../domain/units.ts';
import { fieldFault } from './field-fault.ts';
import { isStated } from './quote-field.ts';

/** The field in which a row states its launch. */
interface StatedLaunch {
  readonly field: string;
  readonly raw: unknown;
  /** Of its unit in ms. */
  readonly scale?: number;
}

/**
 * The reject of a contract that is listed before its launch, with the launch in its detail where the venue states it;
 * undefined for one that trades. A contract that the venue already calls open is left out all the same while its
 * launch lies ahead, and is a fault if the launch cannot be read, which might lie ahead. Blank, null and zero
 * state none.
 *
 * @param isAnnounced whether the venue's own status says that trading has not begun
 * @param now receipt of the list; undefined for a recorded one, where the status alone decides
 */
export function beforeLaunch(
  symbol: string,
  { field, raw, scale }: StatedLaunch,
  isAnnounced: boolean,
  now: UnixMs | undefined,
): Reject | undefined {
  const launch = readMs(raw, scale);
  if (!isAnnounced && launch === undefined && isStated(raw)) return fieldFault(symbol, field, raw);
  const lies = launch !== undefined && now !== undefined && launch > now;
  if (!isAnnounced && !lies) return undefined;
  return { symbol, reason: 'prelisting', ...(launch !== undefined && { detail: `launch ${iso(launch)}` }) };
}
