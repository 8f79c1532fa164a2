import type { TObject } from 'typebox';
import { readDate } from '../../domain/date.ts';
import {
  badParameter,
  type ErrorCode,
  type Failure,
  fail,
  ok,
  type ParameterError,
  type Result,
} from '../../domain/errors.ts';
import { isWire, readNumber, readText, wireArray } from '../../domain/read.ts';
import type { ParameterSpec } from '../../pay/types.ts';
import { nearest } from './nearest.ts';

export type RawParameters = readonly (readonly [name: string, value: string])[];

/** A declared parameter and what is needed to read it from text. */
export interface Declared extends ParameterSpec {
  readonly default?: unknown;
  readonly minLength: number;
  readonly maxLength: number;
}

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
  if (declared.format === 'date-time' && readDate(text) === undefined) {
    return { problem: 'must be an ISO 8601 date or time such as 2026-11-20T21:30:00Z' };
  }
  return { value: text };
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
  const example = wireArray(wire.examples)?.find(isScalar);
  return {
    type,
    description: readText(wire.description) ?? '',
    required: required && wire.default === undefined,
    ...(words !== undefined && { enum: words }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(format !== undefined && { format }),
    ...(example !== undefined && { example }),
    ...(wire.default !== undefined && { default: wire.default }),
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

type Fault = ParameterError & { readonly code: ErrorCode };
type Suggest = (typed: string, known: readonly string[]) => string | undefined;

/** Parameters of one request: no route takes half as many, and to look at thousands of wrong ones holds up all others. */
export const MAX_PARAMETERS = 64;
/** Faults that are reported; the rest is counted. */
const REPORTED_FAULTS = 16;
const MAX_NAME_LENGTH = 64;

function unknownParameter(name: string, known: readonly string[], suggest: Suggest): Fault {
  const shown = name.slice(0, MAX_NAME_LENGTH);
  const closest = suggest(shown, known);
  const message =
    closest === undefined
      ? 'unknown; this endpoint takes no query parameters'
      : `unknown; did you mean ${closest}? Known: ${known.join(', ')}`;
  return { code: 'unknown_parameter', parameter: shown, message };
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
 * @param suggest the known word nearest to an unknown one; asked for faults that are reported alone, since it is what costs
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
      faults.push({ code: 'invalid_parameter', parameter: name, message: 'given more than once' });
    } else {
      const reading = readValue(parameter, text);
      if ('value' in reading) values[name] = reading.value;
      else faults.push({ code: 'invalid_parameter', parameter: name, message: reading.problem });
    }
    seen.add(name);
  }
  for (const [name, parameter] of declared) {
    if (seen.has(name)) continue;
    if (parameter.default !== undefined) values[name] = parameter.default;
    else if (parameter.required)
      faults.push({ code: 'missing_parameter', parameter: name, message: 'required' });
  }
  return faults.length === 0 ? ok(values) : fail(badRequest(faults));
}

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
  };
}
