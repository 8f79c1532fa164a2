import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import type { UnixMs } from '../../domain/units.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  timestamp,
  venueName,
} from '../../products/answer/schema.ts';
import {
  type CalendarEvent,
  CONTRACT_STATES,
  EVENT_KINDS,
  EVENT_SOURCES,
  type EventValues,
  timeOf,
  UNANNOUNCED_REASONS,
  type UnannouncedReason,
} from './event.ts';

const REASONS = Object.keys(UNANNOUNCED_REASONS) as readonly UnannouncedReason[];

const values = (when: string) =>
  Type.Object(
    {
      state: Type.Optional(oneOf(CONTRACT_STATES)),
      venue_symbol: Type.Optional(text("The venue's own symbol")),
      ticker: Type.Optional(text('The base as the venue names it, multipliers removed')),
      listed_at: Type.Optional(nullable(timestamp('When the venue says that trading begins'))),
      delists_at: Type.Optional(nullable(timestamp('When the venue says that the contract ends'))),
      funding_interval_hours: Type.Optional(number('Hours between funding payments')),
      taker_fee_bps: Type.Optional(number('Public taker fee of the base tier, basis points')),
      funding_cap: Type.Optional(nullable(number('Largest rate, fraction per interval'))),
      funding_floor: Type.Optional(nullable(number('Smallest rate, fraction per interval'))),
    },
    { description: `Values ${when} it, those that it is about; null = not known, or none` },
  );

export const eventSchema = Type.Object({
  id: integer('Number of the event in the order of noting, never used again', 1),
  venue: venueName,
  venue_symbol: nullable(text("The venue's own symbol; null where the whole venue is meant")),
  ticker: nullable(tickerName),
  canonical_id: nullable(canonicalIdName),
  kind: oneOf(EVENT_KINDS),
  source: oneOf(EVENT_SOURCES, {
    description: 'seen: two whole lists of the venue in a row show it; announced: the venue states it ahead',
  }),
  time: timestamp('Time in the calendar: announced_for of what is announced, else seen_at'),
  seen_at: timestamp('When the first list that showed it was received'),
  unseen_at: nullable(
    timestamp(
      'When the last list before that was received: what is seen happened in between; null in the first list of a venue',
    ),
  ),
  announced_for: nullable(timestamp('When it happens by the word of the venue')),
  announced_reason: nullable(
    oneOf(REASONS, {
      description: `Why announced_for is null: ${REASONS.map((word) => `${word}: ${UNANNOUNCED_REASONS[word]}`).join('; ')}`,
    }),
  ),
  before: values('before'),
  after: values('after'),
});

const isoOf = (at: UnixMs | null): string | null => (at === null ? null : iso(at));

/** An event as an answer shows it. */
export const eventRow = (event: CalendarEvent): Static<typeof eventSchema> => ({
  id: event.id,
  venue: event.venue,
  venue_symbol: event.symbol ?? null,
  ticker: event.ticker ?? null,
  canonical_id: event.canonicalId ?? null,
  kind: event.kind,
  source: event.source,
  time: iso(timeOf(event)),
  seen_at: iso(event.seenAt),
  unseen_at: isoOf(event.unseenAt ?? null),
  announced_for: isoOf(event.announcedFor ?? null),
  announced_reason: event.announcedFor === undefined ? (event.unannounced ?? 'not_stated') : null,
  before: valuesOf(event.before),
  after: valuesOf(event.after),
});

function valuesOf(of: EventValues): Static<ReturnType<typeof values>> {
  const { state, symbol, ticker, listsAt, delistsAt, intervalHours, takerFeeBps, fundingCap, fundingFloor } =
    of;
  return {
    ...(state !== undefined && { state }),
    ...(symbol !== undefined && { venue_symbol: symbol }),
    ...(ticker !== undefined && { ticker }),
    ...(listsAt !== undefined && { listed_at: isoOf(listsAt) }),
    ...(delistsAt !== undefined && { delists_at: isoOf(delistsAt) }),
    ...(intervalHours !== undefined && { funding_interval_hours: intervalHours }),
    ...(takerFeeBps !== undefined && { taker_fee_bps: takerFeeBps }),
    ...(fundingCap !== undefined && { funding_cap: fundingCap }),
    ...(fundingFloor !== undefined && { funding_floor: fundingFloor }),
  };
}
