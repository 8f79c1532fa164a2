import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Collector, type CollectorStats, createCollector } from '../../src/collect/collector.ts';
import type { Decoded } from '../../src/domain/decoded.ts';
import type { Decoder, Poll, VenueAdapter, VenueRequest } from '../../src/venues/adapter.ts';
import { KNOWN_VENUES } from '../../src/venues/registry.ts';
import { type Arrival, CountingHosts, remembering } from './counting-hosts.ts';
import { ManualTime } from './manual-time.ts';
import { RecordingSink } from './tiny-venue.ts';

/** All venues at their normal cadence for five minutes of simulated time, from a start in the same instant. */
const SPAN_MS = 300_000;
/** A poll may lose this share of its rounds to waiting for weight. */
const LATE = 0.1;

const time = new ManualTime();
let hosts: CountingHosts;
let collector: Collector;
let stats: CollectorStats;

beforeAll(async () => {
  hosts = new CountingHosts(SIM_VENUES.map(remembering), createWorld(1), time, seeded(7));
  collector = createCollector({
    venues: KNOWN_VENUES.filter(({ parent }) => parent === undefined).map(polledOnly),
    sink: new RecordingSink(),
    clock: time.clock,
    transports: new Map(KNOWN_VENUES.map((adapter) => [adapter.id, hosts.transport(adapter)])),
    options: { timer: time.timer, random: seeded(3) },
  });
  await collector.start();
  await time.advance(SPAN_MS);
  stats = collector.stats();
});

afterAll(() => collector.stop());

/** The adapter without its streams; a payload that was decoded before is not decoded again. */
function polledOnly(adapter: VenueAdapter): VenueAdapter {
  const { discovery, streams: _, ...rest } = adapter;
  const polls = rest.polls.map((poll) => planned(adapter, poll));
  if (discovery === undefined) return { ...rest, polls };
  const adapters = (payload: unknown) => discovery.adapters(payload).map(polledOnly);
  return { ...rest, polls, discovery: { ...discovery, adapters } };
}

/** The poll, with what it asks for made known to the hosts. */
function planned(adapter: VenueAdapter, poll: Poll): Poll {
  const note = (request: VenueRequest) => {
    hosts.plan(adapter, poll, request);
    return request;
  };
  const { nextPage, call } = poll;
  return {
    ...poll,
    call: { ...call, decode: remembered(call.decode) },
    requests: (plan) => poll.requests(plan).map(note),
    ...(nextPage === undefined
      ? {}
      : {
          nextPage: (payload, request) => {
            const next = nextPage(payload, request);
            return next === undefined ? undefined : note(next);
          },
        }),
  };
}

function remembered(decode: Decoder): Decoder {
  const known = new WeakMap<object, Decoded>();
  return (payload, context) => {
    if (typeof payload !== 'object' || payload === null) return decode(payload, context);
    const decoded = known.get(payload) ?? decode(payload, context);
    known.set(payload, decoded);
    return decoded;
  };
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

/** Largest weight in any window of `perMs`, wherever it begins. */
function peak(arrivals: readonly Arrival[], perMs: number): number {
  let first = 0;
  let held = 0;
  let most = 0;
  for (const { at, weight } of arrivals) {
    held += weight;
    for (let old = arrivals[first]; old !== undefined && old.at <= at - perMs; old = arrivals[first]) {
      held -= old.weight;
      first++;
    }
    most = Math.max(most, held);
  }
  return most;
}

it('every venue is requested, and every response succeeds', () => {
  const asked = new Set(hosts.arrivals.map(({ venue }) => venue));
  expect(KNOWN_VENUES.filter(({ id }) => !asked.has(id)).map(({ id }) => id)).toEqual([]);
  const wrong = hosts.arrivals.filter(({ outcome }) => outcome === 'unknown');
  expect(wrong.map(({ venue, call }) => `${venue} ${call}`)).toEqual([]);
});

describe.each(SIM_VENUES.filter(({ parent }) => parent === undefined))('host of $id', ({ id, limit }) => {
  const here = () => hosts.arrivals.filter(({ host }) => host === id);

  it('refuses no request, and stays within its limit in every sliding window', () => {
    expect(here().filter(({ outcome }) => outcome === 'refused')).toEqual([]);
    expect(peak(here(), limit.perMs)).toBeLessThanOrEqual(limit.weight);
  });
});

const pools = KNOWN_VENUES.filter(({ parent }) => parent === undefined).flatMap(({ id, budget }) =>
  budget.pools.map((pool) => ({ id, ...pool })),
);

it.each(pools)('pool $name of $id is kept: $limit in $perMs ms', ({ id, name, limit, perMs }) => {
  const counted = hosts.arrivals.filter(({ host, pool }) => host === id && pool === name);
  expect(peak(counted, perMs)).toBeLessThanOrEqual(limit);
});

it('polls keep their cadence within the limits', () => {
  const late: string[] = [];
  for (const [venue, { polls }] of Object.entries(stats.venues)) {
    for (const [name, { rounds, goodRounds, everyMs }] of Object.entries(polls)) {
      const due = Math.floor((SPAN_MS / everyMs) * (1 - LATE));
      if (rounds < due || goodRounds < rounds)
        late.push(`${venue} ${name}: ${goodRounds} good of ${rounds} rounds, ${due} are due`);
    }
  }
  expect(late).toEqual([]);
});
