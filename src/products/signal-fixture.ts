import { asBps } from '../domain/units.ts';
import { makeMarket, type QuoteSketch } from '../market/market-fixture.ts';
import { FIXTURE_NOW } from '../market/row-fixture.ts';
import type { LegBook, SizedSlippage } from './books/leg-book.ts';

/** A signal that leaves nothing out. */
export const ALL = { min_diff: 0, limit: 100, include_below_1k: true, holding_days: 7 };

/** Venues with a taker fee in bps each, and what they quote. */
export function viewOf(
  venues: Readonly<Record<string, readonly [fee: number | undefined, ...QuoteSketch[]]>>,
) {
  const fixture = makeMarket();
  for (const [venue, [fee, ...quotes]] of Object.entries(venues)) {
    const bases = quotes.map(({ symbol }) => ({ base: symbol, ticker: symbol, symbol }));
    fixture.list(venue, bases, fee === undefined ? {} : { takerFeeBps: asBps(fee) });
    fixture.quote(venue, ...quotes.map((quote) => ({ mark: 100, volumeUsd: 1e6, ...quote })));
  }
  return fixture.market.view;
}

/** A book that fills up to a size, at so many bps when sold into and bought from. */
export function book(most: number, sell: number, buy: number): LegBook {
  const upTo = (bps: number): SizedSlippage => ({
    1000: most < 1000 ? undefined : bps,
    5000: most < 5000 ? undefined : bps,
    10000: most < 10_000 ? undefined : bps,
  });
  return { bestBid: 99.9, bestAsk: 100.1, confirmedAt: FIXTURE_NOW, sell: upTo(sell), buy: upTo(buy) };
}
