import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { type Failure, fail, ok, type Result } from '../domain/errors.ts';
import { ASSET_CLASSES, type AssetClass } from '../domain/instrument.ts';
import type { VenueInfo } from '../domain/venue.ts';
import type { MarketRow, MarketView, TrackedVenue, UncomparableReason } from '../market/view.ts';
import { groupBy } from '../runtime/group-by.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import {
  assetClass,
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
import example from './examples/rwa-perp-coverage.json' with { type: 'json' };
import { intervalHours, uncomparable, uncomparableField } from './funding/funding-row.ts';
import { tickerParameter } from './rows/asked.ts';
import { contractFields, contractName } from './rows/contract-name.ts';
import { tooNarrow } from './rows/enough-venues.ts';
import { marketHours, marketHoursFields } from './rows/market-hours.ts';
import { scanAnswer } from './rows/scan.ts';
import { collectedVenues, namingFailure } from './rows/select.ts';
import {
  interestTime,
  interestTimeField,
  markTime,
  markTimeField,
  rateTime,
  rateTimeField,
} from './rows/value-times.ts';

/** Classes of assets from outside crypto. */
const RWA_CLASSES = ASSET_CLASSES.filter(
  (assetClass): assetClass is Exclude<AssetClass, 'crypto' | 'unknown'> =>
    assetClass !== 'crypto' && assetClass !== 'unknown',
);

const query = Type.Object({
  asset_class: Type.Optional(oneOf(RWA_CLASSES, { description: 'Of this class' })),
  ticker: Type.Optional(tickerParameter),
});

type RwaClass = NonNullable<Static<typeof query>['asset_class']>;

const venue = Type.Object({
  venue: venueName,
  symbol: text('The venue’s own symbol'),
  mark_price: nullable(number('Quote currency per unit of the asset')),
  open_interest_usd: nullable(number('Open interest, USD')),
  volume_24h_usd: nullable(number('Traded in 24 hours, USD')),
  funding_rate: nullable(number('Fraction per interval of the venue')),
  funding_interval_hours: intervalHours,
  oracle_family: text('Family of the venue’s index price'),
  updated_at: timestamp('Time of the mark price'),
  ...contractFields,
  ...marketHoursFields,
  ...rateTimeField,
  ...markTimeField,
  ...interestTimeField,
  ...uncomparableField,
});

const asset = Type.Object({
  canonical_id: canonicalIdName,
  ticker: tickerName,
  asset_class: assetClass,
  venues_count: integer('Venues in venues'),
  venues: Type.Array(venue),
});

const answer = Type.Object({
  count: integer('Assets returned'),
  ...venueCoverageFields,
  assets: Type.Array(asset),
  note: text('What the figures leave out'),
});

export const rwaPerpCoverage = defineProduct({
  id: 'rwa-perp-coverage',
  path: '/v1/rwa/perp-coverage',
  access: 'paid',
  summary: 'Perpetuals on real-world assets',
  description:
    'Perpetual futures on shares, indices, commodities, currencies, funds and names before their launch (companies, and coins that venues list as such): per asset the venues that list it with mark, open interest, volume, funding and oracle family.',
  tags: ['real-world-assets', 'coverage', 'perpetual-futures'],
  dependsOn: 'table',
  revisedAt: '2026-11-27T12:00:00.000Z',
  query,
  answer,
  example: { request: '/v1/rwa/perp-coverage?ticker=index:SPX', answer: example },
  find: (asked, { market }) => askedIds(market, asked.ticker),
  compute: (ids, { market }, asked) => rwaCoverage(market, ids, asked.asset_class),
});

const NOTE =
  'Perpetuals on assets from outside crypto with a fresh row. Marks of one asset can stand apart while its home market is closed. Naive baseline, before fees and latency.';

/** Rows that may be of another asset, or of none, do not count as coverage. */
const NOT_COVERED: ReadonlySet<UncomparableReason | undefined> = new Set<UncomparableReason>([
  'identity_uncertain',
  'multiplier_suspect',
  'placeholder',
]);

