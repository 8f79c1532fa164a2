import Type from 'typebox';
import { iso } from '../../domain/clock.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { TrackedVenue } from '../../market/view.ts';
import { nullable, oneOf, text } from '../../products/answer/schema.ts';
import type { Ports } from '../../products/define-product.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import { coveredShare } from './coverage/coverage.ts';
import { AUDIT, type AuditView } from './port.ts';

export const GRADES = ['A', 'B', 'C', 'D', 'E', 'F'] as const;
export type Grade = (typeof GRADES)[number];

/** The inputs of a grade. Shares 0..1; undefined = nothing was looked at yet. */
export interface GradeInputs {
  readonly status: 'live' | 'stale' | 'down';
  /** Of the contracts' minutes of today and yesterday, UTC, with a fresh mark and with a fresh rate. */
  readonly marks: number | undefined;
  readonly rates: number | undefined;
  /** Of the contracts that break a rule now. */
  readonly suspect: number;
  /** Incidents of the whole venue that last. */
  readonly venueIncidents: number;
}

interface Deduction {
  readonly why: string;
  readonly grades: number;
  readonly applies: (inputs: GradeInputs) => boolean;
}

/** The published rule: from A down, by each that applies. */
const DEDUCTIONS: readonly Deduction[] = [
  { why: 'down', grades: 5, applies: ({ status }) => status === 'down' },
  { why: 'stale', grades: 2, applies: ({ status }) => status === 'stale' },
  { why: 'less than 99 % of marks', grades: 1, applies: ({ marks = 1 }) => marks < 0.99 },
  { why: 'less than 90 % of marks', grades: 1, applies: ({ marks = 1 }) => marks < 0.9 },
  { why: 'less than 95 % of rates', grades: 1, applies: ({ rates = 1 }) => rates < 0.95 },
  { why: 'more than 0.5 % of contracts suspect', grades: 1, applies: ({ suspect }) => suspect > 0.005 },
  { why: 'more than 5 % of contracts suspect', grades: 2, applies: ({ suspect }) => suspect > 0.05 },
  { why: 'an incident of the whole venue', grades: 1, applies: ({ venueIncidents }) => venueIncidents > 0 },
];

/** Grade of a venue and what it was marked down for; null before anything was looked at. */
export function gradeOf(inputs: GradeInputs): {
  readonly grade: Grade | null;
  readonly reasons: readonly string[];
} {
  if (inputs.marks === undefined) return { grade: null, reasons: [] };
  const marked = DEDUCTIONS.filter(({ applies }) => applies(inputs));
  const down = marked.reduce((sum, { grades }) => sum + grades, 0);
  return { grade: GRADES[Math.min(down, GRADES.length - 1)] ?? 'F', reasons: marked.map(({ why }) => why) };
}

export const gradeName = nullable(
  oneOf(GRADES, { description: 'By the rule in docs/quality.md; null before anything was looked at' }),
);
export const gradeReasons = Type.Array(text('What the grade was marked down for'));

/** Begin of yesterday, UTC: the days that a grade looks at. */
const gradedFrom = (now: UnixMs): UnixMs => asMs((Math.floor(now / DAY_MS) - 1) * DAY_MS);

/** The inputs of a venue's grade, as of now. */
export function gradeInputsOf(
  venue: TrackedVenue,
  { readPort, health, clock }: Pick<Ports, 'readPort' | 'health' | 'clock'>,
): GradeInputs {
  const audit = readPort(AUDIT);
  const { id } = venue.info;
  const now = clock.now();
  const days = audit.coverage.days({ from: gradedFrom(now), to: asMs(now + 1), venue: id });
  return {
    status: health.of(id)?.status ?? venue.status,
    marks: coveredShare(days, 'mark_price'),
    rates: coveredShare(days, 'funding_rate'),
    suspect: audit.suspects(id) / Math.max(1, venue.trackedSymbols),
    venueIncidents: lastingAt(audit, id).filter(({ contract }) => contract === undefined).length,
  };
}

/** Incidents of a venue that last. */
export const lastingAt = ({ incidents }: Pick<AuditView, 'incidents'>, venue: VenueId) =>
  [...incidents.lasting()].filter((incident) => incident.venue === venue);

/** The day, without a time. */
export const dayText = (at: UnixMs): string => iso(at).slice(0, 10);
