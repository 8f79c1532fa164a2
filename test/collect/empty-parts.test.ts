import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import { createCollector } from '../../src/collect/collector.ts';
import type { HttpCall, HttpOutcome, Transport } from '../../src/collect/http-client.ts';
import { pollParts } from '../../src/collect/poll-part.ts';
import { rowCount } from '../../src/domain/decoded.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { asMs } from '../../src/domain/units.ts';
import { DAY_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import type { Poll, VenueAdapter, VenueRequest } from '../../src/venues/adapter.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { until } from '../until.ts';
import { type Pairing, pairingsOf, renderRequest } from '../venues/sim-run.ts';
import { smallWorld } from '../venues/small-world.ts';
import { ManualTime } from './manual-time.ts';
import { RecordingSink, tinyVenue } from './tiny-venue.ts';

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const EVERY_MS = 5000;
const world = smallWorld(1, 40);
const pairings = pairingsOf(VENUES, SIM_VENUES, world, AT);

/** Answers of all cases by venue, request and minute: to render and read one takes most of what this file does. */
const answers = new Map<string, unknown>();

/** A simulated answer, at most a minute old; null where the venue has none. */
function answerOf(pairing: Pairing, request: VenueRequest, at: number): unknown {
  const minute = Math.floor((at - AT) / MINUTE_MS);
  const key = `${pairing.adapter.id} ${minute} ${JSON.stringify(request)}`;
  if (!answers.has(key)) {
    const answer = renderRequest(pairing, world, request, AT + minute * MINUTE_MS);
    answers.set(key, JSON.parse(answer?.body ?? 'null'));
  }
  return answers.get(key);
}

/** The same answer without a row: lists are empty, and so are tables of rows by symbol. */
function withoutRows(value: unknown): unknown {
  if (Array.isArray(value)) return value.some(Array.isArray) ? value.map(withoutRows) : [];
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  const isTable = fields.length > 3 && fields.every(([, field]) => typeof field === 'object');
  return isTable ? {} : Object.fromEntries(fields.map(([name, field]) => [name, withoutRows(field)]));
}

const ok = (value: unknown): HttpOutcome => ({
  result: { ok: true, value },
  headers: {},
  bytes: 0,
  durationMs: 0,
});

/** A simulated venue in memory that leaves out the rows of some requests while that is wanted. */
class PartlyEmpty implements Transport {
  readonly #pairing: Pairing;
  readonly #time: ManualTime;
  isEmpty: (request: VenueRequest) => boolean = () => false;
  emptyAnswers = 0;

  constructor(pairing: Pairing, time: ManualTime) {
    this.#pairing = pairing;
    this.#time = time;
  }

  async send({ base, method, path, body }: HttpCall): Promise<HttpOutcome> {
    const { bases } = this.#pairing.adapter;
    const name = Object.keys(bases).find((key) => bases[key] === base) ?? 'rest';
    const request = { method, path, base: name, ...(body !== undefined && { body }) };
    const payload = answerOf(this.#pairing, request, this.#time.now);
    if (!this.isEmpty(request)) return ok(payload);
    this.emptyAnswers++;
    return ok(withoutRows(payload));
  }

  async close(): Promise<void> {}
}

/** One part of one of the venue's polls, and how its requests are known. */
interface Case {
  readonly poll: Poll;
  readonly name: string;
  readonly isAsked: (request: VenueRequest) => boolean;
}

const addressOf = ({ path, body = '' }: VenueRequest): string => `${path}${body}`;
const endpointOf = ({ path, body = '' }: VenueRequest): string => `${path.split('?', 1)[0]}${body}`;

/** A poll at a fast pace; of calls about one contract each, those of two old contracts alone. */
function quick(poll: Poll): Poll {
  if (poll.spread !== true) return { ...poll, everyMs: EVERY_MS };
  const isOld = ({ listedAt }: Instrument): boolean => AT - (listedAt ?? 0) > DAY_MS;
  const requests: Poll['requests'] = ({ instruments, now }) => {
    const old = instruments.filter(isOld).sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
    return poll.requests({ instruments: old.slice(0, 2), now });
  };
  return { ...poll, everyMs: EVERY_MS, requests };
}

/** The venue is asked by its polls alone: streams would say something of the same contracts. */
const polledAlone = ({ streams: _s, books: _b, discovery: _d, ...rest }: VenueAdapter): VenueAdapter => ({
  ...rest,
  polls: rest.polls.map(quick),
});

function listedBy(pairing: Pairing): readonly Instrument[] {
  const lists = pairing.adapter.polls.filter(({ kind }) => kind === 'instruments');
  return lists.flatMap(({ call, requests }) =>
    requests({ instruments: [], now: asMs(AT) }).flatMap((request) => {
      const payload = answerOf(pairing, request, AT);
      return call.decode(payload, { instruments: new Map(), receivedAt: asMs(AT), request }).instruments;
    }),
  );
}

/** All parts of all polls whose answers can be without rows: some about a single contract cannot. */
function casesOf(pairing: Pairing): readonly Case[] {
  const listed = listedBy(pairing);
  const bySymbol = new Map(listed.map((instrument) => [instrument.symbol, instrument]));
  return pairing.adapter.polls.map(quick).flatMap((poll) => {
    const parts = pollParts(poll.requests({ instruments: listed, now: asMs(AT) }), poll);
    const cases = poll.spread === true ? parts.slice(0, 1) : parts;
    return cases.flatMap(({ request, label }): Case[] => {
      const payload = answerOf(pairing, request, AT);
      const context = { instruments: bySymbol, receivedAt: asMs(AT), request };
      if (rowCount(poll.call.decode(withoutRows(payload), context)) > 0) return [];
      const key = label === undefined ? endpointOf : addressOf;
      return [{ poll, name: key(request), isAsked: (asked) => key(asked) === key(request) }];
    });
  });
}

/** Counts the contracts of each list that is published. */
class CountingSink extends RecordingSink {
  readonly counts = new Map<string, number[]>();

  override instruments(venue: string, list: readonly Instrument[]): void {
    const counts = this.counts.get(venue) ?? [];
    this.counts.set(venue, [...counts, list.length]);
  }
}

/** A collector of one simulated venue and of a made-up one beside it, on time of its own. */
class Rig {
  readonly time = new ManualTime(AT);
  readonly #sink = new CountingSink();
  readonly venue: PartlyEmpty;
  readonly #id: string;
  readonly collector: ReturnType<typeof createCollector>;

  constructor(pairing: Pairing) {
    const { adapter } = pairing;
    this.#id = adapter.id;
    this.venue = new PartlyEmpty(pairing, this.time);
    const beside: Transport = {
      send: () => Promise.resolve(ok([{ symbol: 'A', list: true, mark: 1 }])),
      close: () => Promise.resolve(),
    };
    this.collector = createCollector({
      venues: [polledAlone(adapter), tinyVenue('beside', 'http://beside.invalid')],
      sink: this.#sink,
      clock: this.time.clock,
      transports: new Map<string, Transport>([
        [adapter.id, this.venue],
        ['beside', beside],
      ]),
      options: { timer: this.time.timer, random: () => 0.5 },
    });
  }

  get error(): string | undefined {
    return this.collector.health.of(this.#id)?.lastError;
  }

  get errorRate(): number {
    return this.collector.health.of(this.#id)?.errorRate5m ?? 0;
  }

  /** The number of contracts in each published list. */
  get published(): readonly number[] {
    return this.#sink.counts.get(this.#id) ?? [];
  }

  /** Every poll has finished so many rounds since. */
  async rounds(more: number): Promise<void> {
    const counts = () =>
      Object.values(this.collector.stats().venues[this.#id]?.polls ?? {}).map(({ rounds }) => rounds);
    const before = counts();
    await this.until(() => {
      for (const [place, rounds] of counts().entries())
        expect(rounds).toBeGreaterThanOrEqual((before[place] ?? 0) + more);
    });
  }

  until(condition: () => void): Promise<void> {
    return until(async () => {
      await this.time.advance(1000);
      condition();
    }, 0);
  }
}

async function keepsAndTells(pairing: Pairing, { poll, isAsked }: Case): Promise<void> {
  const contracts = new Set(listedBy(pairing).map(({ symbol }) => symbol)).size;
  const rig = new Rig(pairing);
  const { venue } = rig;
  const told = /no row|rows after|nothing readable|is empty/;
  try {
    venue.isEmpty = isAsked;
    await rig.collector.start();
    if (poll.mayBeEmpty === undefined) await rig.until(() => expect(rig.error).toMatch(told));
    else await rig.rounds(1);
    venue.isEmpty = () => false;
    await rig.until(() => expect(rig.published.at(-1)).toBe(contracts));
    await rig.rounds(1);
    await rig.until(() => expect(rig.error).toBeUndefined());
    const before = rig.errorRate;
    venue.isEmpty = isAsked;
    await rig.until(() => expect(rig.error).toMatch(told));
    if (poll.mayBeEmpty === undefined) await rig.rounds(2);
    expect(venue.emptyAnswers).toBeGreaterThan(1);
    expect(rig.errorRate).toBeGreaterThan(poll.mayBeEmpty === undefined ? 0 : before);
    expect(new Set(rig.published)).toEqual(new Set([contracts]));
    expect(rig.collector.health.of('beside')).toMatchObject({ status: 'live', lastError: undefined });
  } finally {
    await rig.collector.stop();
  }
}

describe('A part without a row under a success code', () => {
  it('law: covers all venues and every list of contracts', () => {
    expect(pairings.length).toBe(33);
    for (const pairing of pairings) {
      const lists = pairing.adapter.polls.filter(({ kind }) => kind === 'instruments');
      const parts = lists.flatMap(({ requests }) => requests({ instruments: [], now: asMs(AT) }));
      const cases = casesOf(pairing).filter(({ poll }) => poll.kind === 'instruments');
      expect(cases.length, pairing.adapter.id).toBe(parts.length);
    }
  });

  const cases = pairings.flatMap((pairing) =>
    casesOf(pairing).map(
      (part) => [`${pairing.adapter.id} ${part.name}`.slice(0, 60), pairing, part] as const,
    ),
  );
  it.each(cases)('%s: told, nothing vanishes', (_name, pairing, part) => keepsAndTells(pairing, part));
});
