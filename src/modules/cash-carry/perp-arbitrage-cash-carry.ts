import Type, { type Static } from 'typebox';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { MarketRow } from '../../market/view.ts';
import { withReasons } from '../../products/answer/null-reason.ts';
import { fundingTime, type ProductAnswer } from '../../products/answer/product-answer.ts';
import {
  boolean,
  canonicalIdName,
  integer,
  nullable,
  number,
  text,
  tickerName,
  timestamp,
} from '../../products/answer/schema.ts';
import { statedCoverage, venueCoverageFields } from '../../products/answer/venue-coverage.ts';
import { notional } from '../../products/books/terms.ts';
import { choosesAssetsOfOne } from '../../products/choice/chooses.ts';
import { defineProduct, type Ports } from '../../products/define-product.ts';
import { feesField, statedFees } from '../../products/rows/asked-fees.ts';
import { scanCoverage, tooNarrow } from '../../products/rows/enough-venues.ts';
import { quoteRates } from '../../products/rows/quote-rates.ts';
import { eachFreshAsset, scanAnswer, scanLimit } from '../../products/rows/scan.ts';
import { isRated } from '../../products/rows/select.ts';
import { isoOrNull } from '../../products/rows/value-times.ts';
import type { SpotRow } from '../spot-market/market/spot-table.ts';
import type { SpotSide } from '../spot-market/port.ts';
import { chosenSpot, readSide } from '../spot-market/select-spot.ts';
import { bestPair } from './best-pair.ts';
import { borrowTimes, byNetApr, type CarryPair, carryPair, touchedPerp } from './carry-pair.ts';
import {
  type CarryFees,
  carryQuery,
  directionsOf,
  readCarryFees,
  spotFeesField,
  statedSpotFees,
} from './carry-query.ts';
import example from './examples/perp-arbitrage-cash-carry.json' with { type: 'json' };
import { pairFields, pairRow } from './pair-row.ts';
import { liveSpot, type SpotLeg, smaller, touchedLeg } from './spot-leg.ts';

const query = Type.Object({
  ...carryQuery,
  notional_usd: Type.Optional(
    notional(
      'Size of a leg, USD: opportunities say whether both touches fill it, and sell no coin of which one account may borrow less',
    ),
  ),
  min_open_interest_usd: Type.Number({
    minimum: 0,
    default: 0,
    description: 'Least open interest of the perpetual, USD; above 0, one that is not known is left out',
  }),
  limit: scanLimit,
});

const opportunity = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  ...pairFields,
  touch_usd: nullable(
    number('Smallest of the four sizes at the best prices, USD; null where one is not stated'),
  ),
  fills_at_touch: Type.Optional(nullable(boolean('With notional_usd: whether touch_usd is at least that'))),
  perp_open_interest_usd: nullable(number('USD')),
  perp_volume_24h_usd: nullable(number('USD')),
  spot_volume_24h_usd: nullable(number('USD')),
  updated_at: nullable(timestamp('Time of the oldest value behind it')),
});

const count = (description: string) => integer(`Assets ${description}`);

const answer = Type.Object({
  count: integer('Opportunities returned'),
  ...venueCoverageFields,
  notional_usd: Type.Optional(integer('Size that was asked for, USD')),
  holding_days: number('Days that net APRs hold a position for'),
  ...feesField,
  ...spotFeesField,
  assessed: count('with a pair of which all inputs are known'),
  unassessed: Type.Object(
    {
      no_spot: count('without a spot market in dollars at the price of their perpetuals'),
      too_small: count(
        'whose perpetuals all have less open interest than was asked for, or none that is known',
      ),
      apart: count('whose pairs all stand more than 3 % apart'),
      input_unknown: count(
        'whose pairs all lack an input: a touch, a fee, a rate, an interval or a borrow rate',
      ),
      beyond_borrow_limit: count('whose known pairs all borrow more at notional_usd than can be'),
    },
    { description: 'Assets that were not assessed, by reason' },
  ),
  methodology: text('Inputs and exclusions'),
  opportunities: Type.Array(opportunity, { description: 'The highest all_in_net_apr_pct first' }),
});

