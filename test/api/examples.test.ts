import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { protectedRoutes } from '../../src/api/catalog.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { bazaarExtension } from '../../src/pay/bazaar.ts';
import { exampleFiles } from './example-file.ts';
import { exampleWorld } from './example-world.ts';
// They buy over the same world.
import '../client/recipes.ts';
import './renamed-names.ts';

// The collector's own connections and calls, over memory instead of a network.
vi.mock('ws', async () => ({ default: (await import('../books/memory-socket.ts')).MemorySocket }));
vi.mock('../../src/collect/http-client.ts', async () => ({
  HttpClient: (await import('../collect/memory-http.ts')).MemoryHttp,
}));

/** Set to write the example files again from what the service answers over the simulated world. */
const UPDATE = process.env.UPDATE_EXAMPLES === '1';

let base: string;

beforeAll(async () => {
  base = await (await exampleWorld()).serve();
});
afterAll(async () => (await exampleWorld()).close());

const documented = ROUTES.flatMap((route) =>
  route.example === undefined ? [] : [{ id: route.id, path: route.path, ...route.example }],
);

const sold = new Map(protectedRoutes(ROUTES).map((route) => [route.id, route]));

describe('examples', () => {
  it('everything that is sold has one', () => {
    expect(documented.map(({ id }) => id)).toEqual(expect.arrayContaining([...sold.keys()]));
  });

  it.each(documented.filter(({ id }) => sold.has(id)))('$id is asked for by its catalog entry', (route) => {
    const { info, routeTemplate } = bazaarExtension(sold.get(route.id) ?? raise(route.id));
    const { pathParams = {}, queryParams } = info.input;
    const path = (routeTemplate ?? route.path).replace(/:(\w+)/g, (_, name) => String(pathParams[name]));
    const asked = new URL(route.request, 'http://example.invalid');
    expect(path).toBe(asked.pathname);
    const given = Object.entries(queryParams).map(([name, value]) => [name, String(value)]);
    expect(given.sort()).toEqual([...asked.searchParams].sort());
  });

  it.each(documented)('$id is what the service answers', async ({ id, request, answer }) => {
    const response = await fetch(base + request);
    expect(response.status).toBe(200);
    const live: unknown = await response.json();
    if (UPDATE) {
      const file = exampleFiles().get(id) ?? raise(id);
      writeFileSync(file, `${JSON.stringify(live, null, 2)}\n`);
    } else expect(answer).toEqual(live);
  });
});

function raise(id: string): never {
  throw new Error(`${id} is not sold, or has no example`);
}
