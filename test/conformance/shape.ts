import { isWire, wireArray } from '../../src/domain/read.ts';
import type { Shape } from './contract.ts';

const TYPE_OF = {
  string: ['string'],
  timestamp: ['string'],
  integer: ['integer'],
  number: ['number', 'integer'],
  boolean: ['boolean'],
} as const;

const typesOf = (schema: unknown): readonly unknown[] => {
  const type = isWire(schema) ? schema.type : undefined;
  return Array.isArray(type) ? type : [type];
};

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

/** Everything that a JSON schema lacks of a shape: missing fields, wrong types, optional where it must be there. */
export function schemaFaults(shape: Shape, schema: unknown, at = '$'): readonly string[] {
  if (typeof shape === 'string') return scalarFaults(shape, schema, at);
  if (isList(shape)) {
    if (!typesOf(schema).includes('array')) return [`${at}: not an array`];
    return schemaFaults(shape[0], isWire(schema) ? schema.items : undefined, `${at}[]`);
  }
  if (!typesOf(schema).includes('object')) return [`${at}: not an object`];
  const properties = isWire(schema) && isWire(schema.properties) ? schema.properties : {};
  const required = (isWire(schema) ? wireArray(schema.required) : undefined) ?? [];
  return Object.entries(shape).flatMap(([key, field]) => {
    const name = key.replace(/\?$/, '');
    if (!(name in properties)) return [`${at}.${name}: missing`];
    const mustBeThere = !key.endsWith('?') && !required.includes(name);
    return [
      ...(mustBeThere ? [`${at}.${name}: not required`] : []),
      ...schemaFaults(field, properties[name], `${at}.${name}`),
    ];
  });
}

function scalarFaults(shape: keyof typeof TYPE_OF, schema: unknown, at: string): readonly string[] {
  const types = typesOf(schema).filter((type) => type !== 'null');
  const allowed: readonly unknown[] = TYPE_OF[shape];
  const faults = types.every((type) => allowed.includes(type))
    ? []
    : [`${at}: ${types.join()} is not ${shape}`];
  const format = isWire(schema) ? schema.format : undefined;
  if (shape === 'timestamp' && format !== 'date-time') faults.push(`${at}: no date-time`);
  return faults;
}

/** Fields of an answer that its schema does not have: a part that is spread in brings its own, which no compiler sees. */
export function extraFields(schema: unknown, value: unknown, at = '$'): readonly string[] {
  const list = wireArray(value);
  if (list !== undefined) {
    const items = isWire(schema) ? schema.items : undefined;
    return list.flatMap((item, i) => extraFields(items, item, `${at}[${i}]`));
  }
  const properties = isWire(schema) ? schema.properties : undefined;
  if (!isWire(value) || !isWire(properties)) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    name in properties ? extraFields(properties[name], field, `${at}.${name}`) : [`${at}.${name}`],
  );
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Everything that an answer lacks of a shape. Null is allowed where the schema says so, which is checked apart. */
export function valueFaults(shape: Shape, value: unknown, at = '$'): readonly string[] {
  if (value === null) return [];
  if (typeof shape === 'string')
    return isOf(shape, value) ? [] : [`${at}: ${JSON.stringify(value)} is no ${shape}`];
  if (isList(shape)) {
    const list = wireArray(value);
    if (list === undefined) return [`${at}: not an array`];
    return list.flatMap((item, i) => valueFaults(shape[0], item, `${at}[${i}]`));
  }
  if (!isWire(value)) return [`${at}: not an object`];
  return Object.entries(shape).flatMap(([key, field]) => {
    const name = key.replace(/\?$/, '');
    if (name in value) return valueFaults(field, value[name], `${at}.${name}`);
    return key.endsWith('?') ? [] : [`${at}.${name}: missing`];
  });
}

function isOf(shape: keyof typeof TYPE_OF, value: unknown): boolean {
  if (shape === 'timestamp') return typeof value === 'string' && TIMESTAMP.test(value);
  if (shape === 'integer') return Number.isInteger(value);
  return typeof value === shape;
}
