import Type, { type Static } from 'typebox';
import { fail, ok, type Result } from '../domain/errors.ts';
import { basisBps } from '../domain/rate.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueInfo } from '../domain/venue.ts';
import type { MarketRow, MarketView, VenueTotals } from '../market/view.ts';
import { withReasons } from './answer/null-reason.ts';
import { type ProductAnswer, productAnswer } from './answer/product-answer.ts';
import {
  assetClass,
  canonicalIdName,
  integer,
  nullable,
  number,
  text,
  tickerName,
  venueName,
} from './answer/schema.ts';
import { statedCoverage, venueCoverage, venueCoverageFields } from './answer/venue-coverage.ts';
import { booksOfAsset } from './books/asset-books.ts';
import { freshQuote } from './books/book-source.ts';
import { choosesVenues } from './choice/chooses.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-snapshot.json' with { type: 'json' };
import { fundingRow, fundingRowSchema, indexOf, noIndex } from './funding/funding-row.ts';
import { assetQuery, findAsset } from './rows/asked.ts';
import { assetTotals, assetTotalsFields, statedVenueTotals, venueTotalsFields } from './rows/asset-totals.ts';
import { assetTooNarrow } from './rows/enough-venues.ts';
import {
  type AssetRows,
  freshRate8h,
  isMarkLate,
  isShown,
  isUsable,
  nothingUsable,
  venueIds,
} from './rows/select.ts';
import { oldestTime } from './rows/value-times.ts';
import { weightedMean } from './rows/weighted.ts';

const venue = Type.Object({
  ...fundingRowSchema.properties,
  ...venueTotalsFields,
  index_price: nullable(
    number('Quote currency per unit of the base asset; null where the venue has no index'),
  ),
  basis_bps: nullable(number('(mark_price - index_price) / index_price x 10000')),
  best_bid: nullable(number('Best bid, where known')),
  best_ask: nullable(number('Best ask, where known')),
  spread_bps: nullable(number('(best_ask - best_bid) / mid x 10000')),
  slippage_10k_bps: nullable(number('Slippage of 10,000 USD over the mid, worse side; null without a book')),
});

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  asset_class: assetClass,
  venues_count: integer('Venues in venues'),
  ...venueCoverageFields,
  ...assetTotalsFields,
  oi_weighted_rate_8h: nullable(number('Mean of rate_8h weighted by open interest')),
  volume_weighted_mark_price: nullable(number('Mean of mark_price weighted by 24 h volume')),
  venues: Type.Array(venue),
  same_ticker: Type.Array(
    Type.Object({
      canonical_id: canonicalIdName,
      asset_class: text('What kind of asset it is'),
      venues: Type.Array(venueName),
    }),
    { description: 'Other assets that go by the same ticker, with the venues that list them' },
  ),
  note: text('What the figures leave out'),
});

type Snapshot = Static<typeof answer>;
type SnapshotVenue = Static<typeof venue>;

export const perpSnapshot = defineProduct({
  id: 'perp-snapshot',
  path: '/v1/perp/snapshot',
  access: 'paid',
  summary: 'One asset on all venues',
  description:
    'Everything that is known now of one asset: per venue funding, interval, mark, index, basis, next settlement, open interest, volume and best prices, other assets of the ticker, with totals and weighted means over the venues that are fresh and comparable.',
  tags: ['snapshot', 'funding', 'open-interest', 'perpetual-futures'],
  dependsOn: 'table',
  choice: choosesVenues,
  revisedAt: '2026-11-29T07:00:00.000Z',
  query: assetQuery,
  answer,
  example: { request: '/v1/perp/snapshot?ticker=BTC', answer: example },
  find: findAsset,
  books: booksOfAsset,
  compute: (asset, { clock, books, market }) =>
    snapshot(asset, {
      now: clock.now(),
      book: ({ venue, symbol }) => freshQuote(books, venue, symbol),
      sameTicker: sameTicker(market, asset),
    }),
});

/** The order books' figures for one row; everything in bps of the mid. */
export interface BookFigures {
  readonly bestBid: number;
  readonly bestAsk: number;
  /** Undefined when the book does not fill 10,000 USD. */
  readonly slippage10kBps: number | undefined;
}

