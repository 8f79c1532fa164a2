/** The printer of the Python client: types of what is asked and answered, a method for every route, and facts. */
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
  shapeOf,
  sharedOf,
  typeName,
  wireOf,
} from './client-schema.ts';

const KEYWORDS = new Set(['from', 'class', 'in', 'is', 'not', 'or', 'and', 'as', 'global', 'lambda', 'pass']);
const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** `perp-volume-24h` as the name of a method. */
export const pythonName = (id: string): string => id.replaceAll('-', '_');
const argument = (name: string): string => (KEYWORDS.has(name) ? `${name}_` : name);

const literal = (value: unknown): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
};

/** Text of a docstring, one line. */
const said = (text: string | undefined): string =>
  (text ?? '').replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim();

/** Dictionaries that are printed so far, by name and by shape. */
class Types {
  readonly #shared: ReturnType<typeof sharedOf>;
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly texts: string[] = [];

  constructor(shared: ReturnType<typeof sharedOf>) {
    this.#shared = shared;
  }

  /** The Python type of a JSON schema; `name` is for a dictionary that has none yet. */
  of(schema: Wire, name: string): string {
    const choices = wireArray(schema.oneOf) ?? wireArray(schema.anyOf);
    if (choices !== undefined) {
      const all = choices.map((choice, at) => this.of(wireOf(choice), `${name}${at + 1}`));
      return [...new Set(all)].join(' | ');
    }
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    const words = wireArray(schema.enum);
    const types = wireArray(schema.type) ?? [schema.type];
    if (words !== undefined) return literals(words, types);
    if (types.length === 1 && types[0] === undefined) return 'Any';
    return types.map((type) => this.#ofKind(readText(type) ?? '', schema, name)).join(' | ');
  }

  #ofKind(type: string, schema: Wire, name: string): string {
    if (type === 'array') return `list[${this.of(wireOf(schema.items), name)}]`;
    if (type === 'object') return this.#dictionary(schema, name);
    const scalar = SCALARS[type];
    if (scalar === undefined) throw new TypeError(`no type for ${type}`);
    return scalar;
  }

  #dictionary(schema: Wire, name: string): string {
    if (isWire(schema.additionalProperties))
      return `dict[str, ${this.of(schema.additionalProperties, name)}]`;
    const fields = fieldsOf(schema);
    if (fields.length === 0) return 'dict[str, Any]';
    const shape = shapeOf(schema);
    const known = this.#names.get(shape);
    if (known !== undefined) return known;
    const shared = this.#shared.get(shape);
    const own = this.#free(shared?.name ?? name);
    this.#names.set(shape, own);
    const about = shared?.about ?? readText(schema.description);
    this.texts.push(this.#written(own, about, fields));
    return own;
  }

  /** A name that no other dictionary has. */
  #free(name: string): string {
    let free = name;
    for (let at = 2; this.#taken.has(free); at++) free = `${name}${at}`;
    this.#taken.add(free);
    return free;
  }

  #written(name: string, about: string | undefined, fields: readonly Field[]): string {
    const members = fields.map((field) => ({
      ...field,
      type: this.of(field.schema, name + pascal(field.name)),
    }));
    const isPlain = members.every(
      (member) => /^[a-zA-Z_]\w*$/.test(member.name) && !KEYWORDS.has(member.name),
    );
    const typed = members.map((member) => ({
      ...member,
      type: member.required ? member.type : `NotRequired[${member.type}]`,
    }));
    const doc = about === undefined ? '' : `    """${said(about)}"""\n\n`;
    if (!isPlain) {
      const entries = typed.map((member) => `        ${literal(member.name)}: ${literal(member.type)},\n`);
      return `${name} = TypedDict(\n    "${name}",\n    {\n${entries.join('')}    },\n)\n`;
    }
    const lines = typed.map((member) => {
      const text = said(readText(member.schema.description));
      return `    ${member.name}: ${member.type}\n${text === '' ? '' : `    """${text}"""\n`}`;
    });
    return `class ${name}(TypedDict):\n${doc}${lines.join('')}`;
  }
}

