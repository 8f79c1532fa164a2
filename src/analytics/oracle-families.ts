import { fail, ok, type Result } from '../domain/errors.ts';
import type { TrackedVenue } from '../market/view.ts';
import type { Fact } from './fact.ts';
import { groupBy } from './group-by.ts';
import { familyOf } from './oracle-family.ts';

export interface OracleFamilies {
  readonly families: readonly OracleFamilyEntry[];
  readonly venues_without_index: readonly string[];
  readonly methodology: string;
}

export interface OracleFamilyEntry {
  readonly family: string;
  readonly upstream: string | null;
  readonly description: string;
  readonly venues: readonly OracleFamilyVenue[];
}

/** The last three are of measured evidence and null without it. */
export interface OracleFamilyVenue {
  readonly venue: string;
  readonly evidence: 'documented' | 'measured' | 'unknown';
  readonly source: string;
  readonly correlation: number | null;
  readonly lead_lag_ms: number | null;
  readonly resolution_ms: number | null;
}

const ORACLE_METHODOLOGY =
  'Venues are grouped by the upstream of their index price as their own documents state it. Own baskets of different venues form one family by kind: they share most constituents, not one feed. evidence is documented, measured or unknown; correlation and lead are null where index samples are coarser than a second.';

/**
 * Which venues derive their index price from the same kind of upstream. Families by name, venues by source id.
 * 404 no_data when no venue is asked about.
 *
 * @param venues the venues asked about, all or those of one request
 */
export function oracleFamilies(venues: readonly TrackedVenue[]): Result<Fact<OracleFamilies>> {
  if (venues.length === 0) return fail({ code: 'no_data', detail: 'No tracked venue matches' });
  const indexed = venues.filter((venue) => venue.info.hasIndex);
  const groups = groupBy(indexed, (venue) => venue.info.index.family);
  const families = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([family, members]) => familyEntry(family, members));
  const body: OracleFamilies = {
    families,
    venues_without_index: venues.filter((venue) => !venue.info.hasIndex).map((venue) => venue.info.id),
    methodology: ORACLE_METHODOLOGY,
  };
  const used = venues.map((venue) => venue.info.id);
  return ok({ body, asOf: undefined, sources: { used, missing: [] } });
}

function familyEntry(family: string, members: readonly TrackedVenue[]): OracleFamilyEntry {
  const { upstream, description } = familyOf(family);
  return {
    family,
    upstream: upstream ?? null,
    description: description ?? members[0]?.info.index.description ?? family,
    venues: members.map(({ info }) => ({
      venue: info.id,
      evidence: info.index.evidence,
      source: info.index.description,
      correlation: null,
      lead_lag_ms: null,
      resolution_ms: null,
    })),
  };
}
