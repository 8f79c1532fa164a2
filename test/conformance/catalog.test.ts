import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWire, type Wire, wireArray } from '../../src/domain/read.ts';
import { createMcpMount } from '../../src/modules/mcp/mcp.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { createExampleApi, type ExampleApi, manualClock } from '../api/example-api.ts';
import { getRaw, json } from '../api/raw-http.ts';
import { exampleBackend } from '../mcp/mcp-service.ts';
import { CATALOG_ITEM, PARAMETER } from './contract.ts';
import { valueFaults } from './shape.ts';

const RESOURCES = '/v1/x402/discovery/resources';
const WELL_KNOWN = '/.well-known/x402.json';
const sold = ROUTES.filter(({ access }) => access === 'paid').map(({ path }) => path);

/** The service as operators run it: it sells over HTTP and MCP. */
let example: ExampleApi;
let base = '';
beforeAll(async () => {
  example = createExampleApi({
    mounts: [createMcpMount({ backend: exampleBackend, clock: manualClock(), report: () => undefined })],
  });
  base = await example.start();
});
afterAll(() => example.api.close());

const wires = (list: unknown): readonly Wire[] => (wireArray(list) ?? []).filter(isWire);

async function read(path: string): Promise<Wire> {
  const body = json(await getRaw(base, path));
  return isWire(body) ? body : {};
}

function parametersOf(item: Wire): readonly unknown[] {
  return wires(item.accepts).flatMap(({ outputSchema }) => {
    const input = isWire(outputSchema) && isWire(outputSchema.input) ? outputSchema.input : {};
    return [input.queryParams, input.pathParams].flatMap((given) =>
      Object.values(isWire(given) ? given : {}),
    );
  });
}

describe.each([RESOURCES, WELL_KNOWN])('the catalog at %s', (path) => {
  it('its items: one for each sold path, of type http, as agreed', async () => {
    const body = await read(path);
    const items = wires(body.items);
    expect(body.x402Version).toBe(2);
    expect(new Set(items.map(({ type }) => type))).toEqual(new Set(['http']));
    expect(items.map(({ resource }) => String(resource).replace(/^https:\/\/[^/]+/, ''))).toEqual(sold);
    for (const item of items) {
      expect(valueFaults(CATALOG_ITEM, item)).toEqual([]);
      expect(wires(item.accepts)).toHaveLength(1);
      for (const parameter of parametersOf(item)) expect(valueFaults(PARAMETER, parameter)).toEqual([]);
    }
  });

  it('tools of MCP: in a list of their own', async () => {
    const { mcp_items: tools } = await read(path);
    expect(wires(tools).length).toBeGreaterThan(0);
    expect(wires(tools).every(({ type }) => type === 'mcp')).toBe(true);
  });
});

describe('the catalog of one type', () => {
  it.each(['http', 'mcp'])('%s asked for: items of that type alone, and counted', async (type) => {
    const { items, mcp_items: beside, pagination } = await read(`${RESOURCES}?type=${type}`);
    expect(wires(items).length).toBeGreaterThan(0);
    expect(wires(items).every((item) => item.type === type)).toBe(true);
    expect(pagination).toMatchObject({ total: wires(items).length });
    expect(beside).toEqual([]);
  });

  it('a page: it cuts the items, and the tools stand on every one', async () => {
    const first = await read(`${RESOURCES}?limit=2`);
    const second = await read(`${RESOURCES}?limit=2&offset=2`);
    expect(wires(first.items)).toHaveLength(2);
    expect(second.items).not.toEqual(first.items);
    expect(second.mcp_items).toEqual(first.mcp_items);
    expect(second.pagination).toEqual({ limit: 2, offset: 2, total: sold.length });
  });
});
