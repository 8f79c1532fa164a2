import { DATA_KINDS, type Decoded } from '../../src/domain/decoded.ts';
import type { DecodeContext, Decoder, VenueAdapter } from '../../src/venues/adapter.ts';
import { Random } from '../soak/random.ts';
import { checkDecoded } from './decoded-checks.ts';
import { callFor, contextOf, decodersOf } from './recordings.ts';
import { silentLosses } from './silent-losses.ts';

/** One payload, the decoder it belongs to and what that decoder knows. */
export interface MutationCase {
  readonly name: string;
  readonly payload: unknown;
  readonly decode: Decoder;
  readonly context?: DecodeContext;
  /** Further problems of a mutated payload's result. */
  readonly judge?: (decoded: Decoded, mutation: Mutation) => string[];
}

/** The changed value, and its place: `null` at `.data[3].status`. */
export interface Mutation {
  readonly name: string;
  readonly at: string;
}

export interface MutationOptions {
  readonly seed?: number;
  /** Mutations tried per case; a seeded choice where there are more, besides one at the first places of each kind. */
  readonly limit?: number;
}

/** The change that is tried at the first places of every kind, however few mutations are. */
const ALWAYS = 'wrong type';
/** Places of one kind at which it is: the first rows may be left out, or state less. */
const PLACES = 4;

/** Whole payloads that are no answer of any venue. */
export const NONSENSE: readonly unknown[] = [
  null,
  undefined,
  true,
  0,
  '',
  'not json',
  [],
  {},
  [null],
  [[]],
  [[[]]],
  ['x', 1, null, [], {}],
  { data: null },
  { data: [] },
  { data: {} },
  { data: [null, 1, 'x', [], {}] },
  { result: null },
  { result: [] },
  { result: { list: null } },
  { result: { list: [null, {}, 'x'] } },
  { symbols: [null, {}, []] },
  { code: 0, data: 'x' },
  { bids: 1, asks: { a: 1 } },
];

const MISSING = Symbol('missing');
/** Stands for the path of the whole payload: a frame of another form may belong to another channel. */
const WHOLE = '(all)';

const MUTATIONS: readonly (readonly [name: string, change: (value: unknown) => unknown])[] = [
  ['remove', () => MISSING],
  ['null', () => null],
  ['empty text', () => ''],
  ['NaN text', () => 'NaN'],
  ['Infinity text', () => 'Infinity'],
  ['text for number', (value) => (typeof value === 'number' ? String(value) : value)],
  ['number for text', (value) => (typeof value === 'string' && value !== '' ? Number(value) : value)],
  ['negative', (value) => scaled(value, -1)],
  ['x1000', (value) => scaled(value, 1000)],
  ['x1e30', (value) => scaled(value, 1e30)],
  ['wrong type', () => ({ unexpected: [1] })],
  ['boolean', () => true],
  ['empty array', () => []],
  ['hidden text', (value) => (typeof value === 'string' ? `\u202e${value}\ud800` : value)],
  ['long text', (value) => (typeof value === 'string' ? value + 'X'.repeat(2000) : value)],
];

function scaled(value: unknown, factor: number): unknown {
  if (typeof value === 'number') return value * factor;
  if (typeof value !== 'string' || value === '') return value;
  const n = Number(value);
  return Number.isFinite(n) ? String(n * factor) : value;
}

type Slot = {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string | number;
  at: string;
};

function slotsOf(node: unknown, at: string, slots: Slot[]): Slot[] {
  if (Array.isArray(node)) {
    node.forEach((child, key) => {
      slots.push({ holder: node, key, at: `${at}[${key}]` });
      slotsOf(child, `${at}[${key}]`, slots);
    });
  } else if (typeof node === 'object' && node !== null) {
    const holder = node as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      slots.push({ holder, key, at: `${at}.${key}` });
      slotsOf(holder[key], `${at}.${key}`, slots);
    }
  }
  return slots;
}

/** True if a place is among the first of its kind: the same field in other rows of a list is of that kind. */
function firstPlaces(): (at: string) => boolean {
  const seen = new Map<string, number>();
  return (at) => {
    const kind = at.replace(/\[\d+\]/g, '[]');
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    return count <= PLACES;
  };
}

/** Zero values of a result by row and field, so that a zero that was not there before stands out. */
function zerosOf(decoded: Decoded): Map<string, number> {
  const zeros = new Map<string, number>();
  const count = (key: string) => zeros.set(key, (zeros.get(key) ?? 0) + 1);
  for (const kind of DATA_KINDS) {
    for (const row of decoded[kind]) {
      for (const [field, value] of Object.entries(row)) if (value === 0) count(`${kind}.${field}`);
    }
  }
  for (const book of decoded.books) {
    for (const [, size] of [...book.bids, ...book.asks]) if (size === 0) count('books.size');
  }
  return zeros;
}

