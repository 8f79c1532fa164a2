import { describe, expect, it } from 'vitest';
import { contractKey } from '../domain/series.ts';
import { asMs, asRate } from '../domain/units.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import { type PaidContract, PaymentCache } from './payment-cache.ts';
import type { PaymentScope } from './queries/funding-payments.ts';
import { notStored, stored } from './store.ts';

const NOW = Date.UTC(2026, 10, 20, 21, 30);

const contract = (n: number): PaidContract => ({
  canonicalId: 'crypto:BTC',
  venue: 'binance',
  symbol: `BTC${n}`,
});
const contracts = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => contract(from + n));

/** A cache over a store that has one payment of every contract, at the time of each reading, or fails; a read waits for `hold`. */
function makeCache() {
  const reads: PaymentScope[] = [];
  const state: { now: number; fails: boolean; hold?: Promise<void> | undefined } = { now: NOW, fails: false };
  const cache = new PaymentCache(
    async (scope) => {
      reads.push(scope);
      await state.hold;
      if (state.fails) return notStored('unavailable', 'gone');
      return stored(
        contracts(0, 2000)
          .filter(({ venue, symbol }) => scope.contracts?.includes(contractKey(venue, symbol)))
          .map((contract) => ({
            ...contract,
            listedAt: asMs(0),
            at: asMs(state.now),
            rate: asRate(0.0001),
            hours: 8,
          })),
      );
    },
    { now: () => asMs(state.now) },
  );
  return { cache, reads, state };
}

/** Number of contracts that came with their payment. */
async function paidOf(cache: PaymentCache, asked: readonly PaidContract[]): Promise<number> {
  const read = await cache.of(asked);
  return read.ok ? [...read.value.values()].filter((payments) => payments.length === 1).length : -1;
}

describe('the payments of many contracts', () => {
  it('are read once in five minutes, over thirty days to the hour', async () => {
    const { cache, reads, state } = makeCache();
    expect(await paidOf(cache, contracts(0, 2))).toBe(2);
    state.now += 5 * MINUTE_MS;
    expect(await paidOf(cache, contracts(0, 3))).toBe(3);
    expect(reads.map((scope) => scope.contracts)).toEqual([
      ['binance BTC0', 'binance BTC1'],
      ['binance BTC2'],
    ]);
    expect(reads[0]).toMatchObject({ from: NOW + HOUR_MS / 2 - 30 * 24 * HOUR_MS, to: NOW + HOUR_MS / 2 });
    state.now += 1;
    await cache.of(contracts(0, 3));
    expect(reads[2]?.contracts).toEqual(['binance BTC0', 'binance BTC1']);
  });

  it('more contracts than are kept: each is whole within a call', async () => {
    const { cache, reads } = makeCache();
    expect(await paidOf(cache, contracts(0, 400))).toBe(400);
    expect(await paidOf(cache, contracts(300, 400))).toBe(400);
    expect(reads[1]?.contracts).toHaveLength(300);
    expect(await paidOf(cache, contracts(0, 1200))).toBe(1200);
    // The contracts that were read longest ago, and are not asked for, make room: 300 to 499 are there yet.
    await cache.of(contracts(1100, 100));
    expect(reads).toHaveLength(3);
  });

  it('another call evicts entries: a begun call still has its own', async () => {
    const { cache, state } = makeCache();
    await cache.of(contracts(0, 1));
    let release: () => void = () => {};
    state.hold = new Promise((resolve) => {
      release = resolve;
    });
    const first = paidOf(cache, contracts(0, 2));
    state.hold = undefined;
    expect(await paidOf(cache, contracts(100, 600))).toBe(600);
    release();
    expect(await first).toBe(2);
  });

  it('are not made up where the store fails', async () => {
    const { cache, state } = makeCache();
    state.fails = true;
    expect(await cache.of(contracts(0, 1))).toMatchObject({ ok: false });
    state.fails = false;
    expect(await paidOf(cache, contracts(0, 1))).toBe(1);
  });
});
