import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/modules/routes.ts';
import { type ApiSoakResult, soakApi } from './api-run.ts';

/** A part of what `npm run soak api` does: so many to a route reach each of them paid for. */
const REQUESTS = 40 * ROUTES.length;

describe('random requests over all routes of the OpenAPI document', () => {
  let result: ApiSoakResult;
  beforeAll(async () => {
    result = await soakApi({ seed: 1, requests: REQUESTS });
  });

  it('are answered as documented, and nothing is settled that was not served', () => {
    expect(result.problems).toEqual([]);
  });

  it('reach every route and every kind of answer', () => {
    expect(result.operations).toBe(ROUTES.length);
    expect([...result.statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 402, 404, 409, 503]));
    const paid = ROUTES.filter(({ access }) => access === 'paid').map(({ path }) => path);
    expect([...result.sold.keys()].sort()).toEqual(paid.sort());
    expect(result.settled).toBeGreaterThan(REQUESTS / 8);
  });
});
