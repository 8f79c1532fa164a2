import { type Decoded, emptyDecoded } from '../../src/domain/decoded.ts';
import type { EventDecoder, EventsDecoded } from '../../src/modules/events/event-rows.ts';
import { EVENT_VENUES, eventVenueOf } from '../../src/modules/events/registry.ts';
import type { DecodeContext } from '../../src/venues/call.ts';
import { caseContext } from '../events/decode-case.ts';
import { EVENT_FRAMES } from '../events/event-frames.ts';
import { eventSamples } from '../events/recordings.ts';
import { checkDecoded } from '../venues/decoded-checks.ts';
import { type MutationCase, mutate, NONSENSE } from '../venues/mutate.ts';
import { contextOf, requestFor } from '../venues/recordings.ts';
import type { SoakOptions, VenueSoak } from './soak.ts';

/** Events under the names of rows, so that the laws of rows hold them. Marks are words, of which one that is none says nothing. */
function asDecoded({ liquidations, trades, rejects }: EventsDecoded): Decoded {
  const rows = (events: readonly (EventsDecoded['liquidations'] | EventsDecoded['trades'])[number][]) =>
    events.map(({ symbol, time, sizeRaw, price, sizeBase, sizeUsd, id, ...more }) => ({
      symbol,
      time,
      sizeRaw,
      ...(id !== undefined && { id }),
      ...('sequence' in more && { sequence: more.sequence }),
      ...('limitPrice' in more && { limitPrice: more.limitPrice }),
      ...(price !== undefined && { markPrice: price }),
      ...(sizeBase !== undefined && { openInterestBase: sizeBase }),
      ...(sizeUsd !== undefined && { openInterestUsd: sizeUsd }),
    }));
  const decoded: unknown = { ...emptyDecoded(), quotes: rows(liquidations), history: rows(trades), rejects };
  return decoded as Decoded;
}

/** Laws of events: a value or the reason that there is none, and a side that is one. */
function problemsOf({ liquidations, trades }: EventsDecoded): string[] {
  const events = [...liquidations, ...trades];
  const odd = events.filter(
    ({ sizeUsd, unknownValue, sizeRaw }) =>
      (sizeUsd === undefined) === (unknownValue === undefined) || !(sizeRaw > 0) || sizeUsd === 0,
  );
  const sides = [
    ...liquidations.filter(({ side }) => side !== 'long' && side !== 'short'),
    ...trades.filter(({ takerSide }) => takerSide !== 'buy' && takerSide !== 'sell'),
  ];
  return [...odd, ...sides].map((event) => `an event that says no value or side: ${JSON.stringify(event)}`);
}

interface EventCase extends MutationCase {
  readonly venue: string;
  readonly origin: 'simulated' | 'recorded';
}

function caseOf(
  venue: string,
  origin: EventCase['origin'],
  name: string,
  payload: unknown,
  context: DecodeContext,
): readonly EventCase[] {
  const decode: EventDecoder | undefined = eventVenueOf(venue)?.decode;
  if (decode === undefined) return [];
  let damaged = decode(payload, context);
  return [
    {
      venue,
      origin,
      name: `${venue} events ${origin} ${name}`,
      payload,
      decode: (changed) => {
        damaged = decode(changed, context);
        return asDecoded(damaged);
      },
      judge: () => problemsOf(damaged),
    },
  ];
}

const eventCases = (): readonly EventCase[] => [
  ...EVENT_FRAMES.flatMap((given) =>
    caseOf(given.venue, 'simulated', given.when, given.payload, caseContext(given)),
  ),
  ...eventSamples().flatMap(({ venue, file, url, channel = '', payloads }) =>
    payloads.flatMap((payload) =>
      caseOf(venue, 'recorded', file, payload, contextOf([], requestFor(url ?? channel))),
    ),
  ),
];

/** Payloads that are no frame at all: no exception, and no event. */
const nonsense = (id: string, decode: EventDecoder): string[] =>
  NONSENSE.flatMap((payload) => {
    try {
      return checkDecoded(asDecoded(decode(payload, contextOf())));
    } catch (error) {
      return [`${id} events on ${JSON.stringify(payload)}: threw ${String(error)}`];
    }
  });

/** Damages every frame of liquidations and trades of all venues, field by field. */
export function soakEvents({ seed, limit, venue, only = '' }: SoakOptions): readonly VenueSoak[] {
  const cases = eventCases().filter(({ name }) => name.includes(only));
  const venues = EVENT_VENUES.filter(({ id }) => venue === undefined || venue === id);
  return venues.map(({ id, decode }) => {
    const own = cases.filter((test) => test.venue === id || test.venue.startsWith(`${id}-`));
    const results = own.map((test) => mutate(test, { seed, limit }));
    const count = (origin: EventCase['origin']) => own.filter((test) => test.origin === origin).length;
    return {
      venue: `${id} events`,
      simulated: count('simulated'),
      recorded: count('recorded'),
      calls: '1/1',
      mutations: results.reduce((sum, { tried }) => sum + tried, 0),
      problems: [...nonsense(id, decode), ...results.flatMap(({ problems }) => problems)],
    };
  });
}
