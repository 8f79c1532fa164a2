import { isWire, type Wire, wireArray } from '../../domain/read.ts';

type Json = Readonly<Record<string, unknown>>;

/** Added to the name of a schema: the same, which may also be null. */
export const OR_NULL = 'OrNull';

/**
 * A schema of JSON Schema 2020-12 as OpenAPI 3.0 writes it: `null` as `nullable`, a constant as a list of one, several types as
 * alternatives, and what stands beside a reference around it, where 3.0 would not see it. A reference
 * that may be null leads to another named schema: `nullable` beside it would have no effect.
 */
export function asSchema30(schema: unknown): Json {
  if (!isWire(schema)) return {};
  const { $ref, type, ...others } = schema;
  if (typeof $ref === 'string') return referenceWith($ref, bare(others));
  const types = wireArray(type) ?? (type === undefined ? [] : [type]);
  const named = types.filter((each) => each !== 'null');
  const nullable = named.length < types.length ? { nullable: true } : {};
  const rest = bare(others);
  if (named.length > 1) return { ...rest, anyOf: named.map((each) => ({ type: each, ...nullable })) };
  const [only] = named;
  return withoutNull({ ...(only !== undefined && { type: only }), ...rest, ...nullable });
}

function referenceWith($ref: unknown, beside: Json): Json {
  return Object.keys(beside).length === 0 ? { $ref } : { ...beside, allOf: [{ $ref }] };
}

/** Alternatives without that of null, which each of them takes instead. */
function withoutNull(schema: Json): Json {
  const { oneOf, ...others } = schema;
  const all = wireArray(oneOf);
  const left = (all ?? []).filter((each) => !isNull(each)).map(orNull);
  if (all === undefined || left.length === all.length) return schema;
  const [only] = left;
  if (left.length > 1) return { ...others, anyOf: left };
  return only?.$ref === undefined ? { ...others, ...only } : referenceWith(only.$ref, others);
}

function orNull(schema: unknown): Json {
  if (!isWire(schema)) return {};
  const { $ref } = schema;
  return typeof $ref === 'string' ? { ...schema, $ref: $ref + OR_NULL } : { ...schema, nullable: true };
}

/** The type null alone, as it is rewritten. */
const isNull = (schema: unknown): boolean =>
  isWire(schema) && schema.nullable === true && Object.keys(schema).length === 1;

/** A schema without its type. */
function bare({ const: constant, contentEncoding, contentMediaType, contentSchema, ...others }: Wire): Json {
  const { items, properties, additionalProperties, oneOf, exclusiveMinimum, exclusiveMaximum, ...rest } =
    others;
  const alternatives = wireArray(oneOf);
  return {
    ...rest,
    ...(constant !== undefined && { enum: [constant] }),
    ...(contentEncoding === 'base64' && { format: 'byte' }),
    ...(exclusiveMinimum !== undefined && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(exclusiveMaximum !== undefined && { maximum: exclusiveMaximum, exclusiveMaximum: true }),
    ...(items !== undefined && { items: asSchema30(items) }),
    ...(isWire(properties) && { properties: fieldsOf(properties) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isWire(additionalProperties)
        ? asSchema30(additionalProperties)
        : additionalProperties,
    }),
    ...(alternatives !== undefined && { oneOf: alternatives.map(asSchema30) }),
  };
}

const fieldsOf = (properties: Wire): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, asSchema30(schema)]));
