import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { Port } from '../runtime/port.ts';

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

/** Names what a finding is about, as long as it lasts. */
export function incidentKey({ rule, venue, field, contract = '' }: Omit<Finding, 'evidence'>): string {
  return `${rule}\n${venue}\n${field}\n${contract}`;
}

/** Faults of the data, with the time that they last: who finds one opens it, and closes it when it is over. */
export interface IncidentBoard {
  /** Opens an incident, unless the finding is known already. Returns its key. */
  open(finding: Finding, now: UnixMs): string;
  /** Closes an incident; nothing happens where none of this key is open. */
  close(key: string, now: UnixMs): void;
  /** Incidents that last. */
  lasting(): Iterable<Incident>;
  /** Adds an operator's note to an incident; false where none has this number. */
  annotate(id: number, text: string, now: UnixMs): boolean;
}

/** The board of a service; without a module that keeps one, findings are dropped. */
export const INCIDENTS: Port<IncidentBoard> = {
  name: 'incidents',
  absent: { open: incidentKey, close: () => {}, lasting: () => [], annotate: () => false },
};
