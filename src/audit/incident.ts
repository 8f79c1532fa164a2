import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';

/** A fault that a rule has found: the same rule, venue, field and contract are one incident while it lasts. */
export interface Finding {
  /** Name of the rule or comparison, as docs/quality.md has it: `jump`. */
  readonly rule: string;
  readonly venue: VenueId;
  /** Field of the row, as in answers: `open_interest`. */
  readonly field: string;
  /** The venue's own symbol; absent where the whole venue is meant. */
  readonly contract?: string;
  /** The values that were seen, in words. */
  readonly evidence: string;
}

/** An operator's note on an incident. */
export interface Annotation {
  readonly at: UnixMs;
  readonly text: string;
}

/** A finding with its time. */
export interface Incident extends Finding {
  /** Number of the incident: never reused. */
  readonly id: number;
  readonly openedAt: UnixMs;
  /** Absent while it lasts. */
  readonly closedAt?: UnixMs;
  readonly annotations: readonly Annotation[];
}

/** Keeps incidents over restarts. */
export interface IncidentStore {
  load(): readonly Incident[];
  /** Writes all or none, and returns when they are safe. */
  save(changed: readonly Incident[], dropped: readonly number[]): void;
  close(): Promise<void>;
}

/** Names what a finding is about, as long as it lasts. */
export function incidentKey({ rule, venue, field, contract = '' }: Omit<Finding, 'evidence'>): string {
  return `${rule}\n${venue}\n${field}\n${contract}`;
}
