import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { PaymentSpan } from '../sample-sql.ts';
import type { Query } from '../store.ts';

/** Contracts and time of a query. */
export interface Scope {
  readonly canonicalId: string;
  /** These venues; all without it. */
  readonly venues?: readonly VenueId[] | undefined;
  /** Included, whole hours. */
  readonly from: UnixMs;
  /** Not included, whole hours. */
  readonly to: UnixMs;
  /** The view as of this time of recording. */
  readonly asOf?: UnixMs | undefined;
}

/** Values of some venues from a time on. */
export type SinceScope = Pick<Scope, 'venues' | 'from' | 'asOf'>;

/** One asset's past on a venue, at a moment. */
export interface MomentScope {
  readonly canonicalId: string;
  readonly venue: string;
  readonly at: UnixMs;
  readonly asOf?: UnixMs | undefined;
}

/** A time as a query takes it: times before 1970, at which nothing is stored, are no `UInt32`. */
export const seconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000));

/** Conditions on a table that holds rows by contract and time, over [from, to). */
export function whereOf(scope: Scope, from = '{from:UInt32}', to = '{to:UInt32}'): string {
  const times = [`ts >= toDateTime(${from}, 'UTC')`, `ts < toDateTime(${to}, 'UTC')`];
  return [...conditionsOf(scope), ...times].join(' AND ');
}

/** The payments of a scope. */
export const paymentSpan = (scope: Scope): PaymentSpan => ({
  from: '{from:UInt32}',
  to: '{to:UInt32}',
  conditions: conditionsOf(scope),
});

function conditionsOf({ venues, asOf }: Scope): readonly string[] {
  const conditions = ['canonical_id = {canonical_id:String}'];
  if (venues !== undefined) conditions.push('venue IN {venues:Array(String)}');
  if (asOf !== undefined) conditions.push('recorded_at <= fromUnixTimestamp64Milli({as_of:Int64})');
  return conditions;
}

/** Values of the names that `whereOf` uses. */
export function paramsOf({ canonicalId, venues, from, to, asOf }: Scope): Query['params'] {
  return {
    canonical_id: canonicalId,
    from: seconds(from),
    to: seconds(to),
    ...(venues === undefined ? {} : { venues }),
    ...(asOf === undefined ? {} : { as_of: asOf }),
  };
}
