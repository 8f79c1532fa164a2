import type { Instrument } from '../../src/domain/instrument.ts';
import { baseName } from '../../src/domain/ticker.ts';
import type { EventsDecoded } from '../../src/modules/events/event-rows.ts';
import { eventVenueOf } from '../../src/modules/events/registry.ts';
import type { DecodeContext } from '../../src/venues/call.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import type { EventFrameCase } from './frames/frame-case.ts';

/** A contract of a list, of so many coins. */
function contract(venue: string, symbol: string, contractSize: number): Instrument {
  const base = adapterOf(venue)?.baseOf(symbol) ?? symbol;
  return { venue, symbol, base, ...baseName(base), contractSize, quote: 'USDT', settle: 'USDT' };
}

/** The context of a case: its contracts and its request. */
export function caseContext({ venue, contracts = {}, path }: EventFrameCase): DecodeContext {
  const listed = Object.entries(contracts).map(([symbol, size]) => contract(venue, symbol, size));
  return {
    instruments: new Map(listed.map((instrument) => [instrument.symbol, instrument])),
    ...(path !== undefined && { request: { method: 'GET', path } as const }),
  };
}

/** Decodes a payload as one of a case's venue. */
export function decodeCase(given: EventFrameCase, payload: unknown = given.payload): EventsDecoded {
  const venue = eventVenueOf(given.venue);
  if (venue === undefined) throw new Error(`no venue ${given.venue}`);
  return venue.decode(payload, caseContext(given));
}
