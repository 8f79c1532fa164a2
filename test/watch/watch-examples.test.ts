import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { getRaw, json } from '../api/raw-http.ts';

const PAGE = readFileSync('docs/watches.md', 'utf8');
const REQUESTS = [...PAGE.matchAll(/<!-- runs: (trader|agent) -->\n```\n(\S+)\n```/g)].map(
  ([, who = '', request = '']) => ({ who, request }),
);

let example: ExampleApi;
let base: string;
beforeAll(async () => {
  example = createExampleApi({ mode: 'off' });
  base = await example.start();
});
afterAll(() => example.api.close());

it('the page has an example for a trader and for an agent', () => {
  expect(REQUESTS.map(({ who }) => who)).toEqual(['trader', 'agent']);
});

it.each(REQUESTS)('$who: understood as it is asked, and answered with a watch', async ({ request }) => {
  const asked = new URL(request, 'http://example.invalid').searchParams;
  const answer = await getRaw(base, request);
  expect(answer.status).toBe(200);
  expect(json(answer)).toMatchObject({
    id: expect.stringMatching(/^w[0-9a-f]{24}$/),
    condition: { kind: asked.get('kind'), ticker: asked.get('ticker'), above: Number(asked.get('above')) },
  });
  const tried = await getRaw(base, request.replace('/v1/watch/day', '/v1/watch/check'));
  expect(tried.status).toBe(200);
});
