import type { Decoded } from '../../src/domain/decoded.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { QUOTE_FIELDS } from '../../src/market/contract.ts';
import { checkDecoded } from './decoded-checks.ts';
import { mutate } from './mutate.ts';
import { mergeQuotes, type RecordedCall } from './sim-run.ts';
import type { CheckInput, VenueCheck } from './venue-checks.ts';

/** Per call one payload is enough: calls per contract give hundreds alike. */
function oneOfEach(exchanges: readonly RecordedCall[]): readonly RecordedCall[] {
  const byShape = new Map<string, RecordedCall>();
  for (const exchange of exchanges) {
    const shape = `${exchange.name.split(/[ ?]/).slice(0, 2).join(' ')} ${shapeOf(exchange.payload)}`;
    if (!byShape.has(shape)) byShape.set(shape, exchange);
  }
  return [...byShape.values()];
}

function shapeOf(payload: unknown): string {
  return typeof payload === 'object' && payload !== null ? Object.keys(payload).slice(0, 12).join() : '';
}

/** A decoder never throws; where it does, that is the problem. */
function attempt(
  { decode, context }: RecordedCall,
  payload: unknown,
  judge: (after: Decoded) => string[],
): string[] {
  try {
    return judge(decode(payload, context));
  } catch (error) {
    return [`threw ${String(error)}`];
  }
}

/** Runs every call's payload through its decoder again after a change. */
function changed(
  change: (payload: unknown) => unknown,
  judge: (before: Decoded, after: Decoded) => string[],
): (input: CheckInput) => string[] {
  return ({ run }) =>
    oneOfEach(run.calls).flatMap((exchange) => {
      const problems = attempt(exchange, change(exchange.payload), (after) => judge(exchange.decoded, after));
      return problems.map((problem) => `${exchange.name}: ${problem}`);
    });
}

function sameValues(before: Decoded, after: Decoded): string[] {
  const problems: string[] = [];
  const listed = (decoded: Decoded) => decoded.instruments.map((instrument) => instrument.symbol).join();
  if (listed(before) !== listed(after)) {
    problems.push(`${before.instruments.length} instruments became ${after.instruments.length}`);
  }
  const was = new Map<string, QuotePatch>();
  const is = new Map<string, QuotePatch>();
  mergeQuotes(was, before.quotes);
  mergeQuotes(is, after.quotes);
  if (was.size !== is.size) problems.push(`${was.size} quotes became ${is.size}`);
  for (const [symbol, quote] of was) {
    const other = is.get(symbol);
    if (other === undefined) continue;
    const field = QUOTE_FIELDS.find((name) => !alike(quote[name], other[name]));
    if (field !== undefined) problems.push(`${symbol}.${field} ${quote[field]} became ${other[field]}`);
  }
  if (before.books.length !== after.books.length) problems.push('books were lost');
  return problems;
}

type Value = number | boolean | null | undefined;

function alike(a: Value, b: Value): boolean {
  if (a === undefined || a === null || b === undefined || b === null) return a === b;
  if (typeof a === 'boolean' || typeof b === 'boolean') return a === b;
  return a === b || Math.abs(a - b) <= Math.abs(a) * 1e-9;
}

const DECIMAL = /^-?\d+\.\d+$/;

/** Every leaf of a payload through a function. */
function leaves(node: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(node)) return node.map((child) => leaves(child, change));
  if (typeof node !== 'object' || node === null) return change(node);
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, leaves(child, change)]));
}

/** Numbers with decimals as text; whole ones may be codes, times or counts and stay. */
const numbersAsText = (payload: unknown) =>
  leaves(payload, (leaf) => (typeof leaf === 'number' && !Number.isInteger(leaf) ? plain(leaf) : leaf));

/** Decimal texts as numbers; whole ones may be ids and stay. */
const textAsNumbers = (payload: unknown) =>
  leaves(payload, (leaf) => (typeof leaf === 'string' && DECIMAL.test(leaf) ? Number(leaf) : leaf));

function plain(x: number): string {
  const text = String(x);
  return text.includes('e') ? x.toFixed(20) : text;
}

/** Fields that no venue has, in every object. */
function withUnknownFields(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withUnknownFields);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, child]) => [key, withUnknownFields(child)] as const);
  return { ...Object.fromEntries(entries), zzNewField: '7.5', zzNewObject: { price: 1, list: [1, null] } };
}

/** An object with more keys than any row has is a map of rows by symbol, and so is one of some rows with the same fields. */
const KEYS_OF_A_MAP = 60;
const ROWS_OF_A_MAP = 12;

const fieldsOf = (node: unknown): string =>
  typeof node === 'object' && node !== null ? Object.keys(node).join() : '';

function isMap(rows: readonly unknown[]): boolean {
  const fields = fieldsOf(rows[0]);
  const areAlike = fields !== '' && rows.every((row) => fieldsOf(row) === fields);
  return rows.length > KEYS_OF_A_MAP || (rows.length > ROWS_OF_A_MAP && areAlike);
}

