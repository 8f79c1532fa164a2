import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import { refusedForRate } from '../../src/collect/rate-refusal.ts';
import { failed } from '../../src/collect/transport-failure.ts';
import { isWire } from '../../src/domain/read.ts';
import { VENUES } from '../../src/venues/registry.ts';

const cases = SIM_VENUES.flatMap(({ id, limit }) => {
  const adapter = VENUES.find((sim) => sim.id === id);
  return adapter === undefined ? [] : [{ id, limit, budget: adapter.budget }];
});
const stated = cases.filter(({ budget }) => budget.limitBody !== undefined);
/** The HTTP client judges these statuses by itself. */
const USUAL = [418, 429];

describe('what a venue answers beyond its limit', () => {
  it.each(cases.filter(({ limit }) => limit.status < 300))(
    'is known for a refusal: $id',
    ({ limit, budget }) => {
      const answer = { result: { ok: true, value: JSON.parse(limit.body) as unknown }, headers: {} } as const;
      const { result } = refusedForRate({ ...answer, bytes: 0, durationMs: 0 }, budget);
      expect(result).toMatchObject({ ok: false, failure: { kind: 'rate_limited' } });
    },
  );

  it.each(cases.filter(({ limit }) => limit.status >= 300 && !USUAL.includes(limit.status)))(
    'is known for a refusal by a status of its own: $id',
    ({ limit: { status, body }, budget }) => {
      const answer = { result: failed('status', `HTTP ${status}`, status), headers: {}, errorBody: body };
      const { result } = refusedForRate({ ...answer, bytes: 0, durationMs: 0 }, budget);
      expect(result).toMatchObject({ ok: false, failure: { kind: 'rate_limited', status } });
    },
  );

  it.each([
    ['lighter', 405, '<html>405 Not Allowed</html>'],
    ['edgex', 403, '<html><title>403 Forbidden</title></html>'],
    ['apex', 403, ''],
  ])('is known for a refusal of what stands before the venue: %s %s', (id, status, errorBody) => {
    const budget = VENUES.find((venue) => venue.id === id)?.budget ?? {};
    const answer = { result: failed('status', `HTTP ${status}`, status), headers: {}, errorBody } as const;
    const { result } = refusedForRate({ ...answer, bytes: 0, durationMs: 0 }, budget);
    expect(result).toMatchObject({ ok: false, failure: { kind: 'rate_limited', status } });
  });

  it.each(stated)(
    'has the code that its body states, also under another status: $id',
    ({ limit, budget: { limitBody } }) => {
      const body: unknown = JSON.parse(limit.body);
      expect(limitBody?.codes).toContain(
        isWire(body) && limitBody ? String(body[limitBody.field]) : undefined,
      );
    },
  );

  it('errors under status 200: most venues state theirs in the body', () => {
    expect(stated.length).toBeGreaterThanOrEqual(10);
    expect(cases.some(({ limit }) => limit.status === 200)).toBe(true);
  });
});
