import { isWire, type Wire, wireArray } from '../../domain/read.ts';
import { PART_OF } from '../../products/answer/part-of.ts';
import type { Route } from '../route.ts';
import { answerName } from './schema-names.ts';

type Json = Readonly<Record<string, unknown>>;

/** Routes whose answers are parts of other answers, by path. */
export type Parts = ReadonlyMap<string, Route>;

const pathsOf = (schema: unknown): readonly string[] =>
  isWire(schema) ? (wireArray(schema[PART_OF]) ?? []).map(String) : [];

/** The routes whose answers are parts of answers of these. */
export function partsOf(routes: readonly Route[]): Parts {
  const named = new Set<string>();
  const note = (_: string, value: unknown): unknown => {
    for (const path of pathsOf(value)) named.add(path);
    return value;
  };
  for (const { answer } of routes) JSON.stringify(answer, note);
  return new Map(routes.filter(({ path }) => named.has(path)).map((route) => [route.path, route]));
}

/** The place in the document of the schema of an answer that is a part of others. */
export const partReference = ({ id }: Route): string => `#/components/schemas/${answerName(id)}`;

/** A schema as plain JSON, without what only the validator needs; a part is one of its routes' answers by reference. */
export function plainSchema(schema: unknown, parts: Parts): Json {
  const referring = (_: string, value: unknown): unknown => {
    const paths = pathsOf(value);
    return isWire(value) && paths.length > 0 ? partSchema(value, paths, parts) : value;
  };
  return JSON.parse(JSON.stringify(schema, referring)) as Json;
}

/** A part of one route has its fields; of several they stand beside one alternative a route, titled by its path. */
function partSchema({ [PART_OF]: _paths, ...part }: Wire, paths: readonly string[], parts: Parts): Json {
  const { path, answer, ...others } = isWire(part.properties) ? part.properties : {};
  const alternatives = paths.map((route) => ({ title: route, fields: fieldsOf(route, answer, parts) }));
  const [only] = alternatives;
  if (only !== undefined && alternatives.length === 1)
    return { title: only.title, ...part, properties: { ...others, ...only.fields } };
  return {
    ...part,
    properties: { path, ...others },
    oneOf: alternatives.map(({ title, fields }) => ({
      title,
      type: 'object',
      required: Object.keys(fields),
      properties: fields,
    })),
  };
}

/** Path and answer of a part that is of one route. One that is not served has no answer. */
function fieldsOf(path: string, answer: unknown, parts: Parts): Json {
  const route = parts.get(path);
  const none = { type: 'null' };
  return {
    path: { type: 'string', pattern: `^${path}(\\?|$)`, description: 'The call that gives this part alone' },
    answer: {
      ...(isWire(answer) && { description: answer.description }),
      ...(route === undefined ? none : { oneOf: [{ $ref: partReference(route) }, none] }),
    },
  };
}
