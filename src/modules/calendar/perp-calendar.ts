import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { asMs } from '../../domain/units.ts';
import type { ProductAnswer } from '../../products/answer/product-answer.ts';
import {
  boolean,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
  venueName,
} from '../../products/answer/schema.ts';
import { defineProduct, type Ports } from '../../products/define-product.ts';
import { tickerParameter, venueParameter } from '../../products/rows/asked.ts';
import { collectedVenues, notReady } from '../../products/rows/select.ts';
import { EVENT_KINDS } from './event.ts';
import { eventRow, eventSchema } from './event-row.ts';
import example from './examples/perp-calendar.json' with { type: 'json' };
import { CALENDAR } from './port.ts';
import {
  cursorOf,
  type EventScope,
  eventsIn,
  isAfter,
  readScope,
  windowParameters,
} from './select-events.ts';

const query = Type.Object({
  venue: Type.Optional(venueParameter),
  ticker: Type.Optional(tickerParameter),
  kind: Type.Optional(oneOf(EVENT_KINDS, { description: 'Of this kind' })),
  from: Type.Optional(windowParameters.from),
  to: Type.Optional(windowParameters.to),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Events a page' }),
  cursor: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}-[0-9]{1,15}$',
      description: 'Of next_cursor',
    }),
  ),
});

const watched = Type.Object({
  venue: venueName,
  watched_since: nullable(
    timestamp(
      'Its first whole list: of the time before, only what it announces itself; null = none was read yet',
    ),
  ),
  last_list_at: nullable(timestamp('Its last whole list')),
});

const answer = Type.Object({
  from: timestamp('Start of the window'),
  to: nullable(timestamp('End of the window, not included; null = no end')),
  count: integer('Events of the window, over all pages'),
  has_more: boolean('Whether there are events after this page'),
  next_cursor: nullable(text('cursor of the page after this; null where there is none')),
  events: Type.Array(eventSchema, { description: 'The earliest first' }),
  watched: Type.Array(watched, { description: 'The venues asked about, and since when each is watched' }),
  note: text('How events are found, and what is left out'),
});

export const perpCalendar = defineProduct({
  id: 'perp-calendar',
  path: '/v1/perp/calendar',
  access: 'paid',
  summary: 'Calendar of contracts',
  description:
    'What venues changed in their lists of perpetual futures, and what they announce: listings, delistings, halts and resumptions, renames, changes of funding interval, taker fee, funding cap and floor, by time, with values before and after, when each was seen and for when it is announced. The window may lie ahead.',
  tags: ['calendar', 'listings', 'reference-data', 'perpetual-futures'],
  dependsOn: 'second',
  revisedAt: '2026-11-29T11:00:00.000Z',
  query,
  answer,
  example: { request: '/v1/perp/calendar?venue=binance&from=2026-11-20T00:00:00Z&limit=10', answer: example },
  find: findEvents,
  compute: (scope, ports, { limit }) => ok(calendarPage(scope, ports, limit)),
});

/** As `readScope`; 503 where no whole list of a venue that is asked about has been read. */
function findEvents(asked: Static<typeof query>, { market, clock, readPort }: Ports): Result<EventScope> {
  const calendar = readPort(CALENDAR);
  const scope = readScope(asked, market, calendar.events, clock.now());
  if (!scope.ok) return scope;
  const venues = venuesOf(scope.value, market);
  const isWatched = venues.some(({ info }) => calendar.watched(info.id) !== undefined);
  return isWatched ? scope : fail(notReady('No whole list of contracts has been read yet', venues));
}

const venuesOf = ({ venue }: EventScope, market: Ports['market']) =>
  venue === undefined ? collectedVenues(market) : [venue];

const NOTE =
  'An event that is seen is one that two whole lists of the venue in a row show: it happened between unseen_at and seen_at. A list that fails or is not whole counts for nothing, and closed hours are no halt. Fees are public taker fees of the base tier; caps are bounds of the funding rate. Announced times are the venues’ own, from their lists of contracts; what they announce elsewhere is left out. No forecast.';

function calendarPage(
  scope: EventScope,
  { market, readPort }: Ports,
  limit: number,
): ProductAnswer<Static<typeof answer>> {
  const calendar = readPort(CALENDAR);
  const found = eventsIn(calendar.events, scope);
  const rest = found.filter((event) => isAfter(event, scope.after));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rest.length > page.length;
  const ids = venuesOf(scope, market).map(({ info }) => info.id);
  const lists = ids.flatMap((venue) => {
    const seen = calendar.watched(venue);
    return seen === undefined ? [] : [{ venue, ...seen }];
  });
  const body: Static<typeof answer> = {
    from: iso(scope.from),
    to: scope.to === undefined ? null : iso(scope.to),
    count: found.length,
    has_more: hasMore,
    next_cursor: hasMore && last !== undefined ? cursorOf(last) : null,
    events: page.map(eventRow),
    watched: ids.map((venue) => {
      const seen = calendar.watched(venue);
      return {
        venue,
        watched_since: seen === undefined ? null : iso(seen.since),
        last_list_at: seen === undefined ? null : iso(seen.listAt),
      };
    }),
    note: NOTE,
  };
  const used = lists.map(({ venue }) => venue);
  const asOf = asMs(Math.min(...lists.map(({ listAt }) => listAt)));
  return { body, asOf, sources: { used, missing: ids.filter((venue) => !used.includes(venue)) } };
}
