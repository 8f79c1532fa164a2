/** The printer of the Python client's methods, one for every route. */
import { answerName, typeName } from '../../src/api/documents/schema-names.ts';
import { readText } from '../../src/domain/read.ts';
import { LIST_KEY } from '../../src/products/answer/list-parameter.ts';
import {
  askedFields,
  type ClientRoute,
  called,
  type Field,
  fieldsOf,
  fileFormats,
  sharedOf,
  wireOf,
} from '../client-schema.ts';
import { tableOf } from './table.ts';
import { Types } from './types.ts';
import { argument, HEAD, literal, pythonName, said } from './words.ts';

/** The type of a parameter: a time also as `datetime`, a list also as strings. */
function askedAs({ name, schema }: Field, types: Types): string {
  if (schema.format === 'date-time') return 'str | datetime';
  const type = types.of(schema, typeName(name));
  return schema[LIST_KEY] === true ? `${type} | Iterable[str]` : type;
}

interface Variant {
  /** Types of parameters in the place of those of the table, always given. */
  readonly types: Readonly<Record<string, string>>;
  readonly answer: string;
}

/** The ways to ask a route that differ in what they answer. */
function variantsOf(route: ClientRoute, types: Types): readonly Variant[] {
  const name = answerName(route.id);
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
  ':param as_: gives the rows as a table of this library, with `attrs` in pandas: see `Answer.frame`; one that is not installed is an ImportError, and nothing is bought';

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
    ? `        require(as_)\n        answer = ${call}\n        return answer if as_ is None else answer.frame(as_)\n`
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
from .frames import require

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
