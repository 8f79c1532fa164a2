import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import { basisBps } from '../domain/rate.ts';
import { freshLimit } from '../market/eligibility.ts';
import type { MarketRow, TrackedVenue } from '../market/view.ts';
import { type ProductAnswer, productAnswer } from './answer/product-answer.ts';
import {
  assetClass,
  boolean,
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  timestamp,
  venueName,
} from './answer/schema.ts';
import { statedCoverage, venueCoverage, venueCoverageFields } from './answer/venue-coverage.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-basis.json' with { type: 'json' };
import { indexOf, uncomparable, uncomparableField } from './funding/funding-row.ts';
import { assetQuery, findAsset } from './rows/asked.ts';
import { contractFields, contractName } from './rows/contract-name.ts';
import { assetTooNarrow } from './rows/enough-venues.ts';
import { marketHours, marketHoursFields } from './rows/market-hours.ts';
import { type AssetRows, isMarkLate, nothingUsable, venueIds } from './rows/select.ts';
import { SPOT_MIDS, type SpotMid, spotMidFields } from './rows/spot-mid.ts';
import { structureOf } from './rows/structure.ts';
import { isoOrNull, markTime, markTimeField, oldestTime } from './rows/value-times.ts';

const item = Type.Object({
  venue: venueName,
  asset_class: assetClass,
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  index_price: nullable(number('The venue’s own index; null where it has none besides its mark')),
  basis_bps: nullable(number('(mark_price - index_price) / index_price x 10000')),
  structure: oneOf(['contango', 'backwardation', 'flat', 'unknown'], {
    description: 'Sign of the basis; unknown without an index',
  }),
  liquidity_state: oneOf(['live', 'dead', 'unknown'], {
    description: 'dead: nothing traded and the mark unmoved for 24 hours, or an empty book',
  }),
  basis_reliable: boolean('Live, fresh, traded, and an index as fresh that is not the mark'),
  updated_at: timestamp('Time of the mark price'),
  ...contractFields,
  ...marketHoursFields,
  ...uncomparableField,
  ...markTimeField,
  index_updated_at: nullable(
    timestamp('Time of the index; null where it is not known, as of a moment of the past'),
  ),
  ...spotMidFields,
});

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  venues_count: integer('Venues in items'),
  ...venueCoverageFields,
  methodology: text('How the figures are made and what they leave out'),
  venues_without_index: Type.Array(Type.String(), { description: 'Venues in items that have no index' }),
  items: Type.Array(item),
});

type Basis = Static<typeof answer>;

export const perpBasis = defineProduct({
  id: 'perp-basis',
  path: '/v1/perp/basis',
  access: 'paid',
  summary: 'Mark against index per venue',
  description:
    'Distance of the mark price of one perpetual future from the index price of the same venue, in basis points, for each venue; says which venues publish no index and flags markets without trading as unreliable whatever their basis looks like.',
  tags: ['basis', 'perpetual-futures'],
  dependsOn: 'table',
  beside: SPOT_MIDS,
  revisedAt: '2026-11-30T09:00:00.000Z',
  query: assetQuery,
  answer,
  example: { request: '/v1/perp/basis?ticker=BTC', answer: example },
  find: findAsset,
  compute: (asset, ports) => {
    const beside = ports.readPort(SPOT_MIDS);
    return basis(asset, beside && ((rows) => beside(rows, ports)));
  },
});

const BASIS_METHODOLOGY =
  'basis_bps = (mark_price - index_price) / index_price x 10000; structure is its sign. basis_reliable needs a live market with trades that is not in closed hours, a fresh mark and an index that is not the venue’s own mark, nor older than it by more than a minute or two periods of the venue’s quotes. Markets without trading are shown and never reliable, also where their price stands apart from the others (uncomparable_reason). Venues without such an index are named and have no basis. Naive baseline: each venue against its own index, before fees, funding and latency; not a profit forecast.';

/**
 * dead: no volume in 24 h and the mark unmoved, or an empty book; unknown: neither volume nor touch known; else live.
 */
