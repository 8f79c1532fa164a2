import { isWire, type Wire, wireArray } from '../../domain/read.ts';
import { asSchema30, OR_NULL } from './as-schema-3-0.ts';

type Json = Readonly<Record<string, unknown>>;

/** Fields of a document that hold data as it is answered, and no schema. */
const DATA: readonly string[] = ['example', 'x-payment-info'];

/**
 * A document of OpenAPI 3.1 as one of 3.0.3 (https://spec.openapis.org/oas/v3.0.3). Its schemas are those of JSON Schema 2020-12 that
 * this service writes; where 3.0 has no keyword for a rule, it is left out.
 */
export function asOpenApi30({ info, paths, components, ...document }: Json): Json {
  const { schemas, ...others } = isWire(components) ? components : {};
  const operations = withSchemas(paths);
  const shared = withSchemas(others);
  return {
    ...document,
    openapi: '3.0.3',
    info: infoOf(info),
    paths: operations,
    components: { schemas: referredTo([operations, shared], isWire(schemas) ? schemas : {}), ...shared },
  };
}

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** The schemas that are referred to, from these parts and from each other, and those of them that may also be null. */
function referredTo(parts: unknown, schemas: Wire): Json {
  const found = new Map<string, Json>();
  const look = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (found.has(name)) continue;
      const schema = named(name, schemas);
      found.set(name, schema);
      look(schema);
    }
  };
  look(parts);
  return Object.fromEntries(found);
}

const named = (name: string, schemas: Wire): Json =>
  name.endsWith(OR_NULL) && schemas[name] === undefined
    ? { ...asSchema30(schemas[name.slice(0, -OR_NULL.length)]), nullable: true }
    : asSchema30(schemas[name]);

/** Without a summary, which is the first line of the description; a license has an address instead of an identifier. */
function infoOf(info: unknown): Json {
  const { summary, description, license, ...others } = isWire(info) ? info : {};
  const { identifier, ...named } = isWire(license) ? license : {};
  return {
    ...others,
    description: `${summary}\n\n${description}`,
    license: { ...named, url: `https://spdx.org/licenses/${identifier}.html` },
  };
}

/** Rewrites the schemas of operations, wherever they stand. */
function withSchemas(part: unknown): Json {
  return isWire(part) ? Object.fromEntries(Object.entries(part).map(rewritten)) : {};
}

function rewritten([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  if (DATA.includes(name)) return [name, value];
  if (name === 'schema') return [name, asSchema30(value)];
  if (isWire(value)) return [name, withSchemas(value)];
  const list = wireArray(value);
  return [name, list === undefined ? value : list.map((each) => (isWire(each) ? withSchemas(each) : each))];
}
