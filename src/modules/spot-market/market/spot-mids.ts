import { iso } from '../../../domain/clock.ts';
import { basisBps } from '../../../domain/rate.ts';
import { asMs } from '../../../domain/units.ts';
import type { VenueId } from '../../../domain/venue.ts';
import type { MarketRow } from '../../../market/view.ts';
import { currencyOf } from '../../../products/rows/currency.ts';
import { type QuoteRates, quoteRates } from '../../../products/rows/quote-rates.ts';
import type { NoSpotMid, SpotMid, SpotMidsBeside } from '../../../products/rows/spot-mid.ts';
import { SPOT_LIMIT_MS } from '../select-spot.ts';
import { APART_LIMIT, apartFrom, type QuoteTie, quoteTie } from './apart.ts';
import { midOf } from './spot-price.ts';
import type { LeftOut, SpotRow, SpotVenueState, SpotView } from './spot-table.ts';

/** A spot market with the middle that its venue's bulk call tells. */
interface MidRow extends SpotRow {
  readonly mid: number;
}

const nothing = (reason: NoSpotMid): SpotMid => ({
  fields: {
    spot_venue: null,
    spot_symbol: null,
    spot_quote: null,
    spot_relation: null,
    spot_mid: null,
    spot_basis_bps: null,
    spot_updated_at: null,
    spot_reason: reason,
  },
  at: undefined,
});

/**
 * The middle of spot beside a perpetual is that of its own venue where it has a market of the asset, else of the one that trades
 * most of it; of several first one in the currency of the perpetual, and the coin before a bridged claim on it. A market whose
 * currency no rate ties to the perpetual's comes after all others. None that is further from the perpetual's index than pairs may be.
 */
export const spotMidsBeside =
  (spot: Pick<SpotView, 'rowsOf' | 'leftOut' | 'venues'>): SpotMidsBeside =>
  (rows, { market, clock }) => {
    const [first] = rows;
    if (first === undefined) return [];
    const since = asMs(clock.now() - SPOT_LIMIT_MS);
    const listed = spot.rowsOf(first.canonicalId, market);
    if (listed.length === 0) {
      const reason = unlisted(spot.venues(), spot.leftOut(first.canonicalId, market, since));
      return rows.map(() => nothing(reason));
    }
    const isLive = (venue: VenueId): boolean => market.venue(venue)?.status === 'live';
    const young = listed.filter(({ receivedAt }) => receivedAt >= since);
    const rates = quoteRates(market);
    return rows.map((row) => {
      const usable = young.filter(({ market: { venue } }) => venue === row.venue || isLive(venue));
      const known = usable.flatMap((spotRow) => middleOf(spotRow) ?? []);
      if (known.length > 0) return midBeside(row, known, rates);
      return nothing(usable.length > 0 ? 'not_stated' : 'stale');
    });
  };

/** The reason for which no market of an asset's name counts as one of it. */
function unlisted(venues: readonly SpotVenueState[], { apart, untold, old }: LeftOut): NoSpotMid {
  if (apart > 0) return 'price_differs';
  if (untold > 0) return 'no_index';
  // Prices of before, beside perpetuals of now, differ by what has happened since.
  if (old > 0) return 'stale';
  const isHeard = venues.length > 0 && venues.every(({ tickersAt }) => tickersAt !== undefined);
  return isHeard ? 'no_market' : 'not_received';
}

function middleOf(row: SpotRow): MidRow | undefined {
  const mid = midOf(row.ticker) ?? row.ticker.midPrice;
  return mid === undefined ? undefined : { ...row, mid };
}

function midBeside(row: MarketRow, known: readonly MidRow[], rates: QuoteRates): SpotMid {
  const tied = known.map((spot) => ({ spot, tie: quoteTie(spot.market.quote, row.quote, rates) }));
  const near = tied.filter(({ spot: { mid }, tie }) => {
    const apart = apartFrom(mid, row, tie);
    return apart !== undefined && Math.abs(apart) <= APART_LIMIT;
  });
  const [best] = near.toSorted((a, b) => nearness(b, row) - nearness(a, row) || byTrade(a.spot, b.spot));
  return best === undefined ? nothing('price_differs') : shown(row, best.spot, best.tie);
}

/** A middle with the worth of both quotes in one currency. */
interface TiedMid {
  readonly spot: MidRow;
  readonly tie: QuoteTie | undefined;
}

/** A known rate counts before the venue, the venue before the currency, and the currency before what the token is. */
function nearness({ spot: { market }, tie }: TiedMid, { venue, quote }: MarketRow): number {
  const isOwn = market.venue === venue;
  const isSameQuote = currencyOf(market.quote) === currencyOf(quote);
  const isCoin = market.relation === undefined;
  return (tie === undefined ? 0 : 8) + (isOwn ? 4 : 0) + (isSameQuote ? 2 : 0) + (isCoin ? 1 : 0);
}

const nameOf = ({ market: { venue, symbol } }: MidRow): string => `${venue}\t${symbol}`;

const byTrade = (a: MidRow, b: MidRow): number =>
  (b.ticker.volume24hUsd ?? 0) - (a.ticker.volume24hUsd ?? 0) || (nameOf(a) < nameOf(b) ? -1 : 1);

function shown(
  { markPrice }: MarketRow,
  { market, mid, receivedAt }: MidRow,
  tie: QuoteTie | undefined,
): SpotMid {
  const bps =
    tie === undefined || markPrice === undefined ? undefined : basisBps(markPrice * tie.perp, mid * tie.spot);
  return {
    fields: {
      spot_venue: market.venue,
      spot_symbol: market.symbol,
      spot_quote: market.quote,
      spot_relation: market.relation ?? 'same',
      spot_mid: mid,
      spot_basis_bps: bps ?? null,
      spot_updated_at: iso(receivedAt),
      spot_reason: tie === undefined ? 'rate_unknown' : null,
    },
    at: receivedAt,
  };
}
