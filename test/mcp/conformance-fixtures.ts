import {
  type CallToolResult,
  type GetPromptResult,
  type ListToolsResult,
  MissingRequiredClientCapabilityError,
  type ReadResourceResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** One pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** No samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (said: string) => ({ type: 'text' as const, text: said });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, mimeType = 'text/plain', content = 'Embedded.') => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: content },
});

async function withProgress({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
    const params = { progressToken: progressToken as string | number, progress, total: 100 };
    await mcpReq.notify({ method: 'notifications/progress', params });
  }
  return { content: [text('done')] };
}

const JSON_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' }, phone: { type: 'string' } },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['name'] }] }],
  if: { properties: { name: { const: 'x' } }, required: ['name'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['name'] },
  additionalProperties: false,
};

type Fixture = (context: ServerContext) => CallToolResult | Promise<CallToolResult>;

/**
 * Tools that the conformance suite asks for by name. They show the ways in which answers of every kind travel.
 */
const TOOLS: Readonly<Record<string, Fixture>> = {
  test_simple_text: () => ({ content: [text('A simple text.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({ content: [embedded('test://embedded-resource')] }),
  test_multiple_content_types: () => ({
    content: [text('Several.'), image, embedded('test://mixed-content-resource', 'application/json', '{}')],
  }),
  test_error_handling: () => ({ isError: true, content: [text('It failed on purpose.')] }),
  test_tool_with_progress: withProgress,
  test_logging_tool: () => ({ content: [text('Nothing is logged.')] }),
  test_streaming_elicitation: () => ({ content: [text('Nothing is asked.')] }),
  test_missing_capability: () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
  json_schema_2020_12_tool: () => ({ content: [] }),
};

const PROMPTS: Readonly<Record<string, (given: Record<string, string>) => GetPromptResult['messages']>> = {
  test_simple_prompt: () => [{ role: 'user', content: text('A simple prompt.') }],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    { role: 'user', content: text(`arg1='${arg1}', arg2='${arg2}'`) },
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) => [
    { role: 'user', content: embedded(resourceUri) },
  ],
  test_prompt_with_image: () => [{ role: 'user', content: image }],
};

function contentsOf(uri: string): ReadResourceResult['contents'] | undefined {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id !== undefined) return [{ uri, mimeType: 'application/json', text: JSON.stringify({ id }) }];
  if (uri === 'test://static-text') return [{ uri, mimeType: 'text/plain', text: 'A static text.' }];
  return uri === 'test://static-binary' ? [{ uri, mimeType: 'image/png', blob: PNG }] : undefined;
}

type Handler = (request: unknown, context: ServerContext) => Promise<unknown>;

/** Mounts the fixtures beside what a server serves already; everything else is answered as ever. */
export function mountFixtures(server: Server): Server {
  // The SDK has no way to ask a server for a handler that it was given.
  const handlers = new Map(Reflect.get(server, '_requestHandlers') as ReadonlyMap<string, Handler>);
  const ours = async <T>(method: string, request: unknown, context: ServerContext): Promise<T> =>
    (await handlers.get(method)?.(request, context)) as T;
  server.setRequestHandler('tools/list', async (request, context) => {
    const listed = await ours<ListToolsResult>('tools/list', request, context);
    const fixtures = Object.keys(TOOLS).map((name) => ({
      name,
      description: 'A fixture of the conformance suite.',
      inputSchema: name.startsWith('json_schema') ? JSON_SCHEMA : { type: 'object' as const },
    }));
    return { ...listed, tools: [...listed.tools, ...fixtures] };
  });
  server.setRequestHandler('tools/call', (request, context) => {
    const fixture = TOOLS[request.params.name];
    return fixture === undefined ? ours<CallToolResult>('tools/call', request, context) : fixture(context);
  });
  server.setRequestHandler('prompts/get', (request, context) => {
    const fixture = PROMPTS[request.params.name];
    if (fixture === undefined) return ours<GetPromptResult>('prompts/get', request, context);
    return { messages: fixture(request.params.arguments ?? {}) };
  });
  server.setRequestHandler('resources/read', (request, context) => {
    const contents = contentsOf(request.params.uri);
    return contents === undefined
      ? ours<ReadResourceResult>('resources/read', request, context)
      : { contents };
  });
  return server;
}
