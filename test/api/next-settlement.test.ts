import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/modules/routes.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { createExampleApi, type ExampleApi, requestOf } from './example-api.ts';
import { EXAMPLE_NOW } from './example-market.ts';
import { getRaw, json } from './raw-http.ts';

const FIELD = 'next_funding_time';

/** Every next settlement that an answer states, however deep. */
function statedIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === FIELD && typeof inner === 'string' ? [inner] : statedIn(inner),
  );
}

/** True if a schema has the field as a time, which the lists of metrics of data quality lack. */
const states = (schema: unknown): boolean => JSON.stringify(schema).includes(`"${FIELD}":{"type"`);

const STATING = ROUTES.filter(({ answer }) => states(answer));

describe('a next settlement, of every product that states one', () => {
  let example: ExampleApi;
  let base = '';
  beforeAll(async () => {
    example = createExampleApi({ mode: 'off' });
    base = await example.start();
  });
  afterAll(() => example.api.close());

  it('products: the list, one venue, one asset, the signal, the preview', () => {
    expect(STATING.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'funding-current',
        'perp-funding-next',
        'perp-snapshot',
        'perp-arbitrage-funding-signal',
        'preview-funding-current',
      ]),
    );
  });

  it.each([
    ['before the stated one', 0],
    ['at the stated one', 2.5 * HOUR_MS - 30_000],
    ['an hour after it, with rows that still state it', 3.5 * HOUR_MS],
    ['a day after it', 26 * HOUR_MS],
  ])('%s: lies in the future', async (_, later) => {
    const now = EXAMPLE_NOW + later;
    example.clock.advance(now - example.clock.now());
    // The very same rows, in a table of another version: as where other venues go on.
    example.market.replace(example.market.rows());
    for (const route of STATING) {
      const response = await getRaw(base, requestOf(route));
      expect(response.status, route.id).toBe(200);
      const stated = statedIn(json(response));
      expect(stated.length, route.id).toBeGreaterThan(0);
      const past = stated.filter((time) => Date.parse(time) <= now);
      expect(past, route.id).toEqual([]);
    }
  });
});
