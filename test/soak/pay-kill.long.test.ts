import { beforeAll, describe, expect, it } from 'vitest';
import { type KillSoakResult, soakKill } from './pay-kill-run.ts';

/** A few of what `npm run soak kill` does. */
const KILLS = 4;

describe('a service that is killed at random moments of paid load', () => {
  let result: KillSoakResult;
  beforeAll(async () => {
    result = await soakKill({ seed: 1, kills: KILLS });
  });

  it('chain and ledger: equal within five seconds of readiness', () => {
    expect(result.problems).toEqual([]);
    expect(result.ledgerTotal).toBe(result.chainTotal);
    expect(result.transfers).toBeGreaterThan(0);
  });

  it('was interrupted during payments', () => {
    expect(result.interrupted).toBeGreaterThan(0);
  });
});
