import { fail, ok, type Result } from '../domain/errors.ts';
import type { VenueId } from '../domain/venue.ts';
import type { TrackedVenue } from '../market/view.ts';
import { groupBy } from './group-by.ts';
import type { IndexMoves } from './index-moves.ts';
import { familyOf } from './oracle-family.ts';
import type { ProductAnswer } from './product-answer.ts';

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

/** The last three are measured, beside whatever the documents say; null where they could not be. */
export interface OracleFamilyVenue {
  readonly venue: string;
  readonly evidence: 'documented' | 'measured' | 'unknown';
  readonly source: string;
  readonly correlation: number | null;
  readonly lead_lag_ms: number | null;
  readonly resolution_ms: number | null;
}

const ORACLE_METHODOLOGY =
  'Venues are grouped by the upstream of their index price as their own documents state it. Own baskets of different venues form one family by kind: they share most constituents, not one feed. evidence is documented, measured (no document, but moves that correlate at 0.95 or more) or unknown. correlation is of one-second index moves of BTC, ETH and SOL over the last ten minutes with the mean of the family’s other venues (of all others where it has none), at the lag where it is greatest; lead_lag_ms is that lag, positive where the venue moves first. They check the claim and are null where index samples are coarser than a second.';

/**
 * Which venues derive their index price from the same kind of upstream. Families by name, venues by source id.
 * 404 no_data when no venue is asked about.
 *
 * @param venues the venues asked about, all or those of one request
 * @param moves what was measured of their index moves
 */
export function oracleFamilies(
  venues: readonly TrackedVenue[],
  moves: ReadonlyMap<VenueId, IndexMoves> = NOT_MEASURED,
): Result<ProductAnswer<OracleFamilies>> {
  if (venues.length === 0) return fail({ code: 'no_data', detail: 'No tracked venue matches' });
  const indexed = venues.filter((venue) => venue.info.hasIndex);
  const groups = groupBy(indexed, (venue) => venue.info.index.family);
  const families = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([family, members]) => familyEntry(family, members, moves));
  const body: OracleFamilies = {
    families,
    venues_without_index: venues.filter((venue) => !venue.info.hasIndex).map((venue) => venue.info.id),
    methodology: ORACLE_METHODOLOGY,
  };
  const used = venues.map((venue) => venue.info.id);
  return ok({ body, asOf: undefined, sources: { used, missing: [] } });
}

const NOT_MEASURED: ReadonlyMap<VenueId, IndexMoves> = new Map();
/** From here on, moves speak for a family that no document names. */
const SAME_FEED = 0.95;

function evidenceOf(documented: OracleFamilyVenue['evidence'], moves: IndexMoves | undefined) {
  if (documented !== 'unknown') return documented;
  return moves !== undefined && moves.correlation >= SAME_FEED ? 'measured' : 'unknown';
}

function familyEntry(
  family: string,
  members: readonly TrackedVenue[],
  measured: ReadonlyMap<VenueId, IndexMoves>,
): OracleFamilyEntry {
  const { upstream, description } = familyOf(family);
  return {
    family,
    upstream: upstream ?? null,
    description: description ?? members[0]?.info.index.description ?? family,
    venues: members.map(({ info }) => {
      const moves = measured.get(info.id);
      return {
        venue: info.id,
        evidence: evidenceOf(info.index.evidence, moves),
        source: info.index.description,
        correlation: moves?.correlation ?? null,
        lead_lag_ms: moves?.leadLagMs ?? null,
        resolution_ms: moves?.resolutionMs ?? null,
      };
    }),
  };
}
