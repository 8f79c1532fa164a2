import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { Query } from '../store.ts';

/** Whose past is asked for, and when. */
export interface Scope {
  readonly canonicalId: string;
  /** One venue; all without it. */
  readonly venue?: VenueId | undefined;
  /** Included, whole hours. */
  readonly from: UnixMs;
  /** Not included, whole hours. */
  readonly to: UnixMs;
  /** What was recorded by then, and no more. */
  readonly asOf?: UnixMs | undefined;
}

const seconds = (ms: number): number => Math.floor(ms / 1000);

/** Conditions on a table that holds rows by contract and time, over [from, to). */
export function whereOf({ venue, asOf }: Scope, from = '{from:UInt32}', to = '{to:UInt32}'): string {
  const conditions = ['canonical_id = {canonical_id:String}'];
  if (venue !== undefined) conditions.push('venue = {venue:String}');
  conditions.push(`ts >= toDateTime(${from}, 'UTC')`, `ts < toDateTime(${to}, 'UTC')`);
  if (asOf !== undefined) conditions.push('recorded_at <= fromUnixTimestamp64Milli({as_of:Int64})');
  return conditions.join(' AND ');
}

/** Values of the names that `whereOf` uses. */
export function paramsOf({ canonicalId, venue, from, to, asOf }: Scope): Query['params'] {
  return {
    canonical_id: canonicalId,
    from: seconds(from),
    to: seconds(to),
    ...(venue === undefined ? {} : { venue }),
    ...(asOf === undefined ? {} : { as_of: asOf }),
  };
}
