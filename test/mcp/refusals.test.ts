import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Declared } from '../../src/api/request/declared.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { asMs } from '../../src/domain/units.ts';
import { parametersOf } from '../../src/modules/mcp/schema.ts';
import { type Tool, toolsOf } from '../../src/modules/mcp/tools.ts';
import { ROUTES, TOOL_PLACES } from '../../src/modules/routes.ts';
import { type McpService, startMcpService } from './mcp-service.ts';

/** A second passes whenever the clock is read, so that the limit of messages is never reached. */
let now = 0;
const clock: Clock = {
  now: () => {
    now += 1000;
    return asMs(now);
  },
};

let service: McpService;
let client: Client;
beforeAll(async () => {
  service = await startMcpService({}, clock);
  client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
});
afterAll(async () => {
  await client.close();
  await service.stop();
});

/** A value that a parameter refuses, and what the refusal has to say. */
interface Refused {
  readonly value: unknown;
  readonly says: string;
}

/** Values outside what a parameter declares: the list of tools does not bound it. */
function refusedBy({ enum: words, minimum, maximum, format, type }: Declared): readonly Refused[] {
  if (words !== undefined) return [{ value: type === 'string' ? 'qqq' : 7, says: words.join(', ') }];
  const below = minimum === undefined ? [] : [{ value: minimum - 1, says: `at least ${minimum}` }];
  const above = maximum === undefined ? [] : [{ value: maximum + 1, says: `at most ${maximum}` }];
  return [...below, ...above, ...(format === 'date-time' ? [{ value: 'soon', says: 'ISO 8601' }] : [])];
}

/** Calls of a tool that are right but for one value. */
function wrongCallsOf({ theme, routes }: Tool) {
  return routes.flatMap((route) => {
    const examples = [...parametersOf(route)].flatMap(([name, { required, example }]) =>
      required ? [[name, example ?? 'BTC']] : [],
    );
    return [...parametersOf(route)].flatMap(([name, declared]) =>
      refusedBy(declared).map(({ value, says }) => ({
        says: [`${route.id} ${name}`, says],
        name: theme.name,
        arguments: { product: route.id, ...Object.fromEntries(examples), [name]: value },
      })),
    );
  });
}

interface Said {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
}

it.each(toolsOf({ routes: ROUTES, toolPlaces: TOOL_PLACES }))(
  '$theme.name: a value that is not taken, refused free with what is',
  async (tool) => {
    const before = await service.earned();
    for (const { says, name, arguments: args } of wrongCallsOf(tool)) {
      const { isError, structuredContent }: Said = await client.callTool({ name, arguments: args });
      const { code, detail } = structuredContent as Record<string, unknown>;
      expect([says[0], isError, code]).toEqual([says[0], true, 'invalid_parameter']);
      expect([says[0], detail]).toEqual([says[0], expect.stringContaining(says[1] ?? '')]);
    }
    const none = { name: tool.theme.name, arguments: { product: 'qqq' } };
    const { isError, structuredContent }: Said = await client.callTool(none);
    const { detail } = structuredContent as Record<string, unknown>;
    expect(isError).toBe(true);
    if (tool.routes.length > 1) expect(detail).toContain(tool.routes.map(({ id }) => id).join(', '));
    expect(await service.earned()).toBe(before);
  },
);
