import { upperAscii } from '../../domain/ascii-case.ts';
import { badParameter, fail, ok, type Result } from '../../domain/errors.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { MarketView, TrackedVenue } from '../../market/view.ts';
import { date, dateOf, days } from '../../products/history/window.ts';
import { selectVenue } from '../../products/rows/select.ts';
import { selectStoredAsset } from '../../products/rows/select-stored.ts';
import { type CalendarEvent, type EventKind, timeOf } from './event.ts';

/** The window begins so long before now where no start is asked for. */
const DEFAULT_DAYS = 30;

export const windowParameters = {
  from: date(`Earliest time, ISO 8601 or Unix time; default ${DEFAULT_DAYS} days ago`),
  to: date('End of the window, not included; may lie ahead. Default: no end, with all that is announced'),
};

/** The words of a request. */
export interface AskedEvents {
  readonly venue?: string;
  readonly ticker?: string;
  readonly kind?: EventKind;
  readonly from?: string;
  readonly to?: string;
  readonly cursor?: string;
}

/** The place of an event among all. */
interface Place {
  readonly time: UnixMs;
  readonly id: number;
}

/** A request that was understood. */
export interface EventScope {
  /** Undefined: all. */
  readonly venue: TrackedVenue | undefined;
  readonly isOfAsset: ((event: CalendarEvent) => boolean) | undefined;
  readonly kind: EventKind | undefined;
  readonly from: UnixMs;
  /** Not included. */
  readonly to: UnixMs | undefined;
  readonly after: Place | undefined;
}

/** The cursor of the page after an event. */
export const cursorOf = (event: CalendarEvent): string => `${timeOf(event)}-${event.id}`;

/**
 * Reads a request. 404 of an unknown venue and of a ticker that is neither listed, nor was, nor is announced; 409 of a ticker that
 * several assets have; 400 of a window that is empty.
 */
export function readScope(
  asked: AskedEvents,
  market: MarketView,
  events: readonly CalendarEvent[],
  now: UnixMs,
): Result<EventScope> {
  const { venue: venueName, kind, cursor } = asked;
  const from = asMs(dateOf(asked.from) ?? now - days(DEFAULT_DAYS));
  const end = dateOf(asked.to);
  if (end !== undefined && end <= from)
    return fail(
      asked.from === undefined
        ? badParameter('to', 'must be later than the start of the window')
        : badParameter('from', 'must be earlier than the end of the window'),
    );
  const venue = venueName === undefined ? undefined : selectVenue(market, venueName);
  if (venue !== undefined && !venue.ok) return venue;
  const asset = readAsset(asked, market, events);
  if (!asset.ok) return asset;
  return ok({
    venue: venue?.value,
    isOfAsset: asset.value,
    kind,
    from,
    to: end === undefined ? undefined : asMs(end),
    after: placeOf(cursor),
  });
}

/** A contract may be announced before anybody lists its asset, and its asset is not decided then: its name has to do. */
function readAsset(
  { ticker }: AskedEvents,
  market: MarketView,
  events: readonly CalendarEvent[],
): Result<EventScope['isOfAsset']> {
  if (ticker === undefined) return ok(undefined);
  const found = selectStoredAsset(market, { ticker });
  if (found.ok) {
    const { canonicalId, ticker: called } = found.value;
    return ok((event) =>
      event.canonicalId === undefined ? event.ticker === called : event.canonicalId === canonicalId,
    );
  }
  const called = upperAscii(ticker.trim());
  const isNamed = (event: CalendarEvent): boolean => event.ticker === called;
  return found.error.code === 'unknown_ticker' && events.some(isNamed) ? ok(isNamed) : found;
}

/** The parameter was held against its pattern when it was read. */
function placeOf(cursor: string | undefined): Place | undefined {
  const [time, id] = (cursor ?? '').split('-').map(Number);
  return time === undefined || id === undefined ? undefined : { time: asMs(time), id };
}

/** The events of a scope, by their time. */
export function eventsIn(events: readonly CalendarEvent[], scope: EventScope): readonly CalendarEvent[] {
  const { venue, isOfAsset, kind, from, to } = scope;
  return events.filter((event) => {
    const time = timeOf(event);
    return (
      time >= from &&
      (to === undefined || time < to) &&
      (venue === undefined || event.venue === venue.info.id) &&
      (kind === undefined || event.kind === kind) &&
      (isOfAsset?.(event) ?? true)
    );
  });
}

/** True of an event that comes after the place at which the page before ended. */
export function isAfter(event: CalendarEvent, place: Place | undefined): boolean {
  if (place === undefined) return true;
  const time = timeOf(event);
  return time > place.time || (time === place.time && event.id > place.id);
}
