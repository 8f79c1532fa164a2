import { isWire, type Wire } from '../../src/domain/read.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { EXAMPLE_NOW } from '../api/example-market.ts';
import type { Random } from './random.ts';

/** A parameter as the OpenAPI document declares it. */
interface Parameter {
  readonly name: string;
  readonly isPath: boolean;
  readonly required: boolean;
  readonly schema: Wire;
}

/** An operation of the OpenAPI document. */
export interface Operation {
  readonly path: string;
  /** USD; undefined where it is free. */
  readonly price: number | undefined;
  /** Media types of a 200. */
  readonly types: ReadonlySet<string>;
  /** JSON schema of a 200; undefined where the answer is no JSON. */
  readonly schema: Wire | undefined;
  /** Statuses that the document names. */
  readonly statuses: ReadonlySet<number>;
  readonly parameters: readonly Parameter[];
}

/** Names that exist, to ask about sensibly. */
export interface KnownNames {
  readonly tickers: readonly string[];
  readonly venues: readonly string[];
}

const wire = (value: unknown): Wire => (isWire(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Takes an OpenAPI document apart. */
export function operationsOf(document: Wire): readonly Operation[] {
  return Object.entries(wire(document.paths)).map(([path, item]) => {
    const get = wire(wire(item).get);
    const responses = wire(get.responses);
    const content = wire(wire(responses['200']).content);
    const json = wire(content['application/json']);
    const amount = wire(wire(get['x-payment-info']).price).amount;
    return {
      path,
      price: amount === undefined ? undefined : Number(amount),
      types: new Set(Object.keys(content).map((type) => type.split(';')[0] ?? '')),
      // References of a schema lead into the document.
      schema: isWire(json.schema) ? { ...json.schema, components: document.components } : undefined,
      statuses: new Set(Object.keys(responses).map(Number)),
      parameters: list(get.parameters).filter(isWire).map(parameterOf),
    };
  });
}

function parameterOf(parameter: Wire): Parameter {
  return {
    name: String(parameter.name),
    isPath: parameter.in === 'path',
    required: parameter.required === true,
    schema: wire(parameter.schema),
  };
}

const ODD = [
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  '1e-400',
  'null',
  'NaN',
  'Infinity',
  'true',
  '__proto__',
  'constructor',
  '\u0000',
  '../..',
  '%2e%2e',
  '😀',
  'BTC,ETH',
  "' or 1=1 --",
  '2026-13-40T25:61:61Z',
  '9'.repeat(40),
  'a'.repeat(300),
] as const;

/** Requests of the documentation, by path: chance alone hardly finds a pair of venues and a window that go together. */
const EXAMPLES = new Map(ROUTES.map(({ path, example }) => [path, example?.request]));

const TIME = /\d{4}-\d\d-\d\dT[\d:]+Z/g;

/** A request of the documentation with its window moved by whole days, into the past of the simulated world. */
function exampleAt(request: string, now: number): string {
  const days = Math.floor((now - EXAMPLE_NOW) / DAY_MS);
  return request.replace(TIME, (time) => new Date(Date.parse(time) + days * DAY_MS).toISOString());
}

/** One request target; mostly sensible, at times not. */
export function targetOf(operation: Operation, names: KnownNames, now: number, random: Random): string {
  const example = EXAMPLES.get(operation.path);
  if (example !== undefined && random.chance(0.3)) return exampleAt(example, now);
  let path = operation.path;
  const query = new URLSearchParams();
  for (const parameter of operation.parameters) {
    if (parameter.isPath) {
      path = path.replace(
        `{${parameter.name}}`,
        encodeURIComponent(parameterText(parameter, names, now, random)),
      );
    } else if (random.chance(parameter.required ? 0.97 : 0.35)) {
      query.append(parameter.name, parameterText(parameter, names, now, random));
      if (random.chance(0.01)) query.append(parameter.name, parameterText(parameter, names, now, random));
    }
  }
  if (random.chance(0.03)) query.append(random.pick(['x', 'tikcer', 'limit', '', 'apikey']), 'y');
  const search = query.toString();
  return search === '' ? path : `${path}?${search}`;
}

function parameterText({ name, schema }: Parameter, names: KnownNames, now: number, random: Random): string {
  if (random.chance(0.06)) return random.pick(ODD);
  const options = list(schema.enum);
  if (options.length > 0) return String(random.pick(options));
  if (name === 'venue') return nameLike(random.pick(names.venues), random);
  // Two of a few venues, so that they share assets.
  if (name === 'short' || name === 'long') return nameLike(random.pick(names.venues.slice(0, 6)), random);
  if (name === 'ticker' || name === 'symbol') return assetText(names, random);
  if (name === 'venues' || name === 'exclude') return listText(names.venues, random);
  if (name === 'quote') return listText(QUOTES, random);
  if (name === 'fees' || name === 'maker') return feesText(names, random);
  if (name === 'canonical_id') return random.pick(names.tickers.filter((ticker) => ticker.includes(':')));
  // A window begins before it ends, most of the time.
  if (name === 'from') return hoursBefore(now, random.between(200, 24 * 20));
  if (schema.format === 'date-time' || name === 'to') return hoursBefore(now, random.between(-2, 240));
  if (schema.type === 'boolean') return String(random.chance(0.5));
  if (schema.type === 'integer' || schema.type === 'number') return numberLike(schema, random);
  return random.pick(ODD);
}

const QUOTES = ['USDT', 'USDC', 'USD'] as const;

/** Some of the words, with commas; one of them may stand there twice. */
function listText(words: readonly string[], random: Random): string {
  const count = random.between(1, 6);
  return Array.from({ length: count }, () => nameLike(random.pick(words), random)).join(',');
}

/** An asset, at times several. */
function assetText({ tickers }: KnownNames, random: Random): string {
  return random.chance(0.1) ? listText(tickers, random) : nameLike(random.pick(tickers), random);
}

/** Fees in basis points at some venues. */
function feesText({ venues }: KnownNames, random: Random): string {
  const named = new Set(listText(venues, random).split(','));
  return [...named].map((venue) => `${venue}:${random.between(-10, 200) / 10}`).join(',');
}

const hoursBefore = (now: number, hours: number): string => new Date(now - hours * 3_600_000).toISOString();

function numberLike(schema: Wire, random: Random): string {
  const low = typeof schema.minimum === 'number' ? schema.minimum : 0;
  const high = typeof schema.maximum === 'number' ? schema.maximum : low + 1000;
  if (random.chance(0.1)) return String(random.pick([low - 1, high + 1, low, high]));
  return schema.type === 'integer'
    ? String(random.between(low, Math.min(high, low + 2000)))
    : String(low + random.next() * Math.min(high - low, random.pick([0.001, 1, 100])));
}

function nameLike(name: string, random: Random): string {
  if (random.chance(0.1)) return name.toLowerCase();
  return random.chance(0.05) ? `${name}-PERP` : name;
}
