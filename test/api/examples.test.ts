import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/api/table.ts';
import { createExampleApi, type ExampleApi } from './example-api.ts';

/** Set to write the example files anew from what the service answers over the example market. */
const UPDATE = process.env.UPDATE_EXAMPLES === '1';

let example: ExampleApi;
let base = '';

beforeAll(async () => {
  example = createExampleApi({ mode: 'off' });
  base = await example.start();
});
afterAll(() => example.api.close());

const documented = ROUTES.flatMap((route) =>
  route.example === undefined ? [] : [{ id: route.id, path: route.path, ...route.example }],
);

describe('examples', () => {
  it('everything that is sold has one', () => {
    const sold = ROUTES.filter(({ sale }) => sale === 'paid').map(({ id }) => id);
    expect(documented.map(({ id }) => id)).toEqual(expect.arrayContaining(sold));
  });

  it.each(documented)('$id is what the service answers', async ({ id, request, answer }) => {
    const response = await fetch(base + request);
    expect(response.status).toBe(200);
    let live: unknown = await response.json();
    // Payments are off in the test alone.
    if (id === 'health') live = withPayments(live);
    if (UPDATE) {
      const file = new URL(`../../src/api/examples/${id}.json`, import.meta.url);
      writeFileSync(file, `${JSON.stringify(live, null, 2)}\n`);
    } else expect(answer).toEqual(live);
  });
});

function withPayments(state: unknown): unknown {
  if (typeof state !== 'object' || state === null) return state;
  return { ...state, payments: { mode: 'remote', facilitator_ok: true, settlement_proof: 'rpc' } };
}
