import Type, { type Static } from 'typebox';
import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { MarketRow, TrackedVenue } from '../../market/view.ts';
import { withReasons } from '../../products/answer/null-reason.ts';
import { fundingTime, type ProductAnswer } from '../../products/answer/product-answer.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
} from '../../products/answer/schema.ts';
import { statedCoverage, venueCoverage, venueCoverageFields } from '../../products/answer/venue-coverage.ts';
import { sizedBooksOfAsset } from '../../products/books/asset-books.ts';
import { bookMissing, isBookRead } from '../../products/books/book-source.ts';
import { DEPTH_CLASSES } from '../../products/books/leg-book.ts';
import { notional } from '../../products/books/terms.ts';
import { choosesVenuesOfOne } from '../../products/choice/chooses.ts';
import { defineProduct, type Ports } from '../../products/define-product.ts';
import { spansFinder } from '../../products/funding/settled-means.ts';
import { fromStore } from '../../products/history/stored.ts';
import { assetQuery, findAsset } from '../../products/rows/asked.ts';
import { feesField, statedFees } from '../../products/rows/asked-fees.ts';
import { assetTooNarrow } from '../../products/rows/enough-venues.ts';
import {
  type QuoteRates,
  quoteRates,
  statedRates,
  statedRatesSchema,
} from '../../products/rows/quote-rates.ts';
import {
  type AssetRows,
  isMarkLate,
  nothingUsable,
  notReady,
  usableRows,
} from '../../products/rows/select.ts';
import { bookNames } from '../spot-market/books/book-state.ts';
import { type FoundSpot, findSpot } from '../spot-market/select-spot.ts';
import {
  bookedPerp,
  borrowTimes,
  byNetApr,
  type CarryPair,
  carryPair,
  type PairTerms,
  type PerpLeg,
} from './carry-pair.ts';
import {
  type CarryFees,
  carryQuery,
  directionsOf,
  readCarryFees,
  spotFeesField,
  statedSpotFees,
} from './carry-query.ts';
import example from './examples/perp-cash-carry.json' with { type: 'json' };
import { perpLegRow, perpLegSchema, spotLegRow, spotLegSchema } from './leg-rows.ts';
import { pairFields, pairRow } from './pair-row.ts';
import { usualGapSchema } from './shown-gap.ts';
import { bookedLeg, liveSpot, type SpotLeg, smaller } from './spot-leg.ts';
import { readPastGaps } from './usual-gaps.ts';

const query = Type.Object({
  ...assetQuery.properties,
  ...carryQuery,
  notional_usd: Type.Optional(
    notional('Size of a leg, USD: costs and gap are of it instead of at most 10,000'),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most pairs to return' }),
});

const pair = Type.Object({
  ...pairFields,
  usual_gap: usualGapSchema,
  max_notional_usd: nullable(
    integer(
      'Largest of 1000, 5000 and 10000 that both books fill and, with short_spot, borrow_limit_usd allows, else 0; null where a book is not known',
    ),
  ),
  visible_usd: nullable(number('Smallest side of both books within 100 bps of their middles, USD')),
  depth_class: oneOf(DEPTH_CLASSES, {
    description:
      'Of both books, whatever can be borrowed. deep: 10,000 USD at no more than 5 bps on each leg; medium: 10,000; thin: 1,000; none: less; unknown: a leg has no fresh book',
  }),
});

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  notional_usd: Type.Optional(integer('Size of each leg, USD; only where it was asked for')),
  holding_days: number('Days that net APRs hold a position for'),
  ...feesField,
  ...spotFeesField,
  ...venueCoverageFields,
  quote_rates: statedRatesSchema,
  pairs_count: integer('Pairs returned'),
  pairs_total: integer('Pairs of the asset in the directions asked for'),
  pairs_apart: integer('Pairs that are left out: the spot price is more than 3 % from the index'),
  pairs: Type.Array(pair, { description: 'The highest all_in_net_apr_pct first; what is not known last' }),
  spot_markets: Type.Array(spotLegSchema, { description: 'The spot legs of these' }),
  perps: Type.Array(perpLegSchema, { description: 'The perpetuals of these' }),
  methodology: text('Inputs and exclusions'),
});

