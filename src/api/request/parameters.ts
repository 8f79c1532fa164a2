import type { TObject } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { readDate, readEpoch } from '../../domain/date.ts';
import {
  badParameter,
  type Correction,
  type ErrorCode,
  type Failure,
  fail,
  ok,
  type ParameterError,
  type Result,
} from '../../domain/errors.ts';
import { isWire, readNumber, readText, wireArray } from '../../domain/read.ts';
import { asMs } from '../../domain/units.ts';
import { LIST_KEY } from '../../products/answer/list-parameter.ts';
import type { Declared } from './declared.ts';
import { firstOfList, isAboutVenues, meantValue } from './meant-value.ts';
import { nearest } from './nearest.ts';

export type RawParameters = readonly (readonly [name: string, value: string])[];

type Reading = { readonly value: unknown } | { readonly problem: string };

const INTEGER = /^-?\d{1,15}$/;
const DECIMAL = /^-?(?:\d{1,15}\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

function readNumeric(declared: Declared, text: string): Reading {
  const integer = declared.type === 'integer';
  const value = Number(text);
  if (!(integer ? INTEGER : DECIMAL).test(text) || !Number.isFinite(value)) {
    return { problem: integer ? 'must be an integer' : 'must be a number' };
  }
  const { minimum, maximum } = declared;
  if (declared.enum !== undefined && !declared.enum.includes(value)) return notOneOf(declared.enum);
  if (minimum !== undefined && value < minimum) return { problem: `must be at least ${minimum}` };
  if (maximum !== undefined && value > maximum) return { problem: `must be at most ${maximum}` };
  return { value };
}

function readString(declared: Declared, text: string): Reading {
  if (text.length < declared.minLength) return { problem: 'must not be empty' };
  if (text.length > declared.maxLength)
    return { problem: `must have at most ${declared.maxLength} characters` };
  if (declared.enum !== undefined && !declared.enum.includes(text)) return notOneOf(declared.enum);
  if (declared.pattern !== undefined && !new RegExp(declared.pattern).test(text))
    return { problem: `must match ${declared.pattern}` };
  return declared.format === 'date-time' ? readTime(text) : { value: text };
}

/** A time as ISO 8601: what is sent as Unix time goes on as if it had been written out. */
function readTime(text: string): Reading {
  const epoch = readEpoch(text);
  if (epoch !== undefined) return { value: iso(asMs(epoch)) };
  if (readDate(text) !== undefined) return { value: text };
  return {
    problem:
      'must be an ISO 8601 date or time such as 2026-11-20T21:30:00Z, or Unix time in seconds or milliseconds',
  };
}

function notOneOf(words: readonly (string | number)[]): Reading {
  return { problem: `must be one of ${words.join(', ')}` };
}

function readValue(declared: Declared, text: string): Reading {
  if (declared.type === 'boolean') {
    if (text === 'true' || text === 'false') return { value: text === 'true' };
    return { problem: 'must be true or false' };
  }
  return declared.type === 'string' ? readString(declared, text) : readNumeric(declared, text);
}

const TYPES = ['string', 'integer', 'number', 'boolean'] as const;

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** One property of a parameter schema, as data. A schema of another kind is a fault of the route table. */
function declare(name: string, schema: unknown, required: boolean): Declared {
  const wire = isWire(schema) ? schema : {};
  const type = TYPES.find((known) => known === wire.type);
  if (type === undefined) throw new TypeError(`parameter ${name}: unsupported schema`);
  const words = wireArray(wire.enum)?.filter((w) => typeof w === 'string' || typeof w === 'number');
  const minimum = readNumber(wire.minimum);
  const maximum = readNumber(wire.maximum);
  const format = readText(wire.format);
  const pattern = readText(wire.pattern);
  const example = wireArray(wire.examples)?.find(isScalar);
  return {
    type,
    description: readText(wire.description) ?? '',
    required: required && wire.default === undefined,
    ...(words !== undefined && { enum: words }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(format !== undefined && { format }),
    ...(pattern !== undefined && { pattern }),
    ...(example !== undefined && { example }),
    ...(wire.default !== undefined && { default: wire.default }),
    ...(wire[LIST_KEY] === true && { isList: true as const }),
    minLength: readNumber(wire.minLength) ?? 1,
    maxLength: readNumber(wire.maxLength) ?? 256,
  };
}

/** The parameters of an object schema by name. A property with a default is not required of a request. */
export function declaredParameters(schema: TObject): ReadonlyMap<string, Declared> {
  const required: readonly string[] = schema.required ?? [];
  return new Map(
    Object.entries(schema.properties).map(([name, property]) => [
      name,
      declare(name, property, required.includes(name)),
    ]),
  );
}

interface Fault extends ParameterError {
  readonly code: ErrorCode;
  /** A value that would mend it; undefined where none is known. */
  readonly correction: Correction | undefined;
}
type Suggest = (typed: string, known: readonly string[]) => string | undefined;

/** Parameters of one request: no route takes half as many, and to look at thousands of wrong ones holds up all others. */
export const MAX_PARAMETERS = 64;
/** Faults that are reported; the rest is counted. */
const REPORTED_FAULTS = 16;
const MAX_NAME_LENGTH = 64;

function unknownParameter(name: string, known: readonly string[], suggest: Suggest): Fault {
  const shown = name.slice(0, MAX_NAME_LENGTH);
  const code = 'unknown_parameter';
  const without = { code, parameter: shown, correction: { parameter: name } } as const;
  if (known.length === 0) {
    return { ...without, message: 'unknown; this endpoint takes no query parameters' };
  }
  const list = `Known: ${known.join(', ')}`;
  const closest = suggest(shown, known);
  if (closest !== undefined && !isAboutVenues(shown, closest)) {
    const message = `unknown; did you mean ${closest}? ${list}`;
    return { code, parameter: shown, message, correction: { parameter: name, name: closest } };
  }
  if (!isAboutVenues(shown, undefined)) return { ...without, message: `unknown. ${list}` };
  const message = `unknown: this path answers over all venues; leave it out, and take from the answer the rows of the venues that you want. ${list}`;
  return { ...without, message };
}

/**
 * Without a value that seems to be meant, a default takes its place, or the example of a required parameter.
 */
function withoutMeaning(parameter: string, { required, example }: Declared): Correction | undefined {
  if (!required) return { parameter };
  return example === undefined ? undefined : { parameter, value: String(example) };
}

/** The value of a parameter, or what is wrong with it. */
function readGiven(name: string, declared: Declared, text: string): { readonly value: unknown } | Fault {
  const invalid = { code: 'invalid_parameter', parameter: name } as const;
  const first = declared.isList === true ? undefined : firstOfList(declared, text);
  if (first !== undefined) {
    const message = 'takes one value, not a list: ask once for each';
    return { ...invalid, message, correction: { parameter: name, value: first } };
  }
  const reading = readValue(declared, text);
  if ('value' in reading) return reading;
  const value = meantValue(name, declared, text);
  const correction = value === undefined ? withoutMeaning(name, declared) : { parameter: name, value };
  return { ...invalid, message: reading.problem, correction };
}

/** 400 of a request with more parameters than are looked at. */
export function tooManyParameters(count: number, beyond: string): Failure {
  const message = `one of ${count} parameters; a request has at most ${MAX_PARAMETERS}`;
  return badParameter(beyond.slice(0, MAX_NAME_LENGTH), message);
}

/**
 * Reads text into the declared types; every fault is reported, none is guessed away. 400 unread where there are more than
 * `MAX_PARAMETERS`.
 *
 * @param suggest the known word nearest to an unknown one; asked for faults that are reported alone, since it is
 * what costs
 */
export function readParameters(
  declared: ReadonlyMap<string, Declared>,
  raw: RawParameters,
  suggest: Suggest = nearest,
): Result<Record<string, unknown>> {
  const beyond = raw[MAX_PARAMETERS];
  if (beyond !== undefined) return fail(tooManyParameters(raw.length, beyond[0]));
  const values: Record<string, unknown> = {};
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const [name, text] of raw) {
    const parameter = declared.get(name);
    if (parameter === undefined) {
      const nearestTo = faults.length < REPORTED_FAULTS ? suggest : () => undefined;
      if (!seen.has(name)) faults.push(unknownParameter(name, [...declared.keys()], nearestTo));
    } else if (seen.has(name)) {
      const message = 'given more than once';
      faults.push({ code: 'invalid_parameter', parameter: name, message, correction: { parameter: name } });
    } else {
      const reading = readGiven(name, parameter, text);
      if ('value' in reading) values[name] = reading.value;
      else faults.push(reading);
    }
    seen.add(name);
  }
  for (const [name, parameter] of declared) {
    if (seen.has(name)) continue;
    if (parameter.default !== undefined) values[name] = parameter.default;
    else if (parameter.required) faults.push(missingParameter(name, parameter));
  }
  return faults.length === 0 ? ok(values) : fail(badRequest(faults));
}

/**
 * A missing parameter is mended by its example: an address that can be asked, with a value to be put in its
 * place.
 */
const missingParameter = (name: string, declared: Declared): Fault => ({
  code: 'missing_parameter',
  parameter: name,
  message: 'required',
  correction: withoutMeaning(name, declared),
});

const SEVERITY: readonly ErrorCode[] = ['unknown_parameter', 'missing_parameter', 'invalid_parameter'];

function badRequest(faults: readonly Fault[]): Failure {
  const code = SEVERITY.find((candidate) => faults.some((fault) => fault.code === candidate));
  const errors = faults.slice(0, REPORTED_FAULTS).map(({ parameter, message }) => ({ parameter, message }));
  const more = faults.length - errors.length;
  const detail = errors.map(({ parameter, message }) => `${parameter}: ${message}`).join('; ');
  return {
    code: code ?? 'invalid_parameter',
    detail: more > 0 ? `${detail}; and ${more} more` : detail,
    errors,
    ...(more === 0 && correctionsOf(faults)),
  };
}

/** Nothing, where one fault would be left: a request that is still refused is no help. */
function correctionsOf(faults: readonly Fault[]): Pick<Failure, 'corrections'> {
  const corrections = faults.flatMap(({ correction }) => (correction === undefined ? [] : [correction]));
  return corrections.length === faults.length ? { corrections } : {};
}
