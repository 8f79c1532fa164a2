import { isWire, type Wire, wireArray } from '../../domain/read.ts';
import { singular, typeName } from './schema-names.ts';

type Json = Readonly<Record<string, unknown>>;
/** The operation and what leads from it to a schema, as parts of a name. */
export type Way = readonly [operation: string, ...fields: string[]];

const PLACE = '#/components/schemas/';
/** Fields whose schema is the same in all answers. */
const SHARED_FIELDS: readonly string[] = ['renamed', 'filters'];

/**
 * The schemas of a document by name. Generators call a type by the place where it stands, unless its schema has a name. A name
 * joins the operation and the last of the fields that lead to it, or more of them where one is not enough: what is added to
 * another operation renames none.
 */
export class NamedSchemas {
  readonly #schemas = new Map<string, Json>();
  /** Contents by name. */
  readonly #contents = new Map<string, string>();
  /** Names of answers that are parts of others, by content. */
  readonly #parts = new Map<string, string>();
  readonly #reserved: ReadonlySet<string>;

  /** @param reserved names that no schema has: generators make them of operations and parameters */
  constructor(reserved: ReadonlySet<string> = new Set()) {
    this.#reserved = reserved;
  }

  get all(): Json {
    return Object.fromEntries(this.#schemas);
  }

  /** Names an answer that is a part of others. */
  addPart(schema: Wire, way: Way): void {
    this.#parts.set(content(schema), way.join(''));
    this.add(schema, way);
  }

  /**
   * Names the objects in a schema, which has references in their place then.
   *
   * @throws Error where two different schemas would have one name: a fault of the program
   */
  add(schema: unknown, way: Way): Json {
    if (!isWire(schema)) return {};
    if (isObject(schema)) return this.#reference(schema, way);
    const { items, additionalProperties, contentSchema } = schema;
    return {
      ...schema,
      ...this.#alternatives(schema, way),
      ...(isWire(items) && { items: this.add(items, way) }),
      ...(isWire(additionalProperties) && { additionalProperties: this.add(additionalProperties, way) }),
      ...(isWire(contentSchema) && { contentSchema: this.add(contentSchema, way) }),
    };
  }

  #alternatives({ oneOf }: Wire, way: Way): Json {
    const all = wireArray(oneOf);
    return all === undefined ? {} : { oneOf: all.map((each) => this.add(each, titled(each, way))) };
  }

  #reference(schema: Wire, way: Way): Json {
    const name = this.#nameOf(schema, way);
    if (!this.#schemas.has(name)) this.#put(schema, name, way);
    const reference = { $ref: PLACE + name };
    const { description } = schema;
    const isNullable = wireArray(schema.type)?.includes('null') === true;
    return {
      ...(description !== undefined && { description }),
      ...(isNullable ? { oneOf: [reference, { type: 'null' }] } : reference),
    };
  }

  #nameOf(schema: Wire, way: Way): string {
    const held = content(schema);
    const part = this.#parts.get(held);
    if (part !== undefined) return part;
    const isFree = (name: string): boolean =>
      !this.#reserved.has(name) && (this.#contents.get(name) ?? held) === held;
    const name = namesOf(way).find(isFree);
    if (name === undefined) throw new Error(`two schemas are named ${way.join('')}`);
    return name;
  }

  #put(schema: Wire, name: string, way: Way): void {
    // Its place is taken before those of its fields: it stands before them, and none has its name.
    this.#schemas.set(name, {});
    this.#contents.set(name, content(schema));
    this.#schemas.set(name, { ...this.#withNamedFields(schema, way), type: 'object' });
  }

  /** Its alternatives have further fields of it, which are no objects of their own. */
  #withNamedFields(schema: unknown, way: Way): Json {
    if (!isWire(schema)) return {};
    const { properties, oneOf } = schema;
    const fields = isWire(properties) ? Object.entries(properties) : [];
    const named = fields.map(([field, of]) => [field, this.add(of, wayOf(field, of, way))] as const);
    const alternatives = wireArray(oneOf)?.map((each) => this.#withNamedFields(each, way));
    return {
      ...schema,
      ...(fields.length > 0 && { properties: Object.fromEntries(named) }),
      ...(alternatives !== undefined && { oneOf: alternatives }),
    };
  }
}

/** Names that a schema may have, the shortest first. */
function namesOf([operation, ...fields]: Way): readonly string[] {
  if (fields.length === 0) return [operation];
  return fields.map((_, i) => operation + fields.slice(-1 - i).join(''));
}

function wayOf(field: string, schema: unknown, way: Way): Way {
  if (SHARED_FIELDS.includes(field)) return [typeName(field)];
  const isList = isWire(schema) && (schema.items !== undefined || isWire(schema.additionalProperties));
  return [...way, typeName(isList ? singular(field) : field)];
}

/** The answer about one of several assets is that of the operation. */
function titled(schema: unknown, way: Way): Way {
  const title = isWire(schema) && typeof schema.title === 'string' ? schema.title : '';
  const words = title.replace(/^\S+ of one asset$/, '').replace(/^\S+ (?=of several assets$)/, '');
  return words === '' ? way : [...way, typeName(words)];
}

/** True of an object with fields of its own, and not of one that has any. */
const isObject = (schema: Wire): boolean => isWire(schema.properties);

/** Equal for what says the same, whatever it is called and described as, and where it may be null. */
const content = ({ title: _, description: __, type: ___, ...rest }: Wire): string => JSON.stringify(rest);