export interface SnapshotSources {
  readonly now: UnixMs;
  readonly book?: (row: MarketRow) => BookFigures | undefined;
  readonly sameTicker?: Snapshot['same_ticker'];
}

/** Other assets behind an asset's ticker. */
function sameTicker(view: MarketView, { ticker, canonicalId }: AssetRows): Snapshot['same_ticker'] {
  const resolution = view.resolve(ticker);
  if (resolution.kind !== 'ambiguous') return [];
  return resolution.candidates
    .filter(({ canonical_id: id }) => id !== canonicalId)
    .map(({ canonical_id, asset_class, venues }) => ({ canonical_id, asset_class, venues: [...venues] }));
}

const NOTE =
  'Fresh comparable venues. Totals add what all contracts of the asset state, each venue by all of its own, and count venues that state none as unknown; weighted figures use the venues that have both parts and are not in closed hours, marks in the currencies that they are quoted in. Naive baseline, before fees and latency.';

/**
 * Everything current of one asset. oi_weighted_rate_8h = sum(rate_8h x open interest USD) / sum(open interest USD);
 * volume_weighted_mark_price likewise by 24 h volume. 503 not_ready or 404 no_data without a row.
 */
export function snapshot(asset: AssetRows, sources: SnapshotSources): Result<ProductAnswer<Snapshot>> {
  const rows = asset.rows.filter(isShown);
  const open = rows.filter(isUsable);
  const [first] = rows;
  if (first === undefined) return fail(nothingUsable(asset, 'row'));
  const coverage = venueCoverage(asset.listedBy, rows);
  const narrow = assetTooNarrow(asset, coverage, 'row', isMarkLate);
  if (narrow !== undefined) return fail(narrow);
  const infos = new Map(asset.listedBy.map((venue) => [venue.info.id, venue.info]));
  const body: Snapshot = {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    asset_class: first.assetClass,
    venues_count: rows.length,
    ...statedCoverage(coverage),
    ...assetTotals(asset, rows),
    oi_weighted_rate_8h: weightedMean(open.map((row) => [freshRate8h(row), row.openInterestUsd])) ?? null,
    volume_weighted_mark_price: weightedMean(open.map((row) => [row.markPrice, row.volume24hUsd])) ?? null,
    venues: rows.map((row) => snapshotVenue(row, infos.get(row.venue), asset.totalsOf(row.venue), sources)),
    same_ticker: sources.sameTicker ?? [],
    note: NOTE,
  };
  return ok(productAnswer(body, rows, venueIds(asset.listedBy), shownTime));
}

/** A venue shows values that were stated one by one: of those that it dates, the oldest. */
const shownTime = ({ updatedAt, fundingUpdatedAt, openInterestUpdatedAt }: MarketRow): UnixMs =>
  oldestTime(updatedAt, fundingUpdatedAt, openInterestUpdatedAt);

function snapshotVenue(
  row: MarketRow,
  info: VenueInfo | undefined,
  totals: VenueTotals | undefined,
  { now, book }: SnapshotSources,
): SnapshotVenue {
  const index = indexOf(row, info);
  const figures = row.marketOpen === false ? undefined : book?.(row);
  const bid = figures?.bestBid ?? row.bestBid;
  const ask = figures?.bestAsk ?? row.bestAsk;
  const { null_reasons: known, ...shown } = fundingRow(row, now, info);
  const stated: SnapshotVenue = {
    ...shown,
    ...statedVenueTotals(totals),
    index_price: index ?? null,
    basis_bps: basisBps(row.markPrice, index) ?? null,
    best_bid: bid ?? null,
    best_ask: ask ?? null,
    spread_bps: touchSpreadBps(bid, ask),
    slippage_10k_bps: figures?.slippage10kBps ?? null,
  };
  return withReasons(stated, {
    ...known,
    index_price: noIndex(info),
    basis_bps: index === undefined ? noIndex(info) : 'unknown',
    slippage_10k_bps: figures === undefined ? 'not_followed' : 'too_thin',
  });
}

/** (ask - bid) / mid x 10000. */
function touchSpreadBps(bid: number | undefined, ask: number | undefined): number | null {
  if (bid === undefined || ask === undefined || ask < bid) return null;
  return ((ask - bid) / ((ask + bid) / 2)) * 10_000;
}
