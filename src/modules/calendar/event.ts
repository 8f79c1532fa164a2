import type { Bps, Hours, RatePerInterval, UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';

export const EVENT_KINDS = [
  'listed',
  'delisted',
  'halted',
  'resumed',
  'renamed',
  'interval_changed',
  'fee_changed',
  'cap_changed',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** `seen`: two whole lists in a row show it. `announced`: the venue states a time of it. */
export const EVENT_SOURCES = ['seen', 'announced'] as const;
export type EventSource = (typeof EVENT_SOURCES)[number];

/** Reasons for which an event has no announced time. */
export const UNANNOUNCED_REASONS = {
  not_stated: 'the list of contracts states no time of it',
  withdrawn: 'the venue has stated a time before, and states none any more',
} as const;
export type UnannouncedReason = keyof typeof UNANNOUNCED_REASONS;

/** `announced`: in the list of the venue, and not traded yet. `unlisted`: not in it. */
export const CONTRACT_STATES = ['announced', 'listed', 'halted', 'unlisted'] as const;
export type ContractStateName = (typeof CONTRACT_STATES)[number];

/** The values that an event is about, before it or after it. Absent = not about it; null = not known, or none. */
export interface EventValues {
  readonly state?: ContractStateName;
  readonly symbol?: string;
  /** The base as the venue calls it, without multiplier. */
  readonly ticker?: string;
  readonly canonicalId?: string;
  readonly listsAt?: UnixMs | null;
  readonly delistsAt?: UnixMs | null;
  readonly intervalHours?: Hours;
  readonly takerFeeBps?: Bps;
  readonly fundingCap?: RatePerInterval | null;
  readonly fundingFloor?: RatePerInterval | null;
}

/** A change of what a venue lists, before it has a number. */
export interface EventDraft {
  readonly venue: VenueId;
  readonly kind: EventKind;
  readonly source: EventSource;
  /** The venue's own symbol; absent where the whole venue is meant. */
  readonly symbol?: string;
  readonly ticker?: string;
  /** Absent where the asset was not decided yet. */
  readonly canonicalId?: string;
  /** Receipt of the first list that showed it. */
  readonly seenAt: UnixMs;
  /** Receipt of the last whole list that did not show it; absent of what the first list of a venue announced. */
  readonly unseenAt?: UnixMs;
  /** The time that the venue states. */
  readonly announcedFor?: UnixMs;
  /** Present where no time is announced. */
  readonly unannounced?: UnannouncedReason;
  readonly before: EventValues;
  readonly after: EventValues;
}

export interface CalendarEvent extends EventDraft {
  /** 1, 2, 3 … in the order in which they were noted. */
  readonly id: number;
}

/** The time at which an event stands in the calendar: the announced one where it is an announcement, else when it was seen. */
export const timeOf = ({ source, announcedFor, seenAt }: EventDraft): UnixMs =>
  source === 'announced' ? (announcedFor ?? seenAt) : seenAt;