/**
 * Assets from outside crypto that trade as perpetuals, with their venues; assets by canonical id, venues by
 * source id. An empty list is an answer, but for 503 not_ready where fewer than two of the venues that could
 * have been looked at have a fresh row, and 404 no_data where an asset is named that can be in no list.
 */
export function rwaCoverage(
  view: MarketView,
  ids: ReadonlySet<string> | undefined,
  assetClass: RwaClass | undefined,
): Result<ProductAnswer<Static<typeof answer>>> {
  const looked = view.rows().filter((row) => row.fresh && (ids?.has(row.canonicalId) ?? true));
  const coverage = venueCoverage(listing(view, ids), looked);
  const narrow = tooNarrow(coverage, 'row');
  if (narrow !== undefined) return fail(narrow);
  const rows = looked.filter((row) => isCovered(row, assetClass));
  if (ids !== undefined && rows.length === 0) return fail(notCovered(ids, assetClass));
  const infos = new Map(view.venues().map((venue) => [venue.info.id, venue.info]));
  const byAsset = groupBy(rows, (row) => row.canonicalId);
  const assets = [...byAsset].map(([canonicalId, list]) => coverageOf(canonicalId, list, infos));
  const body = { count: assets.length, ...statedCoverage(coverage), assets, note: NOTE };
  return ok(scanAnswer(view, body, rows));
}

/** Says why an asset that is named is not covered: it is of another class, or none of its rows is certain to be its own. */
function notCovered(ids: ReadonlySet<string>, assetClass: RwaClass | undefined): Failure {
  const classes = assetClass ?? RWA_CLASSES.join(', ');
  return {
    code: 'no_data',
    detail: `${[...ids].join(', ')} has no fresh row of the class ${classes} whose identity is certain; nothing is charged`,
  };
}

/** Venues that list one of the assets; all of them where none is named. */
function listing(view: MarketView, ids: ReadonlySet<string> | undefined): readonly TrackedVenue[] {
  const venues = collectedVenues(view);
  if (ids === undefined) return venues;
  return venues.filter(({ info }) => [...ids].some((id) => view.lists(info.id, id)));
}

/** Undefined where no ticker narrows the list. 404 unknown_ticker for one that nothing lists. */
export function askedIds(
  view: MarketView,
  ticker: string | undefined,
): Result<ReadonlySet<string> | undefined> {
  if (ticker === undefined) return ok(undefined);
  const resolution = view.resolve(ticker);
  if (resolution.kind === 'one') return ok(new Set([resolution.canonicalId]));
  return fail(namingFailure(view, ticker, resolution));
}

function isCovered(row: MarketRow, assetClass: RwaClass | undefined): boolean {
  const classed: readonly string[] = assetClass === undefined ? RWA_CLASSES : [assetClass];
  return classed.includes(row.assetClass) && !NOT_COVERED.has(row.uncomparableReason);
}

function coverageOf(
  canonicalId: string,
  rows: readonly MarketRow[],
  infos: ReadonlyMap<string, VenueInfo>,
): Static<typeof asset> {
  return {
    canonical_id: canonicalId,
    ticker: rows[0]?.ticker ?? canonicalId,
    asset_class: rows[0]?.assetClass ?? 'unknown',
    venues_count: rows.length,
    venues: rows.map((row) => ({
      venue: row.venue,
      symbol: row.symbol,
      mark_price: row.markPrice ?? null,
      open_interest_usd: row.openInterestUsd ?? null,
      volume_24h_usd: row.volume24hUsd ?? null,
      funding_rate: row.fundingRate ?? null,
      funding_interval_hours: row.fundingIntervalHours ?? null,
      oracle_family: infos.get(row.venue)?.index.family ?? 'unknown',
      updated_at: iso(row.updatedAt),
      ...contractName(row),
      ...marketHours(row),
      ...rateTime(row),
      ...markTime(row),
      ...interestTime(row),
      ...uncomparable(row),
    })),
  };
}
