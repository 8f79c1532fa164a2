import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import { toBps } from '../domain/rate.ts';
import { asMs } from '../domain/units.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import { nullReasons, withReasons } from './answer/null-reason.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import {
  assetClass,
  boolean,
  canonicalIdName,
  integer,
  nullable,
  number,
  text,
  tickerName,
  timestamp,
  venueName,
} from './answer/schema.ts';
import { statedCoverage, venueCoverageFields } from './answer/venue-coverage.ts';
import { choosesAssets } from './choice/chooses.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-arbitrage-price.json' with { type: 'json' };
import { type Legs, widestLegs } from './funding/legs.ts';
import { contractFields, contractName } from './rows/contract-name.ts';
import { scanCoverage, scanTooNarrow } from './rows/enough-venues.ts';
import {
  type CommonQuote,
  commonQuote,
  type QuoteRates,
  quoteRates,
  statedRates,
  statedRatesSchema,
} from './rows/quote-rates.ts';
import { byWidth, comparableAssets, scanAnswer, scanLimit } from './rows/scan.ts';
import { isUsable } from './rows/select.ts';

const query = Type.Object({
  min_diff_bps: Type.Number({ minimum: 0, default: 10, description: 'Least spread, bps' }),
  limit: scanLimit,
});

const legFields = {
  venue: venueName,
  ...contractFields,
  mark_price: number('As the venue quotes it, per unit of the ticker'),
};
const leg = (description: string) => Type.Object(legFields, { description });

const opportunity = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  asset_class: assetClass,
  max_price: number('Highest mark price, in price_quote'),
  min_price: number('Lowest mark price, in price_quote'),
  mid_price: number('Mean of the two'),
  spread_bps: number('(max_price - min_price) / mid_price x 10000'),
  max_venue: venueName,
  min_venue: venueName,
  venues_count: integer('Venues compared'),
  updated_at: timestamp('Time of the older leg'),
  price_quote: nullable(
    text('Quote currency of both legs, or the unit of quote_rates; null where each price is in its own'),
  ),
  quote_adjusted: boolean('False where quote currencies differ and no measured rate ties them together'),
  max_leg: leg('The dearer contract'),
  min_leg: leg('The cheaper contract'),
  ...nullReasons,
});

type PriceOpportunity = Static<typeof opportunity>;

const answer = Type.Object({
  min_diff_bps: number('The threshold used'),
  count: integer('Opportunities returned'),
  ...venueCoverageFields,
  quote_rates: statedRatesSchema,
  opportunities: Type.Array(opportunity),
  naive_note: text('What the figures leave out'),
});

type ArbitragePrice = Static<typeof answer>;

export const perpArbitragePrice = defineProduct({
  id: 'perp-arbitrage-price',
  path: '/v1/perp/arbitrage/price',
  access: 'paid',
  summary: 'Mark-price gaps across venues',
  description:
    'Assets whose highest and lowest mark price across venues stand further apart than min_diff_bps, widest first, with both contracts. Unlike quote currencies are compared by rates measured from the venues’ own contracts, or flagged where there is none. Mark prices, not executable ones: fees, slippage and funding differences are excluded; not a profit forecast.',
  tags: ['arbitrage', 'mark-price', 'perpetual-futures'],
  dependsOn: 'table',
  choice: choosesAssets,
  revisedAt: '2026-11-29T07:00:00.000Z',
  query,
  answer,
  example: { request: '/v1/perp/arbitrage/price?min_diff_bps=1&limit=2', answer: example },
  compute: (asked, { market }) => arbitragePrice(market, asked),
});

const NOTE =
  'Naive baseline: mark prices, not executable ones; before fees, slippage, funding differences and latency. Prices in unlike quote currencies are compared by the rates of quote_rates, measured from the venues’ own contracts; where one is not known they are compared as they are, and quote_adjusted is false: such a spread may be no more than the difference of two currencies. Not a profit forecast.';

/** An asset whose marks differ by more than the threshold. */
interface Found extends Spread {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly venues: number;
}

interface Spread {
  readonly legs: Legs;
  readonly common: CommonQuote;
  readonly max: number;
  readonly min: number;
  readonly bps: number;
}

/**
 * Assets whose marks differ by more than `min_diff_bps` over fresh comparable venues, widest first, quote currencies
 * brought to one where a rate is known. mid_price = (max + min) / 2, spread_bps = (max - min) / mid x 10000; updated_at
 * is the time of the older leg. 503 not_ready where fewer than two venues have a fresh mark.
 */
