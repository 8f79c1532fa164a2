import type { VenueId } from '../../domain/venue.ts';

/** The subject of a finding; `docs/doctor.md` explains each. */
export type Check =
  | 'address'
  | 'format'
  | 'fields'
  | 'age'
  | 'identity'
  | 'price'
  | 'rate'
  | 'amounts'
  | 'clock'
  | 'fee'
  | 'sides';

/** `wrong` = does not work, or contradicts what is declared; `look` = odd, and can be right. */
export type Severity = 'wrong' | 'look';

/** One thing that is not as it should be. */
export interface Finding {
  readonly venue: VenueId;
  readonly check: Check;
  readonly severity: Severity;
  /** Call, stream or field that it was seen at. */
  readonly at: string;
  readonly text: string;
}

/** Some names of many, for a line of text. */
export function someOf(names: readonly string[], most = 5): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
}
