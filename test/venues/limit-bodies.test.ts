import { describe, expect, it } from 'vitest';
import { refusedInBody } from '../../src/collect/limit-body.ts';
import { isWire } from '../../src/domain/read.ts';
import { SIM_VENUES } from '../../src/sim/venues/index.ts';
import { VENUES } from '../../src/venues/registry.ts';

const cases = SIM_VENUES.flatMap(({ id, limit }) => {
  const adapter = VENUES.find((one) => one.id === id);
  return adapter === undefined ? [] : [{ id, limit, limitBody: adapter.budget.limitBody }];
});
const stated = cases.filter(({ limitBody }) => limitBody !== undefined);

describe('what a venue answers beyond its limit', () => {
  it.each(cases.filter(({ limit }) => limit.status < 300))(
    'is known for a refusal: $id',
    ({ limit, limitBody }) => {
      const answer = { result: { ok: true, value: JSON.parse(limit.body) as unknown }, headers: {} } as const;
      const { result } = refusedInBody({ ...answer, bytes: 0, durationMs: 0 }, limitBody);
      expect(result).toMatchObject({ ok: false, failure: { kind: 'rate_limited' } });
    },
  );

  it.each(stated)(
    'has the code that its body states, also under another status: $id',
    ({ limit, limitBody }) => {
      const body: unknown = JSON.parse(limit.body);
      expect(limitBody?.codes).toContain(
        isWire(body) && limitBody ? String(body[limitBody.field]) : undefined,
      );
    },
  );

  it('is stated by its body at most venues that answer errors under status 200', () => {
    expect(stated.length).toBeGreaterThanOrEqual(10);
    expect(cases.some(({ limit }) => limit.status === 200)).toBe(true);
  });
});