const METHODOLOGY =
  'Per asset the pair of a spot market and a fresh comparable perpetual, in either direction, with the highest net APR after all costs. Costs as in /v1/perp/cash-carry, from best bids and asks alone: no books are fetched, entry slips by half of each spread, touch_usd says what is there at these prices, and the usual gap is taken as 0. Venues whose bulk quotes have no touch are left out of it. A pair whose inputs are not all known is not ranked, nor one that would borrow more at notional_usd than can be borrowed. A naive baseline derived from present values, not a profit forecast.';

/** The inputs of a scan. */
interface FoundScan {
  readonly side: SpotSide;
  readonly fees: CarryFees;
}

export const perpArbitrageCashCarry = defineProduct({
  id: 'perp-arbitrage-cash-carry',
  path: '/v1/perp/arbitrage/cash-carry',
  access: 'paid',
  summary: 'Cash and carry over all assets',
  description:
    'Scan over all assets: per asset the spot market and the perpetual whose carry nets most after borrow, four taker fees, both spreads and the gap between them, with the size at the touch. From best bids and asks; the books of one asset are in /v1/perp/cash-carry. Derived from present values, not a profit forecast.',
  tags: ['arbitrage', 'cash-and-carry', 'spot', 'funding', 'basis'],
  dependsOn: 'second',
  choice: choosesAssetsOfOne,
  revisedAt: '2026-11-30T22:30:00.000Z',
  query,
  answer,
  example: { request: '/v1/perp/arbitrage/cash-carry?limit=2', answer: example },
  find: (asked, ports): Result<FoundScan> => {
    const fees = readCarryFees(asked, ports.market);
    if (!fees.ok) return fees;
    const narrow = tooNarrow(scanCoverage(ports.market, isRated), 'comparable funding rate');
    if (narrow !== undefined) return fail(narrow);
    const side = readSide(ports);
    return side.ok ? ok({ side: side.value, fees: fees.value }) : fail(side.error);
  },
  compute: scan,
});

/** Reasons for which an asset has no pair that is ranked. */
type Unassessed = 'no_spot' | 'too_small' | 'apart' | 'input_unknown' | 'beyond_borrow_limit';

/** Assets with the best pair of each, and how many have none, by reason. */
interface Survey {
  readonly pairs: readonly CarryPair[];
  readonly unassessed: Readonly<Record<Unassessed, number>>;
}

function survey(found: FoundScan, ports: Ports, asked: Static<typeof query>): Survey {
  const { market } = ports;
  const spotOf = liveSpot(chosenSpot(found.side, ports), market);
  const pairIn = pairing(found, ports, asked);
  const pairs: CarryPair[] = [];
  const unassessed = { no_spot: 0, too_small: 0, apart: 0, input_unknown: 0, beyond_borrow_limit: 0 };
  for (const rows of eachFreshAsset(market.rows())) {
    const [first] = rows;
    const best = first === undefined ? 'no_spot' : pairIn(spotOf(first.canonicalId), rows);
    if (typeof best === 'string') unassessed[best] += 1;
    else pairs.push(best);
  }
  return { pairs, unassessed };
}

/** Finds the best pair of an asset among its spot markets and perpetuals, or why none is ranked. */
function pairing({ side, fees }: FoundScan, { market, books, clock }: Ports, asked: Static<typeof query>) {
  const { holding_days: holdingDays, min_open_interest_usd: least, notional_usd: askedUsd } = asked;
  const now = clock.now();
  const venues = new Map(market.venues().map((venue) => [venue.info.id, venue]));
  const terms = { rates: quoteRates(market), holdingDays, atTouch: true, askedUsd, pastGap: undefined };
  const ways = directionsOf(asked.direction);
  const isLarge = ({ openInterestUsd: usd }: MarketRow): boolean =>
    least === 0 || (usd !== undefined && usd >= least);
  return (spots: readonly SpotRow[], rows: readonly MarketRow[]): CarryPair | Unassessed => {
    if (spots.length === 0) return 'no_spot';
    const large = rows.filter(isLarge);
    if (large.length === 0) return 'too_small';
    const legs = spots.map((row) => touchedLeg(row, side, now, fees.spot));
    const perps = large.map((row) => touchedPerp(row, venues.get(row.venue), fees.perp, books.passive));
    const best = bestPair(ways, legs, perps, terms);
    if (best !== undefined) return best;
    const isPair = (leg: SpotLeg): boolean =>
      perps.some((perp) => carryPair('long_spot', leg, perp, terms) !== undefined);
    if (!legs.some(isPair)) return 'apart';
    const isKnown = bestPair(ways, legs, perps, { ...terms, askedUsd: undefined }) !== undefined;
    return isKnown ? 'beyond_borrow_limit' : 'input_unknown';
  };
}

