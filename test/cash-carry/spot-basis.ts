/** The middle of spot beside a row of the basis, found from what the spot markets themselves are answered as. It shares no code with the service. */

import type { Json } from './recompute.ts';

/** Worth of a quote currency in one unit; undefined where it is not known. */
type WorthOf = (quote: string) => number | undefined;

const LIMIT = 0.03;
/** Names of Tether's own coin. */
const TETHER: ReadonlySet<unknown> = new Set(['USDT0', 'USD₮0', 'USD₮']);
const currency = (quote: unknown): string => (TETHER.has(quote) ? 'USDT' : String(quote));

/** The rates that an answer states. */
export function statedWorth({ unit, rates }: Json): WorthOf {
  const stated = new Map((rates as readonly Json[]).map(({ quote, rate }) => [String(quote), Number(rate)]));
  return (quote) => (quote === unit ? 1 : stated.get(quote));
}

/** The factor from one currency to another; undefined where either has no rate. */
function factor(from: string, to: string, worthOf: WorthOf): number | undefined {
  if (from === to) return 1;
  const a = worthOf(from);
  const b = worthOf(to);
  return a === undefined || b === undefined ? undefined : a / b;
}

interface Candidate {
  readonly market: Json;
  readonly mid: number;
  /** Units of the perpetual's quote in one of the spot market's; undefined where no rate is known. */
  readonly worth: number | undefined;
}

const isIndexOld = ({ updated_at: at, index_updated_at: indexAt }: Json): boolean =>
  typeof indexAt === 'string' && Date.parse(String(at)) - Date.parse(indexAt) > 60_000;

/** All that the row is to say of spot. */
export function expectedSpot(item: Json, markets: readonly Json[], worthOf: WorthOf): Json {
  if (markets.length === 0) return { spot_reason: 'no_market' };
  const quote = currency(item.quote);
  const stated = markets.filter(({ mid_price: mid }) => mid !== null);
  if (stated.length === 0) return { spot_reason: 'not_stated' };
  const index = Number((isIndexOld(item) ? null : item.index_price) ?? item.mark_price);
  const near = stated.flatMap((market): Candidate[] => {
    const worth = factor(String(market.quote), quote, worthOf);
    const mid = Number(market.mid_price);
    return Math.abs((mid * (worth ?? 1)) / index - 1) > LIMIT ? [] : [{ market, mid, worth }];
  });
  const [best] = near.sort((a, b) => {
    for (const isBetter of [
      ({ worth }: Candidate) => worth !== undefined,
      ({ market }: Candidate) => market.venue === item.venue,
      ({ market }: Candidate) => market.quote === quote,
      ({ market }: Candidate) => market.relation === 'same',
    ])
      if (isBetter(a) !== isBetter(b)) return isBetter(a) ? -1 : 1;
    const byVolume = Number(b.market.volume_24h_usd) - Number(a.market.volume_24h_usd);
    return byVolume || (String(a.market.venue) < String(b.market.venue) ? -1 : 1);
  });
  if (best === undefined) return { spot_reason: 'price_differs' };
  const { market, mid, worth } = best;
  const bps = worth === undefined ? null : (Number(item.mark_price) / (mid * worth) - 1) * 10_000;
  return {
    spot_venue: market.venue,
    spot_symbol: market.venue_symbol,
    spot_quote: market.quote,
    spot_relation: market.relation,
    spot_mid: mid,
    spot_basis_bps: bps,
    spot_updated_at: market.received_at,
    spot_reason: worth === undefined ? 'rate_unknown' : null,
  };
}
