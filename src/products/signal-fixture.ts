import { ok, type Result } from '../domain/errors.ts';
import type { UnixMs } from '../domain/units.ts';
import { asBps } from '../domain/units.ts';
import { makeMarket, type QuoteSketch } from '../market/market-fixture.ts';
import { FIXTURE_NOW } from '../market/row-fixture.ts';
import type { MarketView } from '../market/view.ts';
import type { LegBook, LegBooks, SizedSlippage } from './books/leg-book.ts';
import { signalNow } from './perp-arbitrage-funding-signal.ts';
import { type AskedFees, PUBLIC_FEES } from './rows/asked-fees.ts';

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

type Present = ReturnType<typeof signalNow>;
type PresentAnswer = Present extends Result<{ readonly answer: () => infer Answer }> ? Answer : never;

/** A signal of the present alone, as it is before anything is stored. */
export function fundingSignal(
  view: MarketView,
  books: LegBooks | undefined,
  asked: Parameters<typeof signalNow>[2],
  now: UnixMs,
  fees: AskedFees = PUBLIC_FEES,
): Result<PresentAnswer> {
  const signal = signalNow(view, books, asked, now, fees);
  return signal.ok ? ok(signal.value.answer()) : signal;
}
