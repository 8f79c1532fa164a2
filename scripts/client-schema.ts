/** The route table as the printers of clients read it: fields, shared types, parameters. */
import { isWire, readText, type Wire, wireArray } from '../src/domain/read.ts';

/** The part of a route from which a client is generated. */
export interface ClientRoute {
  readonly id: string;
  readonly path: string;
  readonly access: 'free' | 'paid';
  readonly summary: string;
  readonly description: string;
  readonly contentType?: string;
  readonly fileTypes?: readonly string[];
  readonly isStream?: boolean;
  readonly params: unknown;
  readonly query: unknown;
  readonly answer: unknown;
  /** The answer to a list of assets. */
  readonly several?: unknown;
}

export interface Field {
  readonly name: string;
  readonly schema: Wire;
  readonly required: boolean;
}

export const wireOf = (value: unknown): Wire => {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  if (!isWire(plain)) throw new TypeError('no schema');
  return plain;
};

export function fieldsOf(schema: Wire): readonly Field[] {
  const required = wireArray(schema.required) ?? [];
  const properties = isWire(schema.properties) ? schema.properties : {};
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: wireOf(property),
    required: required.includes(name),
  }));
}

/** `perp-volume-24h` as the name of a function. */
export const methodName = (id: string): string =>
  id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Types that several answers have: route and path of a place where each stands, and what it is where the schema says what it is there. */
const SHARED_AT: Readonly<Record<string, readonly [place: string, about?: string]>> = {
  AssetClass: ['funding-current rates asset_class'],
  NullReasons: ['funding-current rates null_reasons'],
  PublishedAmount: ['venues-list open_interest', 'What a venue publishes as an amount'],
  WorstReading: ['data-quality-accuracy fields worst', 'The shown and second value furthest apart'],
  RateLeg: ['funding-spread-symbol max_contract', 'A contract of a funding spread'],
  NormalizedSpread: ['perp-funding-spread normalized', 'A spread of rates scaled to eight hours'],
  SignalLeg: ['perp-arbitrage-funding-signal opportunities short', 'A contract of the funding signal'],
  PriceLeg: ['perp-arbitrage-price opportunities max_leg', 'A contract of a price spread'],
  Correction: ['perp-oi-history corrections', 'What was stored wrong, and how it reads now'],
};

/** A shared type, by its shape. */
export type Shared = ReadonlyMap<
  string,
  { readonly name: string; readonly about: string; readonly schema: Wire }
>;

/** A schema's shape, without its description and nullability. */
export function shapeOf(schema: Wire): string {
  const { enum: words, properties, required, additionalProperties } = schema;
  return JSON.stringify([kindsOf(schema), words, properties, required, additionalProperties]);
}

export const kindsOf = ({ type }: Wire): readonly unknown[] =>
  (wireArray(type) ?? [type]).filter((kind) => kind !== 'null');

export function sharedOf(routes: readonly ClientRoute[]): Shared {
  const found = Object.entries(SHARED_AT).flatMap(([name, [place, about]]) => {
    const [id, ...path] = place.split(' ');
    // A route of a module is not there without it.
    const route = routes.find((served) => served.id === id);
    if (route === undefined) return [];
    const schema = itemOf(path.reduce(fieldAt, wireOf(route.answer)));
    return [{ name, about: about ?? readText(schema.description) ?? '', schema }];
  });
  return new Map(found.map((named) => [shapeOf(named.schema), named]));
}

/** The schema itself, or that of its items. */
const itemOf = (schema: Wire): Wire => (isWire(schema.items) ? itemOf(schema.items) : schema);

function fieldAt(schema: Wire, name: string): Wire {
  const field = fieldsOf(itemOf(schema)).find((parameter) => parameter.name === name);
  if (field === undefined) throw new TypeError(`no field ${name}`);
  return field.schema;
}

/** Parameters of path and query in one, dates also as `Date`. */
export function askedFields({ params, query }: ClientRoute): readonly Field[] {
  const inPath = fieldsOf(wireOf(params)).map((field) => ({ ...field, required: true }));
  const inQuery = fieldsOf(wireOf(query)).map((field) => ({
    ...field,
    required: field.required && field.schema.default === undefined,
  }));
  return [...inPath, ...inQuery];
}

/** Formats of the query that are answered with a file. */
export function fileFormats({ fileTypes = [], query }: ClientRoute): readonly string[] {
  if (fileTypes.length === 0) return [];
  const format = fieldsOf(wireOf(query)).find(({ name }) => name === 'format');
  const words = wireArray(format?.schema.enum) ?? [];
  return words.filter((word): word is string => typeof word === 'string' && word !== 'json');
}

export const called = (routes: readonly ClientRoute[]): readonly ClientRoute[] =>
  routes.filter(({ isStream }) => isStream !== true);

/** Names of fields that are times, in any answer. One that is a time here and something else there is refused. */
export function dateFields(routes: readonly ClientRoute[]): readonly string[] {
  const kinds = new Map<string, boolean>();
  const look = (value: unknown): void => {
    if (!isWire(value)) return;
    for (const { name, schema } of fieldsOf(value)) {
      const isDate = schema.format === 'date-time';
      if ((kinds.get(name) ?? isDate) !== isDate) throw new TypeError(`${name} is a time, and is not`);
      kinds.set(name, isDate);
      look(schema);
    }
    look(value.items);
    look(value.additionalProperties);
  };
  for (const { answer } of routes) look(wireOf(answer));
  return [...kinds].filter(([, isDate]) => isDate).map(([name]) => name);
}
