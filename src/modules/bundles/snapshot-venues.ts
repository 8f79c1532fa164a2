import { isWire, readNumber, readText, wireArray } from '../../domain/read.ts';

/** A venue of a snapshot, as far as a view chooses by it. */
export interface SnapshotVenue {
  readonly venue: string;
  /** Fraction per eight hours. */
  readonly rate8h: number | undefined;
  /** USD. */
  readonly interest: number | undefined;
}

/** The venues of the answer of `/v1/perp/snapshot`, in its order; none where there is no answer. */
export function venuesIn(snapshot: unknown): SnapshotVenue[] {
  const venues = isWire(snapshot) ? (wireArray(snapshot.venues) ?? []) : [];
  return venues.flatMap((row) => {
    const venue = isWire(row) ? readText(row.venue) : undefined;
    if (!isWire(row) || venue === undefined) return [];
    return [{ venue, rate8h: readNumber(row.rate_8h), interest: readNumber(row.open_interest) }];
  });
}