const METHODOLOGY =
  'Each spot market of the asset against each fresh comparable perpetual, in both directions. Inputs: funding rate and interval of now, borrow rate of the lowest tier, public taker fees of entry and exit of both legs, books walked at notional_usd, else at the largest of 1,000, 5,000 and 10,000 USD that both fill and that one account may borrow where the venue says how much; prices in one currency at the rates of now. Costs are those of the funding signal; the usual gap is the mean of seven days of stored hours, taken as 0 where less than half of them are known. A gain by the gap is not counted. Excluded: margin, transfers between venues, changes of rates, and latency. A naive baseline derived from present values, not a profit forecast.';

/** The inputs of an answer. */
interface FoundCarry {
  readonly asset: AssetRows;
  readonly spot: FoundSpot;
  readonly fees: CarryFees;
}

export const perpCashCarry = defineProduct({
  id: 'perp-cash-carry',
  path: '/v1/perp/cash-carry',
  access: 'paid',
  summary: 'Cash and carry of an asset',
  description:
    'Each spot market of an asset against each of its perpetuals, both ways: gap executable now, funding now and settled, borrow, four fees, both books walked at a size, all-in cost, days to break even and net APR over a holding period, with what is not known named. Derived from present values, not a profit forecast.',
  tags: ['cash-and-carry', 'spot', 'funding', 'basis', 'borrow-rate'],
  dependsOn: 'second',
  choice: choosesVenuesOfOne,
  revisedAt: '2026-11-30T23:10:00.000Z',
  query,
  answer,
  example: { request: '/v1/perp/cash-carry?ticker=BTC&limit=2', answer: example },
  find: findCarry,
  books: ({ asset, spot }, asked) => [
    ...sizedBooksOfAsset(asset, asked),
    ...bookNames(
      spot.rows.map(({ market }) => market),
      spot.side.books,
    ),
  ],
  compute: (found, ports, asked) => cashCarry(found, ports, asked),
});

/** Failures of names and fees as elsewhere; 503 or 404 where no perpetual, or no spot market, can be used. */
function findCarry(asked: Static<typeof query>, ports: Ports): Result<FoundCarry> {
  const asset = findAsset(asked, ports);
  if (!asset.ok) return asset;
  const fees = readCarryFees(asked, ports.market);
  if (!fees.ok) return fees;
  if (usableRows(asset.value).length === 0) return fail(nothingUsable(asset.value, 'row'));
  const { canonicalId, listedBy } = asset.value;
  const coverage = venueCoverage(listedBy, usableRows(asset.value));
  const narrow = assetTooNarrow(asset.value, coverage, 'mark price', isMarkLate);
  if (narrow !== undefined) return fail(narrow);
  const spot = findSpot(asked, ports);
  if (!spot.ok) return spot;
  const rows = liveSpot(() => spot.value.rows, ports.market)(canonicalId);
  if (rows.length === 0)
    return fail(notReady(`No venue with a spot market of ${canonicalId} is live`, listedBy));
  return ok({ asset: asset.value, spot: { ...spot.value, rows }, fees: fees.value });
}

async function cashCarry(
  { asset, spot, fees }: FoundCarry,
  ports: Ports,
  asked: Static<typeof query>,
): Promise<Result<ProductAnswer<Static<typeof answer>>>> {
  const { market, books, clock, history } = ports;
  const now = clock.now();
  const { notional_usd: usd, holding_days: holdingDays } = asked;
  const venues = new Map(asset.listedBy.map((venue) => [venue.info.id, venue]));
  const rows = usableRows(asset);
  const perps = rows.map((row) => bookedPerp(row, venues.get(row.venue), fees.perp, books.passive, usd));
  const spots = spot.rows.map((row) => bookedLeg(row, spot.side, now, fees.spot, usd));
  const missing = unpriced(asset.canonicalId, spots, perps, venues);
  if (missing !== undefined) return fail(missing);
  const rates = quoteRates(market);
  // All of the present is read; the past may come later.
  const markets = spot.rows.map((row) => row.market);
  const [pastGap, stored] = await Promise.all([
    readPastGaps(asset.canonicalId, markets, rows, now, ports),
    history?.reader.settledSpans(),
  ]);
  const paid = stored === undefined ? ok([]) : fromStore(stored);
  if (!paid.ok) return paid;
  const found = pairsOf(spots, perps, asked, {
    rates,
    holdingDays,
    atTouch: false,
    askedUsd: usd,
    pastGap,
  });
  const shown = found.pairs.slice(0, asked.limit);
  const find = stored && spansFinder(paid.value);
  const legs = distinct(shown.map((each) => each.perp));
  const body = {
    ...headOf({ asset, fees }, rows, rates, asked),
    pairs_count: shown.length,
    pairs_total: found.pairs.length,
    pairs_apart: found.apart,
    pairs: shown.map(sizedPair),
    spot_markets: distinct(shown.map((each) => each.spot)).map(spotLegRow),
    perps: legs.map((leg) => perpLegRow(leg, find)),
    methodology: METHODOLOGY,
  };
  return ok({ body, ...lineageOf(shown, found.pairs, now, [...spot.venues, ...venues.keys()]) });
}