export function liquidityState(row: MarketRow): Static<typeof item>['liquidity_state'] {
  if (row.uncomparableReason === 'dead_market') return 'dead';
  const touched = row.bestBid !== undefined && row.bestAsk !== undefined;
  return row.volume24hUsd === undefined && !touched ? 'unknown' : 'live';
}

/** A market without trading; one that is also off the others' prices may have a reason of its own not to be compared. */
const isUntraded = ({ volume24hUsd, uncomparableReason: reason }: MarketRow): boolean =>
  volume24hUsd === 0 || reason === 'dead_market' || reason === 'placeholder';

/**
 * Mark against index on each venue, in bps of the index. Rows are fresh, and comparable or of a market without trading: such a
 * market is shown and flagged, whatever its basis looks like and whatever else is wrong with it. 503 not_ready or 404 no_data without any.
 *
 * @param spotBeside the middle of spot beside each row; undefined where the process reads no spot
 */
export function basis(
  asset: AssetRows,
  spotBeside?: (rows: readonly MarketRow[]) => readonly SpotMid[],
): Result<ProductAnswer<Basis>> {
  const rows = asset.rows.filter((row) => row.fresh && (row.comparable || isUntraded(row)));
  if (rows.length === 0) return fail(nothingUsable(asset, 'mark price'));
  const coverage = venueCoverage(asset.listedBy, rows);
  const narrow = assetTooNarrow(asset, coverage, 'mark price', isMarkLate);
  if (narrow !== undefined) return fail(narrow);
  const venues = new Map(asset.listedBy.map((venue) => [venue.info.id, venue]));
  const mids = spotBeside?.(rows) ?? [];
  const items = rows.map((row, i) => ({ ...basisItem(row, venues.get(row.venue)), ...mids[i]?.fields }));
  const body: Basis = {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    venues_count: items.length,
    ...statedCoverage(coverage),
    methodology: BASIS_METHODOLOGY,
    venues_without_index: items.filter((item) => item.index_price === null).map((item) => item.venue),
    items,
  };
  const made = productAnswer(body, rows, venueIds(asset.listedBy));
  return ok(mids.length === 0 ? made : withSpot(made, mids));
}

/** The answer is as old as the middles of spot in it, and its sources are their venues, too. */
function withSpot(
  { body, asOf, sources }: ProductAnswer<Basis>,
  mids: readonly SpotMid[],
): ProductAnswer<Basis> {
  const spot = mids.flatMap(({ fields }) => fields.spot_venue ?? []);
  const used = [...new Set([...sources.used, ...spot])];
  return {
    body,
    asOf: asOf && oldestTime(asOf, ...mids.map(({ at }) => at)),
    sources: { used, missing: sources.missing.filter((venue) => !used.includes(venue)) },
  };
}

function basisItem(row: MarketRow, venue: TrackedVenue | undefined): Static<typeof item> {
  const index = indexOf(row, venue?.info);
  const bps = basisBps(row.markPrice, index);
  const liquidity = liquidityState(row);
  return {
    venue: row.venue,
    asset_class: row.assetClass,
    mark_price: row.markPrice ?? null,
    index_price: index ?? null,
    basis_bps: bps ?? null,
    structure: bps === undefined ? 'unknown' : structureOf(bps),
    liquidity_state: liquidity,
    basis_reliable:
      liquidity === 'live' &&
      row.marketOpen !== false &&
      row.volume24hUsd !== 0 &&
      row.fresh &&
      bps !== undefined &&
      isOfOneMoment(row, venue),
    updated_at: iso(row.updatedAt),
    ...contractName(row),
    ...marketHours(row),
    ...uncomparable(row),
    ...markTime(row),
    index_updated_at: index === undefined ? null : isoOrNull(row.indexUpdatedAt),
  };
}

/** Some venues state their index in a call of its own, which may fail while marks go on. */
function isOfOneMoment(
  { updatedAt, indexUpdatedAt = updatedAt }: MarketRow,
  venue: TrackedVenue | undefined,
): boolean {
  return updatedAt - indexUpdatedAt <= freshLimit(venue?.refreshMs ?? 0);
}
