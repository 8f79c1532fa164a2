import type { VenueHealth } from '../../collect/ports.ts';
import type { VenueStats } from '../../collect/venue-runner.ts';
import { iso } from '../../domain/clock.ts';
import type { Service } from '../../host/options.ts';
import type { AskedAction, OperatorAct } from './actions.ts';
import type { VenueTrouble } from './schemas/venues.ts';

/** Says of each venue what fails since when, and what to do about it; those that are not live first. */
export function operatorVenues({
  collector,
  health,
}: Pick<Service, 'collector' | 'health'>): readonly VenueTrouble[] {
  const { venues } = collector.stats();
  return health
    .all()
    .map((of) => troubleOf(of, venues[of.venue]))
    .sort((a, b) => RANK[a.status] - RANK[b.status] || a.venue.localeCompare(b.venue));
}

const RANK = { down: 0, stale: 1, live: 2 } as const;

function troubleOf(of: VenueHealth, stats: VenueStats | undefined): VenueTrouble {
  const failing = stats === undefined ? [] : failingOf(stats);
  const circuits = Object.values(stats?.circuits ?? {}).filter((state) => state !== 'closed').length;
  return {
    venue: of.venue,
    status: of.status,
    since: iso(of.since),
    paused: of.paused === true,
    last_update_at: of.lastUpdateAt === undefined ? null : iso(of.lastUpdateAt),
    error_rate_5m: of.errorRate5m ?? null,
    last_error: of.lastError ?? null,
    circuits,
    failing,
    to_do: adviceOf(of, failing.length > 0),
  };
}

/** Polls whose last round failed, and streams that lack connections. */
function failingOf({ polls, streams }: VenueStats): VenueTrouble['failing'] {
  const failed = Object.entries(polls).flatMap(([name, { rounds, goodRounds }]) =>
    rounds > 0 && goodRounds === 0
      ? [{ kind: 'poll' as const, name, fault: `none of ${rounds} rounds was good` }]
      : [],
  );
  const cut = Object.entries(streams).flatMap(([name, { open, connections }]) =>
    open < connections
      ? [{ kind: 'stream' as const, name, fault: `${open} of ${connections} connections open` }]
      : [],
  );
  return [...failed, ...cut];
}

/** Advice to an operator, by what the last failure says. */
const ADVICE: readonly (readonly [said: RegExp, advice: string])[] = [
  [
    /HTTP (?:401|403|451)\b/,
    "The venue refuses this machine's address: collect it from another place (VENUE_BASES names a mirror or a relay), or leave it out with VENUES.",
  ],
  [
    /rate_limited|HTTP (?:418|429)\b/,
    'Its rate limit is used up: look for another program on this address, and lower BOOKS_PER_VENUE. It is asked again by itself.',
  ],
  [
    /HTTP 5\d\d\b|circuit_open/,
    'The venue is in trouble: it is asked again by itself. Look at its status page; pause it where its data is wrong.',
  ],
  [
    /timeout|reset|refused/,
    "There is no connection: look at this machine's network, DNS and clock; where other venues are live, the venue is away, and is asked again by itself.",
  ],
  [
    /not_json|too_large|HTTP 4\d\d\b|malformed|failed/,
    'The venue may have changed its interface: perpmeter doctor --live --venue names the field; the part "rejects" shows the last payload. Pause it until a build reads it.',
  ],
  [/stand still/, 'The venue sends old data: nothing can be done here; pause it where that lasts.'],
];

function adviceOf({ status, paused, lastError }: VenueHealth, isFailing: boolean): string | null {
  if (paused === true) return 'It is paused: resume it when it is to be collected again.';
  if (status === 'live' && lastError === undefined && !isFailing) return null;
  const advice = ADVICE.find(([said]) => said.test(lastError ?? ''))?.[1];
  if (advice !== undefined) return advice;
  return status === 'live'
    ? 'A part of it fails; the rest is live: perpmeter doctor --live --venue says which.'
    : 'Nothing has come yet, or for long: perpmeter doctor --live --venue says why.';
}

/** Pauses or resumes a venue, until the service ends. Undefined where the body is no such request. */
export function venueAction(
  { collector }: Pick<Service, 'collector'>,
  { text }: AskedAction,
): OperatorAct | undefined {
  const action = text('action');
  const named = text('venue');
  if (named === undefined || (action !== 'pause' && action !== 'resume')) return undefined;
  const venue = named.toLowerCase();
  const said = { action, detail: venue };
  return async () => {
    const isDone = action === 'pause' ? collector.pauseVenue(venue) : await collector.resumeVenue(venue);
    if (isDone) return said;
    const state = action === 'pause' ? 'collected' : 'paused';
    return { ...said, refused: `${venue} is not ${state} by this process` };
  };
}
