import { eventVenueOf } from '../../src/modules/events/registry.ts';
import type { DecodeContext } from '../../src/venues/adapter.ts';
import { caseContext } from '../../test/events/decode-case.ts';
import { EVENT_FRAMES } from '../../test/events/event-frames.ts';

/** Frames of trades of one venue, as its socket sends them. */
export interface TradeFrames {
  readonly venue: string;
  readonly texts: readonly string[];
  readonly context: DecodeContext;
  readonly decode: (payload: unknown, context: DecodeContext) => unknown;
  /** Trades in all of them. */
  readonly rows: number;
}

/** Every venue's frames of trades that are written from its format, each repeated so many times. */
export function tradeFrames(times: number): readonly TradeFrames[] {
  const frames = EVENT_FRAMES.filter(({ path, trades = [] }) => path === undefined && trades.length > 0);
  return frames.flatMap((given) => {
    const venue = eventVenueOf(given.venue);
    if (venue === undefined) return [];
    const text = JSON.stringify(given.payload);
    const context = caseContext(given);
    const { trades } = venue.decode(given.payload, context);
    const texts = Array.from({ length: times }, () => text);
    return [{ venue: given.venue, texts, context, decode: venue.decode, rows: trades.length * times }];
  });
}
