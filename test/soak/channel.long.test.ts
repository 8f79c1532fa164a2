import { beforeAll, describe, expect, it } from 'vitest';
import { type ChannelSoakResult, soakChannel } from './channel-run.ts';

describe('hostile buyers by channel, and processes that are killed', () => {
  let result: ChannelSoakResult;
  beforeAll(async () => {
    result = await soakChannel({ seed: 1, vouchers: 400, kills: 4 });
  });

  it('chain and ledger: equal, and nothing above what was sold', () => {
    expect(result.problems).toEqual([]);
    expect(result.received).toBe(result.charged);
  });

  it('most of them bought', () => {
    expect(result.served).toBeGreaterThan(50);
    expect(result.served + result.lost).toBe(result.sales);
  });
});