function newZeros(before: Map<string, number>, after: Map<string, number>): string[] {
  const grown = [...after].filter(([key, count]) => count > (before.get(key) ?? 0));
  return grown.map(([key]) => `0 for unknown in ${key}`);
}

function problemsOf(
  decode: () => Decoded,
  before: Map<string, number> | undefined,
  judge: (decoded: Decoded) => string[] = () => [],
): string[] {
  try {
    const decoded = decode();
    const zeros = before === undefined ? [] : newZeros(before, zerosOf(decoded));
    return [...checkDecoded(decoded), ...zeros, ...judge(decoded)];
  } catch (error) {
    return [`threw ${String(error)}`];
  }
}

/**
 * Changes a payload field by field (removed, null, unreadable, negative, scaled, of another type) and runs the
 * decoder on each: it must never throw, never yield NaN, Infinity or a price that is not positive, never
 * turn an unknown into a zero, and never lose a value that became unreadable without a reject. Returns what went
 * wrong; `tried` counts the mutations run.
 */
export function mutate(
  test: MutationCase,
  options: MutationOptions = {},
): { tried: number; problems: string[] } {
  const { seed = 1, limit = 1500 } = options;
  const context = test.context ?? contextOf();
  const payload: unknown = structuredClone(test.payload);
  const root = { payload };
  const slots = slotsOf(payload, '', [{ holder: root, key: 'payload', at: WHOLE }]);
  const random = new Random(seed);
  const share = limit / (slots.length * MUTATIONS.length);
  const whole = test.decode(payload, context);
  const before = zerosOf(whole);
  const lossesOf = silentLosses(whole);
  const problems: string[] = [];
  const isFirst = firstPlaces();
  let tried = 0;
  for (const slot of slots) {
    const first = isFirst(slot.at);
    for (const [name, change] of MUTATIONS) {
      if (share < 1 && random.next() >= share && !(first && name === ALWAYS)) continue;
      const kept = Reflect.get(slot.holder, slot.key) as unknown;
      if (!apply(slot, kept, change(kept))) continue;
      tried += 1;
      const judge = (decoded: Decoded) => [
        ...(slot.at === WHOLE ? [] : lossesOf(decoded, name, kept)),
        ...(test.judge?.(decoded, { name, at: slot.at }) ?? []),
      ];
      const found = problemsOf(() => test.decode(root.payload, context), before, judge);
      problems.push(...found.map((problem) => `${test.name}: ${name} at ${slot.at}: ${problem}`));
      Reflect.set(slot.holder, slot.key, kept);
    }
  }
  return { tried, problems };
}

/** False where the mutation changes nothing. */
function apply(slot: Slot, kept: unknown, next: unknown): boolean {
  if (Object.is(kept, next)) return false;
  // An element taken out of an array would move its neighbours into other meanings: a hole reads as undefined.
  if (next === MISSING && !Array.isArray(slot.holder)) Reflect.deleteProperty(slot.holder, slot.key);
  else Reflect.set(slot.holder, slot.key, next === MISSING ? undefined : next);
  return true;
}

/** Every decoder of a venue on every payload that is no answer at all. */
export function nonsenseProblems(adapter: VenueAdapter, context: DecodeContext = contextOf()): string[] {
  return decodersOf(adapter).flatMap(([name, decode]) =>
    NONSENSE.flatMap((payload) =>
      problemsOf(() => decode(payload, context), undefined).map(
        (problem) => `${name} on ${JSON.stringify(payload)}: ${problem}`,
      ),
    ),
  );
}

/**
 * The adapter's decoders on these payloads, each changed field by field, with every context, and on nonsense. Returns
 * what went wrong; a payload of which fewer mutations than `least` are tried is wrong too.
 *
 * @param payloads by the address that they come from
 */
export function brokenProblems(
  adapter: VenueAdapter,
  payloads: readonly (readonly [url: string, payload: unknown])[],
  contexts: readonly DecodeContext[],
  least: number,
): string[] {
  const mutated = payloads.flatMap(([url, payload]) => {
    const call = callFor(adapter, url);
    if (call === undefined) return [`no call for ${url}`];
    return contexts.flatMap((context) => {
      const { tried, problems } = mutate({ name: url, payload, decode: call.decode, context });
      return tried > least ? problems : [...problems, `${url}: ${tried} mutations`];
    });
  });
  return [...mutated, ...nonsenseProblems(adapter)];
}
