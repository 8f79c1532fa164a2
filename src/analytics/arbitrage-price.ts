import { iso } from '../domain/clock.ts';
import { toBps } from '../domain/rate.ts';
import { asMs } from '../domain/units.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { type Legs, widestLegs } from './legs.ts';
import { type WithReasons, withReasons } from './null-reason.ts';
import type { ProductAnswer } from './product-answer.ts';
import {
  type CommonQuote,
  commonQuote,
  type QuoteRates,
  quoteRates,
  type StatedRates,
  statedRates,
} from './quote-rates.ts';
import { byWidth, comparableAssets, scanAnswer } from './scan.ts';

export interface ArbitragePrice {
  readonly min_diff_bps: number;
  readonly count: number;
  /** By what prices in unlike quote currencies are compared. */
  readonly quote_rates: StatedRates;
  readonly opportunities: readonly PriceOpportunity[];
  readonly naive_note: string;
}

/** Prices in `price_quote` per base unit. */
export interface PriceOpportunity extends WithReasons {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly asset_class: string;
  readonly max_price: number;
  readonly min_price: number;
  readonly mid_price: number;
  readonly spread_bps: number;
  readonly max_venue: string;
  readonly min_venue: string;
  readonly venues_count: number;
  readonly updated_at: string;
  /** The quote of both legs, or the unit of `quote_rates`; null where each price is in its own. */
  readonly price_quote: string | null;
  /** False where the legs' quotes differ and no measured rate ties them together. */
  readonly quote_adjusted: boolean;
  readonly max_leg: PriceLeg;
  readonly min_leg: PriceLeg;
}

export interface PriceLeg extends ContractName {
  readonly venue: string;
  /** As the venue quotes it, per unit of the ticker. */
  readonly mark_price: number;
}

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
 * Assets whose marks differ by more than `minDiffBps` over fresh comparable venues, widest first, quote currencies
 * brought to one where a rate is known. mid_price = (max + min) / 2, spread_bps = (max - min) / mid x 10000; updated_at
 * is the time of the older leg.
 */
export function arbitragePrice(
  view: MarketView,
  query: { readonly minDiffBps: number; readonly limit: number },
): ProductAnswer<ArbitragePrice> {
  const rates = quoteRates(view);
  const used: MarketRow[] = [];
  const found: Found[] = [];
  for (const rows of comparableAssets(view.rows())) {
    const spread = spreadOf(rows, rates);
    if (spread === undefined || !(spread.bps > query.minDiffBps)) continue;
    used.push(...rows);
    const { ticker, canonicalId } = spread.legs.low;
    found.push({ ...spread, ticker, canonical_id: canonicalId, venues: rows.length });
  }
  const opportunities = byWidth(found, (it) => it.bps)
    .slice(0, query.limit)
    .map(opportunityOf);
  const body: ArbitragePrice = {
    min_diff_bps: query.minDiffBps,
    count: opportunities.length,
    quote_rates: statedRates(rates),
    opportunities,
    naive_note: NOTE,
  };
  return scanAnswer(view, body, used);
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
  const opportunity = {
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
  return withReasons(opportunity, { price_quote: 'rate_unknown' });
}

const priceLeg = (row: MarketRow): PriceLeg => ({
  venue: row.venue,
  ...contractName(row),
  mark_price: row.markPrice ?? 0,
});
