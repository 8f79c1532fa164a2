import { describe, expect, it } from 'vitest';
import { depositOf } from '../../../packages/client/src/channels/deposit.ts';

const need = (change: object = {}) => ({
  price: 1_000n,
  missing: 1_000n,
  proposed: undefined,
  calls: 0n,
  charged: 0n,
  room: 1_000_000n,
  isFirst: true,
  ...change,
});

describe('the deposit that a channel is worth', () => {
  it.each([
    ['nothing is proposed: twenty calls', {}, 20_000n],
    ['the seller proposes fifty calls: those', { proposed: 50_000n }, 50_000n],
    ['it proposes less than this call: this call', { proposed: 10n, missing: 9_000n }, 9_000n],
    ['it proposes a fortune: a hundred calls', { proposed: 10n ** 30n }, 100_000n],
    ['less than that is allowed: what is allowed', { proposed: 10n ** 30n, room: 50_000n }, 50_000n],
    ['a hundred calls are known to come: those', { calls: 100n }, 100_000n],
    ['much was bought already: as much again', { charged: 70_000n }, 70_000n],
    ['four calls are allowed: four', { room: 4_000n }, 4_000n],
    ['fewer are allowed: none, exact costs less', { room: 3_999n }, undefined],
    ['a channel with a rest: as little as this call', { room: 500n, missing: 500n, isFirst: false }, 500n],
    ['less than this call is allowed: none', { room: 499n, missing: 500n, isFirst: false }, undefined],
  ])('%s', (_, change, expected) => {
    expect(depositOf(need(change))).toBe(expected);
  });
});
