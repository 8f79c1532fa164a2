import { PROBLEM_ERRORS } from '../src/domain/errors.ts';
import { isWire, readText, type Wire, wireArray } from '../src/domain/read.ts';
import { LIST_KEY } from '../src/products/answer/list-parameter.ts';

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

interface Field {
  readonly name: string;
  readonly schema: Wire;
  readonly required: boolean;
}

const wireOf = (value: unknown): Wire => {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  if (!isWire(plain)) throw new TypeError('no schema');
  return plain;
};

function fieldsOf(schema: Wire): readonly Field[] {
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
const typeName = (id: string): string => methodName(id).replace(/^\w/, (letter) => letter.toUpperCase());

const comment = (text: string | undefined, indent: string): string =>
  text === undefined || text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`;

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
const property = (name: string): string => (/^\w+$/.test(name) ? name : literal(name));

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

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
type Shared = ReadonlyMap<string, { readonly name: string; readonly about: string; readonly schema: Wire }>;

/** A schema's shape, without its description and nullability. */
function shapeOf(schema: Wire): string {
  const { enum: words, properties, required, additionalProperties } = schema;
  return JSON.stringify([kindsOf(schema), words, properties, required, additionalProperties]);
}

const kindsOf = ({ type }: Wire): readonly unknown[] =>
  (wireArray(type) ?? [type]).filter((kind) => kind !== 'null');

function sharedOf(routes: readonly ClientRoute[]): Shared {
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

/** The TypeScript type of a JSON schema. A keyword that it does not know is a fault of the route table. */
function typeOf(schema: Wire, shared: Shared, indent = ''): string {
  const types = wireArray(schema.type) ?? [schema.type];
  const known = shared.get(shapeOf(schema));
  return known === undefined
    ? writtenType(schema, types, shared, indent)
    : [known.name, ...types.filter((type) => type === 'null')].join(' | ');
}

function writtenType(schema: Wire, types: readonly unknown[], shared: Shared, indent: string): string {
  if (schema.const !== undefined) return literal(schema.const);
  const words = wireArray(schema.enum);
  if (words !== undefined) return words.map(literal).join(' | ');
  if (types.length === 1 && types[0] === undefined) return 'unknown';
  return types.map((type) => typeOfKind(readText(type) ?? '', schema, shared, indent)).join(' | ');
}

function typeOfKind(type: string, schema: Wire, shared: Shared, indent: string): string {
  if (type === 'array') {
    const item = typeOf(wireOf(schema.items), shared, indent);
    return `readonly ${item.includes(' | ') && !item.startsWith('{') ? `(${item})` : item}[]`;
  }
  if (type === 'object') return objectType(schema, shared, indent);
  const scalar = SCALARS[type];
  if (scalar === undefined) throw new TypeError(`no type for ${type}`);
  return scalar;
}

function objectType(schema: Wire, shared: Shared, indent: string): string {
  if (isWire(schema.additionalProperties)) {
    return `Readonly<Record<string, ${typeOf(schema.additionalProperties, shared, indent)}>>`;
  }
  const fields = fieldsOf(schema);
  return fields.length === 0 ? 'Readonly<Record<string, unknown>>' : fieldList(fields, shared, indent);
}

function fieldList(fields: readonly Field[], shared: Shared, indent: string): string {
  const inner = `${indent}  `;
  const lines = fields.map(({ name, schema, required }) => {
    const doc = comment(aboutField(schema, shared), inner);
    return `${doc}${inner}readonly ${property(name)}${required ? '' : '?'}: ${typeOf(schema, shared, inner)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** A field's description, without the part that its type has. */
function aboutField(schema: Wire, shared: Shared): string | undefined {
  const about = readText(schema.description);
  return about === shared.get(shapeOf(schema))?.about ? undefined : about;
}

/** Parameters of path and query in one, dates also as `Date`. */
function askedFields({ params, query }: ClientRoute): readonly Field[] {
  const inPath = fieldsOf(wireOf(params)).map((field) => ({ ...field, required: true }));
  const inQuery = fieldsOf(wireOf(query)).map((field) => ({
    ...field,
    required: field.required && field.schema.default === undefined,
  }));
  return [...inPath, ...inQuery];
}

function askedType(fields: readonly Field[], shared: Shared): string {
  const lines = fields.map(({ name, schema, required }) => {
    const byDefault = schema.default === undefined ? '' : `; default ${literal(schema.default)}`;
    const doc = comment(`${readText(schema.description) ?? ''}${byDefault}`, '  ');
    const type = askedAs(schema, shared);
    return `${doc}  readonly ${name}${required ? `: ${type}` : `?: ${type} | undefined`};\n`;
  });
  return `{\n${lines.join('')}}`;
}

/** The type of a parameter's value: a time also as `Date`, a list also as an array. */
function askedAs(schema: Wire, shared: Shared): string {
  if (schema.format === 'date-time') return 'string | Date';
  const type = typeOf(schema, shared);
  return schema[LIST_KEY] === true ? `${type} | readonly string[]` : type;
}

/** The type that the function of a route resolves with. */
function answerOf({ id, contentType, answer }: ClientRoute): string {
  if (contentType === undefined) return `As<D, ${typeName(id)}Answer>`;
  return wireOf(answer).type === 'string' && contentType.startsWith('text/') ? 'string' : 'Uint8Array';
}

/** Formats of the query that are answered with a file. */
function fileFormats({ fileTypes = [], query }: ClientRoute): readonly string[] {
  if (fileTypes.length === 0) return [];
  const format = fieldsOf(wireOf(query)).find(({ name }) => name === 'format');
  const words = wireArray(format?.schema.enum) ?? [];
  return words.filter((word): word is string => typeof word === 'string' && word !== 'json');
}

function signatures(route: ClientRoute): string {
  const { id, summary, access } = route;
  const fields = askedFields(route);
  const asked = fields.length === 0 ? 'Readonly<Record<string, never>>' : `${typeName(id)}Asked`;
  const isOptional = fields.every(({ required }) => !required);
  const doc = comment(`${summary}; ${access}: \`${route.path}\``, '  ');
  const line = (type: string, answer: string): string =>
    `${doc}  ${methodName(id)}(asked${isOptional && type === asked ? '?' : ''}: ${type}, options?: CallOptions): Promise<Result<${answer}, D>>;\n`;
  const formats = fileFormats(route);
  if (formats.length === 0 && route.several === undefined) return line(asked, answerOf(route));
  if (route.several !== undefined) {
    const name = fieldsOf(wireOf(route.params)).length > 0 ? 'symbol' : 'ticker';
    return (
      line(`${asked} & { readonly ${name}: string }`, answerOf(route)) +
      line(`${asked} & { readonly ${name}: readonly string[] }`, `As<D, Several<${typeName(id)}Answer>>`)
    );
  }
  const file = formats.map(literal).join(' | ');
  const isText = (route.fileTypes ?? []).every((type) => type.startsWith('text/html'));
  return (
    line(`${asked} & { readonly format: ${file} }`, isText ? 'string' : 'Uint8Array') +
    line(`${asked} & { readonly format?: 'json' | undefined }`, answerOf(route)).replace(
      '(asked:',
      `(asked${isOptional ? '?' : ''}:`,
    )
  );
}

/** Names of fields that are times, in any answer. One that is a time here and something else there is refused. */
function dateFields(routes: readonly ClientRoute[]): readonly string[] {
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

const HEAD = `/**
 * Made from the route table of the service by scripts/build-routes.mjs, and not committed: change it there.
 */
`;

const called = (routes: readonly ClientRoute[]): readonly ClientRoute[] =>
  routes.filter(({ isStream }) => isStream !== true);

/** The answer to a list, as the client's source has it. */
const SEVERAL = `/** The answers about several assets, and why others have none. */
export interface Several<A> {
  readonly count: number;
  readonly answers: readonly A[];
  readonly unanswered: readonly { readonly ticker: string; readonly code: string; readonly detail: string }[];
}
`;

/** The types of what a route is asked and answers. */
function typesOf(route: ClientRoute, shared: Shared): readonly string[] {
  const { id, description, contentType } = route;
  const fields = askedFields(route);
  const asked =
    fields.length === 0 ? [] : [`export interface ${typeName(id)}Asked ${askedType(fields, shared)}\n`];
  if (contentType !== undefined) return asked;
  const doc = comment(description, '');
  return [...asked, `${doc}export type ${typeName(id)}Answer = ${typeOf(wireOf(route.answer), shared)};\n`];
}

/** The source of the client's `routes.ts`: types of what is asked and answered, and of the functions. */
export function clientRoutes(routes: readonly ClientRoute[]): string {
  const asked = called(routes);
  const shared = sharedOf(routes);
  const named = [...shared.values()].map(({ name, about, schema }) => {
    const type = writtenType(schema, kindsOf(schema), shared, '');
    return `${comment(about, '')}export type ${name} = ${type};\n`;
  });
  return [
    `${HEAD}import type { As, CallOptions, Result } from './result.ts';\n`,
    SEVERAL,
    ...named,
    ...asked.flatMap((route) => typesOf(route, shared)),
    `/** A function for every route. */\nexport interface Routes<D extends boolean> {\n${asked.map(signatures).join('')}}\n`,
  ].join('\n');
}

/** The source of the client's `route-facts.ts`: paths of the routes, errors, and fields that are times. */
export function clientFacts(routes: readonly ClientRoute[]): string {
  const paths = called(routes).map(({ id, path }) => `  ${methodName(id)}: ${literal(path)},\n`);
  const errors = Object.entries(PROBLEM_ERRORS).map(
    ([code, { status, charged }]) => `  ${code}: { status: ${status}, charged: ${charged} },\n`,
  );
  const dates = dateFields(called(routes)).map(literal).join(', ');
  return [
    HEAD,
    `/** Where the functions ask. */\nexport const PATHS = {\n${paths.join('')}} as const;\n`,
    `/** Status of each error, and whether anything was charged: null where that is not known yet. */\nexport const ERRORS = {\n${errors.join('')}} as const;\n`,
    `/** Fields that are times. */\nexport const DATE_FIELDS = [${dates}] as const;\n`,
  ].join('\n');
}
