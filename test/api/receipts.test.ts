import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExampleApi, type ExampleApi } from './example-api.ts';
import { getRaw, json } from './raw-http.ts';

let example: ExampleApi;
let base = '';

beforeAll(async () => {
  example = createExampleApi();
  base = await example.start();
});
afterAll(() => example.api.close());

describe('the roots of receipts', () => {
  it.each(['yesterday', '2026-13-40'])(
    'before %s, which is no day, are refused with the parameter',
    async (day) => {
      const response = await getRaw(base, `/v1/receipts/roots?before=${day}`);
      expect(response.status).toBe(400);
      expect(json(response)).toMatchObject({
        code: 'invalid_parameter',
        detail: 'before: must be a day such as 2026-11-19',
        errors: [{ parameter: 'before', message: 'must be a day such as 2026-11-19' }],
      });
    },
  );
});