const pascal = (name: string): string =>
  name
    .split(/[^a-zA-Z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

function literals(words: readonly unknown[], types: readonly unknown[]): string {
  const all = words.filter((word) => word !== null).map(literal);
  const isNull = words.includes(null) || types.includes('null');
  return `Literal[${all.join(', ')}]${isNull ? ' | None' : ''}`;
}

/** The type of a parameter: a time also as `datetime`, a list also as strings. */
function askedAs({ name, schema }: Field, types: Types): string {
  if (schema.format === 'date-time') return 'str | datetime';
  const type = types.of(schema, pascal(name));
  return schema[LIST_KEY] === true ? `${type} | Iterable[str]` : type;
}

interface Variant {
  /** Types of parameters in the place of those of the table, always given. */
  readonly types: Readonly<Record<string, string>>;
  readonly answer: string;
}

/** The ways to ask a route that differ in what they answer. */
function variantsOf(route: ClientRoute, types: Types): readonly Variant[] {
  const name = `${typeName(route.id)}Answer`;
  const isText = route.contentType?.startsWith('text/') === true && wireOf(route.answer).type === 'string';
  const plain =
    route.contentType === undefined ? types.of(wireOf(route.answer), name) : isText ? 'str' : 'bytes';
  const formats = fileFormats(route);
  if (route.several !== undefined) {
    const asked = fieldsOf(wireOf(route.params)).length > 0 ? 'symbol' : 'ticker';
    const several = types.of(wireOf(route.several), `${typeName(route.id)}Several`);
    return [
      { types: { [asked]: 'str' }, answer: plain },
      { types: { [asked]: 'list[str] | tuple[str, ...]' }, answer: several },
    ];
  }
  if (formats.length === 0) return [{ types: {}, answer: plain }];
  const isHtml = (route.fileTypes ?? []).every((type) => type.startsWith('text/html'));
  return [
    { types: {}, answer: plain },
    { types: { format: `Literal[${formats.map(literal).join(', ')}]` }, answer: isHtml ? 'str' : 'bytes' },
  ];
}

/** Parameters of every call that are none of its route, by what the route is. */
const CALL_PARAMETERS = {
  paid: [
    {
      name: 'max_usd',
      about: 'most that this call may cost, USD as decimal text; below the cap of the wallet',
    },
    {
      name: 'payment_id',
      about: 'your own name of this purchase: the service charges once for it in 24 hours',
    },
  ],
  free: [{ name: 'secret', about: 'of the purchase of a watch or a stream, where the path is of one' }],
} as const;

interface AskedWays {
  readonly access: ClientRoute['access'];
  readonly hasFile?: boolean;
  /** Type of `as_`; undefined where there is no table. */
  readonly asTable?: string | undefined;
}

function parameters(
  fields: readonly Field[],
  types: Types,
  variant: Variant,
  { access, hasFile = false, asTable }: AskedWays,
): string {
  const lines = fields.map((field) => {
    const given = variant.types[field.name];
    if (given !== undefined) return `        ${argument(field.name)}: ${given},\n`;
    const isJson = hasFile && field.name === 'format';
    const type = isJson ? 'Literal["json"]' : askedAs(field, types);
    return `        ${argument(field.name)}: ${type}${field.required ? '' : ' | None = None'},\n`;
  });
  const table = asTable === undefined ? '' : `        as_: ${asTable},\n`;
  // Names are always given, so that their order is free.
  const call = CALL_PARAMETERS[access].map(({ name }) => `        ${name}: str | None = None,\n`);
  return `        self,\n        *,\n${lines.join('')}${table}${call.join('')}`;
}

const AS_TABLE =
  ':param as_: gives the rows as a table of this library, with `attrs` in pandas: see `Answer.frame`';

function docstring(route: ClientRoute, fields: readonly Field[], hasTable: boolean): string {
  const about = fields.map(({ name, schema }) => {
    const byDefault = schema.default === undefined ? '' : `; default ${literal(schema.default)}`;
    return `:param ${argument(name)}: ${said(readText(schema.description))}${byDefault}`;
  });
  const ends = [
    ...CALL_PARAMETERS[route.access].map(({ name, about: meaning }) => `:param ${name}: ${meaning}`),
    ':raises PerpmeterError: there is no answer',
  ];
  const lines = [said(route.description), '', ...about, ...(hasTable ? [AS_TABLE] : []), ...ends].map(
    (line) => (line === '' ? '' : `        ${line}`),
  );
  return `        """${said(route.summary)}; ${route.access}: \`${route.path}\`\n\n${lines.join('\n')}\n        """\n`;
}

function method(route: ClientRoute, types: Types): string {
  const fields = askedFields(route);
  const variants = variantsOf(route, types);
  const { access } = route;
  const name = pythonName(route.id);
  const hasFile = fileFormats(route).length > 0;
  const hasTable = tableOf(route) !== undefined;
  const asked = fields.map((field) => `${literal(field.name)}: ${argument(field.name)}`).join(', ');
  const words = CALL_PARAMETERS[access].map((parameter) => `${parameter.name}=${parameter.name}`);
  const call = `self._call(${literal(route.path)}, {${asked}}, ${words.join(', ')})`;
  const body = hasTable
    ? `        answer = ${call}\n        return answer if as_ is None else answer.frame(as_)\n`
    : `        return ${call}\n`;
  const doc = docstring(route, fields, hasTable);
  const head = (given: string, answer: string): string => `    def ${name}(\n${given}    ) -> ${answer}`;
  const heads = variants.map((variant) =>
    head(parameters(fields, types, variant, { access, hasFile }), `Answer[${variant.answer}]`),
  );
  if (hasTable) {
    const plain = { types: {}, answer: '' };
    heads.push(head(parameters(fields, types, plain, { access, hasFile, asTable: 'Library' }), 'Any'));
  }
  if (heads.length === 1) return `${heads[0]}:\n${doc}${body}`;
  const overloads = heads.map((text) => `    @overload\n${text}: ...\n`).join('\n');
  const all = parameters(
    fields,
    types,
    { types: joined(route, variants), answer: '' },
    { access, asTable: hasTable ? 'Library | None = None' : undefined },
  );
  return `${overloads}\n${head(all, 'Any')}:\n${doc}${body}`;
}

/** Types of the parameters that tell variants apart, each with those of all variants. Formats have all words of the table already. */
function joined(route: ClientRoute, variants: readonly Variant[]): Readonly<Record<string, string>> {
  if (route.several === undefined) return {};
  const names = variants.flatMap(({ types }) => Object.keys(types));
  return Object.fromEntries(names.map((name) => [name, 'str | Iterable[str]']));
}

const HEAD = `# Made from the route table of the service by scripts/build-routes.mjs, and not committed: change it there.
`;

/** The source of `_routes.py`. */
export function pythonRoutes(routes: readonly ClientRoute[]): string {
  const asked = called(routes);
  const types = new Types(sharedOf(routes));
  const methods = asked.map((route) => method(route, types));
  return `${HEAD}"""What every route is asked and answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict, overload

from .answer import Answer, Library, Value

if TYPE_CHECKING:
    from typing_extensions import NotRequired

${types.texts.join('\n\n')}

class Routes:
    """A method for every route."""

    def _call(
        self,
        template: str,
        asked: Mapping[str, Value],
        *,
        max_usd: str | None = None,
        payment_id: str | None = None,
        secret: str | None = None,
    ) -> Answer[Any]:
        raise NotImplementedError

${methods.join('\n')}`;
}

/** The list of an answer that is its table, which is the one with most columns; undefined where it has none. */
function tableOf({ answer, contentType }: ClientRoute): readonly [string, readonly Field[]] | undefined {
  if (contentType !== undefined) return undefined;
  let widest: readonly [string, readonly Field[]] | undefined;
  for (const { name, schema } of fieldsOf(wireOf(answer))) {
    const columns = isWire(schema.items) ? fieldsOf(schema.items) : [];
    if (columns.length > (widest?.[1].length ?? 0)) widest = [name, columns];
  }
  return widest;
}

/** The source of `_columns.py`: by path the list that is a table, and what each of its columns is, with its unit. */
export function pythonColumns(routes: readonly ClientRoute[]): string {
  const tables = called(routes).flatMap((route) => {
    const table = tableOf(route);
    if (table === undefined) return [];
    const columns = table[1].map(
      ({ name, schema }) => `            ${literal(name)}: ${literal(readText(schema.description) ?? '')},\n`,
    );
    return [
      `    ${literal(route.path)}: (\n        ${literal(table[0])},\n        {\n${columns.join('')}        },\n    ),\n`,
    ];
  });
  return `${HEAD}"""Tables of answers, by path: name of the list, and meaning and unit of its columns."""

from __future__ import annotations

from typing import Final

COLUMNS: Final[dict[str, tuple[str, dict[str, str]]]] = {
${tables.join('')}}
`;
}

/** The source of `_facts.py`: paths of the routes, errors, and fields that are times. */
export function pythonFacts(routes: readonly ClientRoute[]): string {
  const paths = called(routes).map(({ id, path }) => `    ${literal(pythonName(id))}: ${literal(path)},\n`);
  const errors = Object.entries(PROBLEM_ERRORS).map(
    ([code, { status, charged, remedy }]) =>
      `    ${literal(code)}: (${status}, ${literal(charged)}, ${literal(remedy)}),\n`,
  );
  const dates = dateFields(called(routes)).map((name) => `        ${literal(name)},\n`);
  return `${HEAD}"""Facts of the route table."""

from __future__ import annotations

from typing import Final

PATHS: Final[dict[str, str]] = {
${paths.join('')}}

ERRORS: Final[dict[str, tuple[int, bool | None, str]]] = {
${errors.join('')}}
"""Status of each error, whether anything was charged (None: that is not known yet), and its remedy."""

DATE_FIELDS: Final = frozenset(
    {
${dates.join('')}    }
)
"""Fields that are times."""
`;
}