/** The best pairs of all assets. Of the present alone, read at one moment. 404 where no asset that is looked at has a spot market. */
function scan(
  found: FoundScan,
  ports: Ports,
  asked: Static<typeof query>,
): Result<ProductAnswer<Static<typeof answer>>> {
  const { market } = ports;
  const { notional_usd: usd, holding_days: holdingDays, limit } = asked;
  const { pairs, unassessed } = survey(found, ports, asked);
  const { no_spot: _, ...withSpot } = unassessed;
  if (pairs.length === 0 && Object.values(withSpot).every((number) => number === 0))
    return fail({ code: 'no_data', detail: 'No spot market is of the venues and currencies asked for' });
  const shown = [...pairs].sort(byNetApr).slice(0, limit);
  const body: Static<typeof answer> = {
    count: shown.length,
    ...statedCoverage(scanCoverage(market, isRated)),
    ...(usd !== undefined && { notional_usd: usd }),
    holding_days: holdingDays,
    ...statedFees(found.fees.perp),
    ...statedSpotFees(found.fees.spot),
    assessed: pairs.length,
    unassessed,
    methodology: METHODOLOGY,
    opportunities: shown.map((pair) => opportunityOf(pair, usd)),
  };
  const { asOf, sources } = scanAnswer(
    market,
    undefined,
    shown.map(({ perp }) => perp.row),
    fundingTime,
  );
  const oldest = Math.min(asOf ?? Number.POSITIVE_INFINITY, ...shown.map(oldestOf));
  const used = new Set([...sources.used, ...shown.map(({ spot }) => spot.market.venue)]);
  const missing = sources.missing.filter((venue) => !used.has(venue));
  return ok({
    body,
    asOf: Number.isFinite(oldest) ? asMs(oldest) : undefined,
    sources: { used: [...used], missing },
  });
}

/** The oldest value behind a pair: its rate, both touches, and the borrow rate of a coin that is sold. */
const oldestOf = (pair: CarryPair): UnixMs => {
  const { spot, perp } = pair;
  const times = [spot.receivedAt, fundingTime(perp.row), perp.row.updatedAt, ...borrowTimes(pair)];
  return asMs(Math.min(...times));
};

function opportunityOf(pair: CarryPair, usd: number | undefined): Static<typeof opportunity> {
  const { spot, perp } = pair;
  const { null_reasons: why = {}, ...row } = pairRow(pair);
  const touch = smaller([spot.visibleUsd, perp.visibleUsd]);
  const shown = {
    ticker: perp.row.ticker,
    canonical_id: perp.row.canonicalId,
    ...row,
    touch_usd: touch ?? null,
    ...(usd !== undefined && { fills_at_touch: touch === undefined ? null : touch >= usd }),
    perp_open_interest_usd: perp.row.openInterestUsd ?? null,
    perp_volume_24h_usd: perp.row.volume24hUsd ?? null,
    spot_volume_24h_usd: spot.ticker.volume24hUsd ?? null,
    updated_at: isoOrNull(oldestOf(pair)),
  };
  // A pair that is ranked has both touches: of spot, what may be missing is a size that the venue does not state.
  const untold = spot.visibleUsd === undefined ? 'not_published' : 'not_followed';
  return withReasons(shown, { ...why, touch_usd: untold, fills_at_touch: untold });
}
