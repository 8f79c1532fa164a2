import { iso } from '../../domain/clock.ts';
import type { DecodedRecord, RecordedMarket, RecordingContext } from '../../host/recorded-market.ts';
import type { TradeEvent } from './event-rows.ts';
import type { EventVenue } from './event-venue.ts';
import { contextOf, deduplicatorOf, recordedEvents } from './recorded.ts';
import { missingBetween, type TakerBar, TakerBars } from './taker-bars.ts';

const barRecord = (venue: string, bar: TakerBar, missingBefore: number | undefined): DecodedRecord => ({
  type: 'taker_bar',
  venue,
  symbol: bar.symbol,
  start: iso(bar.start),
  buy_base: bar.buyBase,
  sell_base: bar.sellBase,
  buy_usd: bar.buyUsd,
  sell_usd: bar.sellUsd,
  count: bar.count,
  unvalued: bar.unvalued,
  largest_usd: bar.largestUsd,
  vwap: bar.vwap ?? null,
  first: bar.first,
  last: bar.last,
  missing: bar.missing ?? null,
  missing_before: missingBefore ?? null,
});

/** Adds up what a recording has of trades, each once; a recording is read to its end before any minute is closed. */
function* decodeBars(venue: EventVenue, payloads: readonly unknown[], given: RecordingContext) {
  const context = contextOf(venue.id, given);
  const seen = deduplicatorOf<TradeEvent>(venue.id, 'trades');
  const bars = new TakerBars(Number.POSITIVE_INFINITY);
  for (const payload of payloads) {
    const { trades, rejects } = venue.decode(payload, context);
    // A recording does not say where a connection ends.
    for (const trade of seen.take({ events: trades, connection: 1 }).fresh) bars.add(trade);
    for (const reject of rejects) yield { type: 'reject', venue: venue.id, ...reject };
  }
  const before = new Map<string, TakerBar>();
  for (const bar of bars.close(true)) {
    const earlier = before.get(bar.symbol);
    yield barRecord(venue.id, bar, earlier && missingBetween(earlier, bar));
    before.set(bar.symbol, bar);
  }
}

/** For `perpmeter decode --market taker-bars`: minutes of taker volume from recorded trades. */
export const RECORDED_BARS: RecordedMarket = recordedEvents('taker_bar', decodeBars);