export function arbitragePrice(
  view: MarketView,
  asked: Static<typeof query>,
): Result<ProductAnswer<ArbitragePrice>> {
  const coverage = scanCoverage(view, isUsable);
  const narrow = scanTooNarrow(coverage, 'comparable mark price');
  if (narrow !== undefined) return fail(narrow);
  const rates = quoteRates(view);
  const used: MarketRow[] = [];
  const found: Found[] = [];
  for (const rows of comparableAssets(view.rows())) {
    const spread = spreadOf(rows, rates);
    if (spread === undefined || !(spread.bps > asked.min_diff_bps)) continue;
    used.push(...rows);
    const { ticker, canonicalId } = spread.legs.low;
    found.push({ ...spread, ticker, canonical_id: canonicalId, venues: rows.length });
  }
  const opportunities = byWidth(found, (it) => it.bps)
    .slice(0, asked.limit)
    .map(opportunityOf);
  const body: ArbitragePrice = {
    min_diff_bps: asked.min_diff_bps,
    count: opportunities.length,
    ...statedCoverage(coverage),
    quote_rates: statedRates(rates),
    opportunities,
    naive_note: NOTE,
  };
  return ok(scanAnswer(view, body, used));
}

/**
 * The widest of all pairs: of prices brought to the unit of the rates where both have a rate, as they are where the
 * currency of one has none.
 */
function spreadOf(rows: readonly MarketRow[], rates: QuoteRates): Spread | undefined {
  const isTied = ({ quote }: MarketRow): boolean => rates.of(quote) !== undefined;
  const inUnit = ({ markPrice, quote }: MarketRow): number | undefined =>
    markPrice === undefined ? undefined : markPrice * (rates.of(quote) ?? Number.NaN);
  const untied = rows.filter((row) => !isTied(row));
  const adjusted = widestLegs(untied.length === 0 ? rows : rows.filter(isTied), inUnit);
  if (untied.length === 0) return measured(adjusted, rates);
  const asTheyAre = widestLegs(rows, (row) => row.markPrice);
  // The widest pair with an untied leg has one of these as that leg.
  const candidates = [adjusted, ...untied.flatMap((row) => pairedWith(row, asTheyAre))];
  let widest: Spread | undefined;
  for (const legs of candidates) {
    const spread = measured(legs, rates);
    if (spread !== undefined && !(spread.bps <= (widest?.bps ?? -1))) widest = spread;
  }
  return widest;
}

/** The row against the dearest and against the cheapest of its asset. */
function pairedWith(row: MarketRow, ends: Legs | undefined): readonly Legs[] {
  if (ends === undefined || row.markPrice === undefined) return [];
  const { low, high } = ends;
  return [...(row === low ? [] : [{ low, high: row }]), ...(row === high ? [] : [{ low: row, high }])];
}

function measured(legs: Legs | undefined, rates: QuoteRates): Spread | undefined {
  if (legs?.high.markPrice === undefined || legs.low.markPrice === undefined) return undefined;
  const common = commonQuote([legs.high.quote, legs.low.quote], rates);
  const max = legs.high.markPrice * common.factor(legs.high.quote);
  const min = legs.low.markPrice * common.factor(legs.low.quote);
  return { legs, common, max, min, bps: toBps((max - min) / ((max + min) / 2)) };
}

function opportunityOf({ legs, common, max, min, bps, venues }: Found): PriceOpportunity {
  const { low, high } = legs;
  const shown: PriceOpportunity = {
    ticker: low.ticker,
    canonical_id: low.canonicalId,
    asset_class: low.assetClass,
    max_price: max,
    min_price: min,
    mid_price: (max + min) / 2,
    spread_bps: bps,
    max_venue: high.venue,
    min_venue: low.venue,
    venues_count: venues,
    updated_at: iso(asMs(Math.min(low.updatedAt, high.updatedAt))),
    price_quote: common.quote,
    quote_adjusted: common.adjusted,
    max_leg: priceLeg(high),
    min_leg: priceLeg(low),
  };
  return withReasons(shown, { price_quote: 'rate_unknown' });
}

const priceLeg = (row: MarketRow) => ({
  venue: row.venue,
  ...contractName(row),
  mark_price: row.markPrice ?? 0,
});