function headOf(
  { asset, fees }: Pick<FoundCarry, 'asset' | 'fees'>,
  rows: readonly MarketRow[],
  rates: QuoteRates,
  { notional_usd: usd, holding_days: holdingDays }: Static<typeof query>,
) {
  return {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    ...(usd !== undefined && { notional_usd: usd }),
    holding_days: holdingDays,
    ...statedFees(fees.perp),
    ...statedSpotFees(fees.spot),
    ...statedCoverage(venueCoverage(asset.listedBy, rows)),
    quote_rates: statedRates(rates),
  };
}

/** 503 where no leg of a side has a book although some are read: an answer without any price is not sold. */
function unpriced(
  canonicalId: string,
  spots: readonly SpotLeg[],
  perps: readonly PerpLeg[],
  venues: ReadonlyMap<VenueId, TrackedVenue>,
): Failure | undefined {
  const isPriced = ({ book }: SpotLeg | PerpLeg): boolean => book !== undefined;
  if (!spots.some(isPriced) && spots.some(({ bookReason }) => bookReason === 'not_received'))
    return bookMissing(`No order book of a spot market of ${canonicalId} has come`);
  if (!perps.some(isPriced) && perps.some(({ row }) => isBookRead(row, venues.get(row.venue))))
    return bookMissing(`No order book of a perpetual of ${canonicalId} has come`);
  return undefined;
}

/** All pairs of some legs, the best first, and how many are no pair. */
function pairsOf(
  spots: readonly SpotLeg[],
  perps: readonly PerpLeg[],
  { direction }: Static<typeof query>,
  terms: PairTerms,
) {
  const all = directionsOf(direction).flatMap((way) =>
    spots.flatMap((leg) => perps.map((perp) => carryPair(way, leg, perp, terms))),
  );
  const pairs = all.flatMap((made) => made ?? []).sort(byNetApr);
  return { pairs, apart: all.length - pairs.length };
}

function sizedPair(made: CarryPair): Static<typeof pair> {
  const { depth, spot, perp } = made;
  const { null_reasons: why, ...row } = pairRow(made);
  const shown = {
    ...row,
    usual_gap: [...made.usual],
    max_notional_usd: depth.maxNotionalUsd ?? null,
    visible_usd: smaller([spot.visibleUsd, perp.visibleUsd]) ?? null,
    depth_class: depth.depthClass,
  };
  return withReasons(shown, { ...why, max_notional_usd: 'not_followed', visible_usd: 'not_followed' });
}

const distinct = <Leg>(legs: readonly Leg[]): readonly Leg[] => [...new Set(legs)];

/** The oldest value behind the pairs that are shown, and the venues of all. @param now where there is none */
function lineageOf(
  shown: readonly CarryPair[],
  pairs: readonly CarryPair[],
  now: UnixMs,
  expected: readonly string[],
) {
  const timesOf = (pair: CarryPair): readonly number[] => [...spotTimes(pair), ...perpTimes(pair.perp)];
  const used = new Set(pairs.flatMap(({ spot, perp }) => [spot.market.venue, perp.row.venue]));
  const missing = distinct(expected.filter((venue) => !used.has(venue)));
  return { asOf: asMs(Math.min(now, ...shown.flatMap(timesOf))), sources: { used: [...used], missing } };
}

const spotTimes = (pair: CarryPair): readonly number[] => {
  const { receivedAt, book } = pair.spot;
  const times = [receivedAt, ...borrowTimes(pair)];
  return book === undefined ? times : [...times, book.confirmedAt];
};

const perpTimes = ({ row, book }: PerpLeg): readonly number[] =>
  book === undefined ? [fundingTime(row)] : [fundingTime(row), book.confirmedAt];
