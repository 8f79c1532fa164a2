import { typeName } from '../../src/api/documents/schema-names.ts';
import { isWire, readText, type Wire, wireArray } from '../../src/domain/read.ts';
import { type Field, fieldsOf, shapeOf, type sharedOf, wireOf } from '../client-schema.ts';
import { isName, literal, said } from './words.ts';

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** Dictionaries that are printed so far, by name and by shape. */
export class Types {
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
      type: this.of(field.schema, name + typeName(field.name)),
    }));
    const isPlain = members.every((member) => isName(member.name));
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

function literals(words: readonly unknown[], types: readonly unknown[]): string {
  const all = words.filter((word) => word !== null).map(literal);
  const isNull = words.includes(null) || types.includes('null');
  return `Literal[${all.join(', ')}]${isNull ? ' | None' : ''}`;
}