/** Shortens lists and maps, so that every field of a row is tried: rows joined by position stay joined. */
function trimmed(node: unknown, rows: number): unknown {
  if (Array.isArray(node)) return node.slice(0, rows).map((child) => trimmed(child, rows));
  if (typeof node !== 'object' || node === null) return node;
  const all = Object.entries(node);
  const some = isMap(Object.values(node)) ? all.slice(0, rows) : all;
  return Object.fromEntries(some.map(([key, child]) => [key, trimmed(child, rows)]));
}

/** Names of the fields in a payload, wherever they are. */
function fieldNames(node: unknown, names = new Set<string>()): Set<string> {
  if (Array.isArray(node)) for (const child of node) fieldNames(child, names);
  else if (typeof node === 'object' && node !== null) {
    for (const [name, child] of Object.entries(node)) {
      names.add(name);
      fieldNames(child, names);
    }
  }
  return names;
}

/** The payload with every field of that name replaced, or left out. */
function without(node: unknown, name: string, replacement: null | '' | undefined): unknown {
  if (Array.isArray(node)) return node.map((child) => without(child, name, replacement));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node)
    .filter(([key]) => key !== name || replacement !== undefined)
    .map(([key, child]) => [key, key === name ? replacement : without(child, name, replacement)] as const);
  return Object.fromEntries(entries);
}

/** Each field in turn absent, null and empty in all rows: what it said is unknown then, never 0. */
function absent({ run }: CheckInput): string[] {
  const problems: string[] = [];
  for (const exchange of oneOfEach(run.calls)) {
    const { name, payload, decode, context } = exchange;
    const short = trimmed(payload, 3);
    const before = decode(short, context);
    for (const field of fieldNames(short)) {
      for (const replacement of [undefined, null, ''] as const) {
        const found = attempt(exchange, without(short, field, replacement), (after) => [
          ...checkDecoded(after),
          ...zerosInstead(before, after),
        ]);
        problems.push(
          ...found.map((text) => `${name} with ${field} ${JSON.stringify(replacement)}: ${text}`),
        );
      }
    }
  }
  return problems;
}

function zerosInstead(before: Decoded, after: Decoded): string[] {
  const was = new Map<string, QuotePatch>();
  mergeQuotes(was, before.quotes);
  return after.quotes.flatMap((quote) => {
    const known = was.get(quote.symbol);
    const zero = QUOTE_FIELDS.find((metric) => quote[metric] === 0 && known?.[metric] !== 0);
    return zero === undefined ? [] : [`${quote.symbol}.${zero} is 0`];
  });
}

/** Mutations tried of each call's payload. */
const TRIED = 250;

function broken({ run }: CheckInput): string[] {
  return oneOfEach(run.calls).flatMap(({ name, payload, decode, context }) => {
    const test = { name, payload: trimmed(payload, 3), decode, context };
    return mutate(test, { limit: TRIED }).problems;
  });
}

/** A venue's bodies without data, with HTTP 200: its own limit answer where that is JSON, and bare shapes. */
function errorBodies(limitBody: string, keyed: boolean): unknown[] {
  const bodies: unknown[] = [
    ...(keyed ? [] : [{}]),
    null,
    'Service Unavailable',
    { code: 500, msg: 'internal error' },
  ];
  try {
    bodies.push(JSON.parse(limitBody));
  } catch {
    bodies.push(limitBody);
  }
  return bodies;
}

/** A list written as an object by symbol: `{}` is an empty list there. */
function isKeyed(payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return false;
  const rows = Object.values(payload);
  return rows.length > 3 && rows.every((row) => typeof row === 'object' && row !== null);
}

/** Error answers of polled calls must be rejects, never an empty success. */
export function errorBodyProblems(input: CheckInput, limitBody: string): string[] {
  const polled = oneOfEach(input.run.calls).filter((exchange) => exchange.kind !== 'stream');
  return polled.flatMap((exchange) =>
    errorBodies(limitBody, isKeyed(exchange.payload)).flatMap((body) =>
      attempt(exchange, body, ({ quotes, instruments, rejects }) => {
        const shown = `${exchange.name}: ${JSON.stringify(body)}`;
        if (quotes.length > 0 || instruments.length > 0) return [`${shown} read as data`];
        return rejects.length > 0 ? [] : [`${shown} gives no reject`];
      }),
    ),
  );
}

/** The checks that change payloads. */
export const PAYLOAD_CHECKS: readonly VenueCheck[] = [
  { name: 'reads numbers written as text', problems: changed(numbersAsText, sameValues) },
  { name: 'reads text written as numbers', problems: changed(textAsNumbers, sameValues) },
  { name: 'ignores unknown fields', problems: changed(withUnknownFields, sameValues) },
  { name: 'leaves absent, null and empty fields unknown', problems: absent },
  { name: 'never makes 0, NaN or an exception of broken fields', problems: broken },
];
