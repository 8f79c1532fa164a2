import Type, { type Static } from 'typebox';
import { fail, ok, type Result } from '../domain/errors.ts';
import type { VenueId } from '../domain/venue.ts';
import type { MarketView, TrackedVenue } from '../market/view.ts';
import { groupBy } from '../runtime/group-by.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import { nullable, number, oneOf, text, venueName } from './answer/schema.ts';
import { defineProduct, type Ports } from './define-product.ts';
import example from './examples/perp-oracle-families.json' with { type: 'json' };
import type { IndexMoves } from './oracles/index-moves.ts';
import { tickerParameter, venueParameter } from './rows/asked.ts';
import { type AskedPair, namePair, selectAsset, selectVenue } from './rows/select.ts';

const query = Type.Object({
  venue: Type.Optional(venueParameter),
  ticker: Type.Optional(tickerParameter),
});

const member = Type.Object({
  venue: venueName,
  evidence: oneOf(['documented', 'measured', 'unknown'], { description: 'What the classification rests on' }),
  source: text('What the venue publishes of its index'),
  correlation: nullable(
    number('Of index moves with the family; null where samples are coarser than a second'),
  ),
  lead_lag_ms: nullable(number('Positive: ahead of the family; null as above')),
  resolution_ms: nullable(number('Mean distance of changes of the index; null as above')),
});

const family = Type.Object({
  family: text('Name of the family'),
  upstream: nullable(text('The feed behind it, where one is named')),
  description: text('What the family is'),
  venues: Type.Array(member),
});

type Family = Static<typeof family>;

const answer = Type.Object({
  families: Type.Array(family),
  venues_without_index: Type.Array(venueName),
  methodology: text('How venues are grouped'),
});

type OracleFamilies = Static<typeof answer>;

export const perpOracleFamilies = defineProduct({
  id: 'perp-oracle-families',
  path: '/v1/perp/oracle-families',
  access: 'paid',
  summary: 'Where index prices come from',
  description:
    'Which venues derive their index price from the same upstream feed: oracle families with their venues, what each classification rests on, and the venues without an index of their own. Prices of one family are not independent of each other.',
  tags: ['oracle', 'index-price', 'perpetual-futures'],
  dependsOn: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query,
  answer,
  example: { request: '/v1/perp/oracle-families?ticker=BTC', answer: example },
  find: askedVenues,
  compute: (venues, { indexMoves }) => oracleFamilies(venues, indexMoves?.()),
});

/** The venues a request is about: one, those that list an asset, or all. */
function askedVenues(
  { venue, ticker }: Static<typeof query>,
  { market }: Ports,
): Result<readonly TrackedVenue[]> {
  if (venue !== undefined) {
    const found = ticker === undefined ? selectVenue(market, venue) : venueOf(market, { ticker, venue });
    return found.ok ? ok([found.value]) : found;
  }
  if (ticker === undefined) return ok(market.venues());
  const asset = selectAsset(market, { ticker });
  return asset.ok ? ok(asset.value.listedBy) : asset;
}

/** The venue, where it lists what it calls by this name. */
function venueOf(market: MarketView, asked: AskedPair): Result<TrackedVenue> {
  const pair = namePair(market, asked);
  return pair.ok ? ok(pair.value.venue) : pair;
}

const ORACLE_METHODOLOGY =
  'Venues are grouped by the upstream of their index price as their own documents state it. Own baskets of different venues form one family by kind: they share most constituents, not one feed. evidence is documented, measured (no document, but moves that correlate at 0.95 or more) or unknown. correlation is of one-second index moves of BTC, ETH and SOL over the last ten minutes with the mean of the family’s other venues (of all others where it has none), at the lag where it is greatest; lead_lag_ms is that lag, positive where the venue moves first. They check the claim and are null where index samples are coarser than a second. Leaves out constituents and weights, their changes, and lags below a second. Naive baseline; not a profit forecast.';

/**
 * Venues grouped by the kind of upstream from which they derive their index price. Families by name, venues by
 * source id. 404 no_data when no venue is asked about.
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

function evidenceOf(documented: Static<typeof member>['evidence'], moves: IndexMoves | undefined) {
  if (documented !== 'unknown') return documented;
  return moves !== undefined && moves.correlation >= SAME_FEED ? 'measured' : 'unknown';
}

function familyEntry(
  family: string,
  members: readonly TrackedVenue[],
  measured: ReadonlyMap<VenueId, IndexMoves>,
): Family {
  const { upstream, description }: Upstream = UPSTREAMS[family] ?? {};
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

/** The source behind a family of index prices. */
interface Upstream {
  /** The feed that all members read; undefined where each has its own. */
  readonly upstream?: string;
  readonly description?: string;
}

const UPSTREAMS: Readonly<Record<string, Upstream>> = {
  'own-cex-basket': {
    description: 'Basket of spot prices that the venue weights itself; constituents overlap between venues',
  },
  'validator-cex-basket': {
    description: 'Median over validators, each of which weights spot prices of centralized venues',
  },
  pyth: { upstream: 'Pyth', description: 'Pyth Network price feeds' },
  chainlink: { upstream: 'Chainlink', description: 'Chainlink data feeds or streams' },
  'pyth-stork': { upstream: 'Pyth and Stork', description: 'Pyth and Stork feeds together' },
  stork: { upstream: 'Stork', description: 'Stork oracle network' },
};
