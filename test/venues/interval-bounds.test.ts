import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import type { Decoded } from '../../src/domain/decoded.ts';
import { isWire, readNumber } from '../../src/domain/read.ts';
import { isFault } from '../../src/domain/reject.ts';
import { asMs } from '../../src/domain/units.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import type { Decoder } from '../../src/venues/adapter.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { type Pairing, pairingsOf, renderRequest, runAdapter } from './sim-run.ts';
import { smallWorld } from './small-world.ts';

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
/** Enough contracts for all intervals of every venue. */
const world = smallWorld(1, 40);

interface Answer {
  readonly name: string;
  readonly payload: unknown;
  readonly decode: (payload: unknown) => Decoded;
}

const bind = (decode: Decoder, context: Parameters<Decoder>[1]) => (payload: unknown) =>
  decode(payload, context);

/** One answer of every call and stream that the adapter reads, its histories of payments included. */
function answersOf(pairing: Pairing): readonly Answer[] {
  const run = runAdapter(pairing, world, AT);
  const { adapter } = pairing;
  const answers = new Map<string, Answer>();
  for (const { name, payload, decode, context, decoded } of run.calls) {
    const [call = name] = name.split('?');
    const isTold = decoded.instruments.length + decoded.quotes.length + decoded.funding.length > 0;
    if (isTold && !answers.has(call))
      answers.set(call, { name: call, payload, decode: bind(decode, context) });
  }
  const [contract] = run.instruments.values();
  for (const endpoint of adapter.backfill ?? []) {
    if (endpoint.kind !== 'funding' || contract === undefined) continue;
    const request = endpoint.request(contract, asMs(AT - 3 * DAY_MS), asMs(AT), 1);
    const body = renderRequest(pairing, world, request, AT)?.body ?? 'null';
    const context = { instruments: run.instruments, request, receivedAt: asMs(AT) };
    const name = `history ${endpoint.call.name}`;
    answers.set(name, { name, payload: JSON.parse(body), decode: bind(endpoint.call.decode, context) });
  }
  return [...answers.values()];
}

/** Names of fields that hold a number, in words or not. */
function numbersIn(value: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const item of value) numbersIn(item, names);
  if (!isWire(value)) return names;
  for (const [name, part] of Object.entries(value)) {
    if (readNumber(part) !== undefined) names.add(name);
    numbersIn(part, names);
  }
  return names;
}

/** The payload with every number of a field changed, written as before. */
function changed(value: unknown, field: string, change: (number: number) => number): unknown {
  if (Array.isArray(value)) return value.map((item) => changed(item, field, change));
  if (!isWire(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => {
    const number = name === field ? readNumber(part) : undefined;
    if (number === undefined) return [name, changed(part, field, change)];
    return [name, typeof part === 'string' ? String(change(number)) : change(number)];
  });
  return Object.fromEntries(parts);
}

/** Every interval that was read: of contracts, of quotes, of payments. */
const intervalsIn = ({ instruments, quotes, funding }: Decoded): readonly (number | undefined)[] => [
  ...instruments.map(({ fundingIntervalHours }) => fundingIntervalHours),
  ...quotes.map(({ fundingIntervalHours }) => fundingIntervalHours),
  ...funding.map(({ intervalHours }) => intervalHours),
];

const stated = (decoded: Decoded): readonly number[] =>
  intervalsIn(decoded).flatMap((hours) => (hours === undefined ? [] : [hours]));

type Change = (number: number) => number;

/** A way in which a number of a payload stands for an interval, and the changes that take it beyond its bounds. */
interface Meaning {
  /** Hours in some unit; otherwise a moment, beside which others may tell the interval as well. */
  readonly isLength: boolean;
  readonly probes: readonly Change[];
  readonly below: Change;
  readonly beyond: Change;
}

const times =
  (factor: number): Change =>
  (number) =>
    number * factor;

/** An hour in the unit of a moment of this century: seconds, milliseconds, or nanoseconds. */
const hourOf = (moment: number): number => {
  if (moment < 1e11) return HOUR_MS / 1000;
  return moment < 1e14 ? HOUR_MS : HOUR_MS * 1e6;
};

const later =
  (hours: number): Change =>
  (moment) =>
    moment > 1e9 ? moment + hours * hourOf(moment) : moment;

/** Half an hour or less, and a day and an hour or more, whatever the intervals are: they are 1 to 24 hours. */
const BELOW = 1 / 48;
const BEYOND = 25;
const LENGTH: Meaning = {
  isLength: true,
  probes: [0.5, 2, 3].map(times),
  below: times(BELOW),
  beyond: times(BEYOND),
};

/** The end of an interval, or with -1 its beginning. @param longest interval of the answer, hours */
const edge = (sign: 1 | -1, longest: number): Meaning => ({
  isLength: false,
  probes: [later(sign)],
  below: later(sign * (0.5 - longest)),
  beyond: later(sign * BEYOND),
});

const isLonger = (after: readonly number[], before: readonly number[]): boolean =>
  after.length === before.length && after.some((hours, i) => hours > (before[i] ?? 0));

/** True if a change of the number makes another interval of it, within its bounds, than was stated before. */
function isInterval(
  { payload, decode }: Answer,
  before: readonly number[],
  field: string,
  { isLength, probes }: Meaning,
): boolean {
  return probes.some((probe) => {
    const after = stated(decode(changed(payload, field, probe)));
    return isLength ? after.some((hours) => !before.includes(hours)) : isLonger(after, before);
  });
}

/** Fields from which intervals are read, and what they mean. */
function meaningsIn(answer: Answer): readonly (Meaning & { readonly field: string })[] {
  const before = stated(answer.decode(answer.payload));
  const longest = Math.max(0, ...before);
  if (longest === 0) return [];
  return [...numbersIn(answer.payload)].flatMap((field) => {
    const meaning = [LENGTH, edge(1, longest), edge(-1, longest)].find((hours) =>
      isInterval(answer, before, field, hours),
    );
    return meaning === undefined ? [] : [{ field, ...meaning }];
  });
}

const pairings = pairingsOf(VENUES, SIM_VENUES, world, AT);
const found = pairings.flatMap((pairing) =>
  answersOf(pairing).flatMap((answer) =>
    meaningsIn(answer).map((meaning) => ({ venue: pairing.adapter.id, ...answer, ...meaning })),
  ),
);

it.each(pairings)('$adapter.id states intervals that differ: the fields are found', (pairing) => {
  const { quotes, problems } = runAdapter(pairing, world, AT);
  expect(problems).toEqual([]);
  const differs = new Set([...quotes.values()].map(({ fundingIntervalHours: hours }) => hours)).size > 1;
  if (differs) expect(found.map(({ venue }) => venue)).toContain(pairing.adapter.id);
});

describe.each(found)('$venue $name: $field', ({ payload, field, decode, isLength, below, beyond }) => {
  it.each([
    ['below an hour', below],
    ['beyond a day', beyond],
  ])('interval %s: rejected with a reason', (_what, change) => {
    const before = decode(payload);
    const after = decode(changed(payload, field, change));
    for (const hours of stated(after)) {
      expect(hours).toBeGreaterThanOrEqual(1);
      expect(hours).toBeLessThanOrEqual(24);
    }
    const [faultsBefore, faults] = [before, after].map(({ rejects }) => rejects.filter(isFault).length);
    const isLost = stated(after).length < stated(before).length;
    if (isLength) expect(isLost).toBe(true);
    if (isLost) expect(faults).toBeGreaterThan(faultsBefore ?? 0);
  });
});
