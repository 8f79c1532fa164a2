import { answerName, typeName } from '../src/api/documents/schema-names.ts';
import { PROBLEM_ERRORS } from '../src/domain/errors.ts';
import { isWire, readText, type Wire, wireArray } from '../src/domain/read.ts';
import { LIST_KEY } from '../src/products/answer/list-parameter.ts';
import {
  askedFields,
  type ClientRoute,
  called,
  dateFields,
  type Field,
  fieldsOf,
  fileFormats,
  kindsOf,
  methodName,
  type Shared,
  shapeOf,
  sharedOf,
  wireOf,
} from './client-schema.ts';

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
  if (contentType === undefined) return `As<D, ${answerName(id)}>`;
  return wireOf(answer).type === 'string' && contentType.startsWith('text/') ? 'string' : 'Uint8Array';
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
      line(`${asked} & { readonly ${name}: readonly string[] }`, `As<D, Several<${answerName(id)}>>`)
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

const HEAD = `/**
 * Made from the route table of the service by scripts/build-routes.mjs, and not committed: change it there.
 */
`;

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
  return [...asked, `${doc}export type ${answerName(id)} = ${typeOf(wireOf(route.answer), shared)};\n`];
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
