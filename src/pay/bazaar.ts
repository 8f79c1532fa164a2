import type { ParameterSpec, ProtectedRoute } from './types.ts';

type Json = Readonly<Record<string, unknown>>;

/** The discovery extension of a route (x402 `bazaar`): an example call, its schema, and the path template. */
export interface BazaarExtension {
  readonly info: {
    readonly input: {
      readonly type: 'http';
      readonly method: 'GET';
      readonly queryParams: Json;
      readonly pathParams?: Json;
    };
    readonly output?: { readonly type: 'json'; readonly example: unknown };
  };
  readonly schema: Json;
  /** `/v1/orderbook/:venue/:symbol/top`; absent without path parameters. */
  readonly routeTemplate?: string;
}

/**
 * Builds the extension. A catalog validates `info` against `schema`, so every required parameter has a value in
 * `info`, and the example's own type (object or array) is stated.
 */
export function bazaarExtension(route: ProtectedRoute, example: unknown = route.example): BazaarExtension {
  const path = route.pathParams;
  return {
    info: {
      input: {
        type: 'http',
        method: 'GET',
        queryParams: exampleValues(route.queryParams),
        ...(path === undefined ? {} : { pathParams: exampleValues(path) }),
      },
      output: { type: 'json', example },
    },
    schema: infoSchema(route, example),
    ...(path === undefined ? {} : { routeTemplate: route.path.replace(/\{([^}]+)\}/g, ':$1') }),
  };
}

/** A JSON schema that `info` conforms to. */
function infoSchema({ queryParams, pathParams: path }: ProtectedRoute, example: unknown): Json {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      input: {
        type: 'object',
        properties: {
          type: { type: 'string', const: 'http' },
          method: { type: 'string', enum: ['GET'] },
          queryParams: parametersSchema(queryParams),
          ...(path === undefined ? {} : { pathParams: parametersSchema(path) }),
        },
        required: ['type', 'method'],
        additionalProperties: false,
      },
      output: {
        type: 'object',
        properties: {
          type: { type: 'string' },
          example: { type: typeName(example) },
        },
        required: ['type'],
      },
    },
    required: ['input'],
  };
}

/** A tool of an MCP server that sells routes. */
export interface ToolListing {
  readonly name: string;
  /** At most 500 characters. */
  readonly description: string;
  readonly tags: readonly string[];
  /** Routes that are sold through it. */
  readonly routes: readonly ProtectedRoute[];
  /** JSON Schema of its arguments. */
  readonly inputSchema: Json;
  /** Arguments that work. */
  readonly example: Json;
}

/** The discovery extension of a tool (x402 `bazaar`): known by the server's address and its name together. */
export interface ToolExtension {
  readonly info: {
    readonly input: {
      readonly type: 'mcp';
      readonly tool: string;
      readonly description: string;
      readonly transport: 'streamable-http';
      readonly inputSchema: Json;
      readonly example: Json;
    };
    readonly output: { readonly type: 'json' };
  };
  readonly schema: Json;
}

/** Builds the extension of a tool. */
export function toolExtension({ name, description, inputSchema, example }: ToolListing): ToolExtension {
  return {
    info: {
      input: {
        type: 'mcp',
        tool: name,
        description,
        transport: 'streamable-http',
        inputSchema,
        example,
      },
      output: { type: 'json' },
    },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'mcp' },
            tool: { type: 'string' },
            description: { type: 'string' },
            transport: { type: 'string', enum: ['streamable-http', 'sse'] },
            inputSchema: { type: 'object' },
            example: { type: 'object' },
          },
          required: ['type', 'tool', 'inputSchema'],
          additionalProperties: false,
        },
        output: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
      },
      required: ['input'],
    },
  };
}

/** The extension without its example answer: how to ask, and of what type the answer is. */
export function bazaarInput(route: ProtectedRoute): BazaarExtension {
  const { info, schema, ...rest } = bazaarExtension(route);
  const output = { properties: { example: { type: typeName(route.example) } } };
  const properties = { ...(schema.properties as Json), output };
  return { ...rest, info: { input: info.input }, schema: { ...schema, properties } };
}

/**
 * The same without the descriptions of parameters, which the catalog and the body of the challenge have, and without the
 * name of the schema's dialect, which is the one that readers assume.
 */
export function bazaarBrief(route: ProtectedRoute): BazaarExtension {
  const { pathParams, queryParams } = route;
  const { schema, ...rest } = bazaarInput({
    ...route,
    queryParams: undescribed(queryParams),
    ...(pathParams === undefined ? {} : { pathParams: undescribed(pathParams) }),
  });
  const { $schema: _, ...brief } = schema;
  return { ...rest, schema: brief };
}

function undescribed(specs: ProtectedRoute['queryParams']): ProtectedRoute['queryParams'] {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [name, { ...spec, description: '' }]),
  );
}

const typeName = (example: unknown): string => (Array.isArray(example) ? 'array' : 'object');

function exampleValues(specs: Readonly<Record<string, ParameterSpec>>): Json {
  const values: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const value = spec.example ?? (spec.required ? spec.enum?.[0] : undefined);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** `format` is left out: validators without a format table refuse or warn about it. */
function parametersSchema(specs: Readonly<Record<string, ParameterSpec>>): Json {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const [name, { type, description, enum: values, minimum, maximum, ...rest }] of Object.entries(
    specs,
  )) {
    const said = description === '' ? undefined : description;
    properties[name] = { type, ...stated({ description: said, enum: values, minimum, maximum }) };
    if (rest.required) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

function stated(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Declares that a buyer may send a payment identifier for safe retries (x402 `payment-identifier`). */
export const PAYMENT_IDENTIFIER_DECLARATION = {
  info: { required: false },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
} as const;
