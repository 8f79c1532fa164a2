import { beforeAll, describe, expect, it } from 'vitest';
import { type PaySoakResult, soakPay } from './pay-run.ts';

/** A part of what `npm run soak pay` does. */
const PURCHASES = 200;

describe('random adversarial payments on a real chain, two processes with one ledger', () => {
  let result: PaySoakResult;
  beforeAll(async () => {
    result = await soakPay({ seed: 1, purchases: PURCHASES });
  });

  it('chain and ledger: equal to the unit, every 200 paid once', () => {
    expect(result.problems).toEqual([]);
    expect(result.ledgerTotal).toBe(result.chainTotal);
    expect(result.transfers).toBeGreaterThan(PURCHASES / 20);
  });

  it('cover every fault', () => {
    expect(result.served).toBeGreaterThan(PURCHASES / 20);
    expect(result.faults.size).toBeGreaterThan(12);
  });
});
