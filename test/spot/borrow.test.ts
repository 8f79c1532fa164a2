import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { asBase, asMs, asUsd } from '../../src/domain/units.ts';
import type { BorrowRow, SpotReject } from '../../src/modules/spot/spot-rows.ts';
import { borrowReason } from '../../src/modules/spot-market/borrow/borrow-reason.ts';
import { openBorrowStore } from '../../src/modules/spot-market/borrow/borrow-store.ts';
import { BorrowTable } from '../../src/modules/spot-market/borrow/borrow-table.ts';
import { SPOT_PLANS } from '../../src/modules/spot-market/plan/plans.ts';
import { callName } from '../../src/modules/spot-market/plan/spot-plan.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';

const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'borrow-'));
const NOON = Date.UTC(2026, 10, 20, 12);
let now = NOON;
let table: BorrowTable | undefined;
afterEach(async () => {
  await table?.close();
  table = undefined;
});

const open = (folder: string): BorrowTable => {
  table = new BorrowTable(openBorrowStore(folder), { now: () => asMs(now) });
  return table;
};
const rate = (ratePerHour: number): BorrowRow => ({
  asset: 'BTC',
  ticker: 'BTC',
  ratePerHour,
  rateRaw: ratePerHour,
  period: 'hour',
});

describe('borrow rates', () => {
  it('hourly samples: the first of each hour, over a restart', async () => {
    const folder = temporaryFolder();
    const first = open(folder);
    for (const [hours, value] of [
      [0, 1e-6],
      [0.5, 9e-6],
      [1, 3e-6],
    ] as const) {
      now = NOON + hours * HOUR_MS;
      first.take('bybit', 'rates', { borrow: [rate(value)] }, asMs(now));
    }
    expect(first.meanOf('bybit', 'BTC', 24)).toEqual({ mean: 2e-6, hours: 2 });
    await first.close();
    const second = open(folder);
    expect(second.meanOf('bybit', 'BTC', 24)).toEqual({ mean: 2e-6, hours: 2 });
    expect(second.meanOf('bybit', 'BTC', 1)).toEqual({ mean: 3e-6, hours: 1 });
    expect(second.meanOf('bybit', 'ETH', 24)).toEqual({ mean: undefined, hours: 0 });
  });

  it('samples of more than ninety days ago: dropped', () => {
    const table = open(temporaryFolder());
    now = NOON;
    table.take('okx', 'rates', { borrow: [rate(1e-6)] }, asMs(now));
    expect(table.meanOf('okx', 'BTC', 1).hours).toBe(1);
    now = NOON + 92 * DAY_MS;
    table.take('okx', 'rates', { borrow: [rate(2e-6)] }, asMs(now));
    now = NOON;
    expect(table.meanOf('okx', 'BTC', 1).hours).toBe(0);
  });

  it('a rate and limits of two calls: one row', () => {
    const table = open(temporaryFolder());
    const limits = { asset: 'BTC', ticker: 'BTC', limitUsd: asUsd(1_000_000) };
    table.take('gate', 'limits', { borrow: [limits] }, asMs(NOON));
    table.take('gate', 'rates', { borrow: [rate(1e-6)] }, asMs(NOON + 1));
    expect(table.stateOf('gate', 'BTC')).toEqual({
      row: { ...rate(1e-6), limitUsd: 1_000_000 },
      receivedAt: NOON + 1,
      calls: ['limits', 'rates'],
    });
  });

  it('a coin that one call says is closed: no rate, whatever another says', () => {
    const table = open(temporaryFolder());
    table.take('gate', 'rates', { borrow: [rate(1e-6)] }, asMs(NOON));
    const closed = { asset: 'BTC', ticker: 'BTC', refused: 'closed' } as const;
    table.take('gate', 'limits', { borrow: [{ ...closed, limit: asBase(0) }] }, asMs(NOON));
    expect(table.stateOf('gate', 'BTC')?.row).not.toHaveProperty('ratePerHour');
    table.take('gate', 'limits', { borrow: [{ asset: 'BTC', ticker: 'BTC' }] }, asMs(NOON));
    expect(table.stateOf('gate', 'BTC')?.row.ratePerHour).toBe(1e-6);
  });
});

describe('a coin without a rate', () => {
  const lending = SPOT_PLANS.flatMap(({ venue, borrow: plan }) =>
    plan === undefined ? [] : [{ venue, plan }],
  );
  const other = { ...rate(1e-6), asset: 'ETH', ticker: 'ETH' };

  it.each(lending)('$venue: not received, then not lent if its list has others', ({ venue, plan }) => {
    const table = open(temporaryFolder());
    const reason = () => borrowReason(table, venue, 'BTC', asMs(now));
    now = NOON;
    expect(reason()).toBe('not_received');
    table.takeList(venue, callName(plan.list), { borrow: [], rejects: [] }, asMs(NOON));
    expect(reason()).toBe('not_received');
    table.takeList(venue, callName(plan.list), { borrow: [other], rejects: [] }, asMs(NOON));
    expect(reason()).toBe('not_borrowable');
    expect(table.mayLend(venue, callName(plan.list), 'BTC')).toBe(false);
  });

  it.each(lending)('$venue: not received until the call of its rate answers', ({ venue, plan }) => {
    const table = open(temporaryFolder());
    const reason = () => borrowReason(table, venue, 'BTC', asMs(now));
    const unrated = { asset: 'BTC', ticker: 'BTC' };
    now = NOON;
    table.takeList(venue, callName(plan.list), { borrow: [unrated], rejects: [] }, asMs(NOON));
    expect(table.mayLend(venue, callName(plan.list), 'BTC')).toBe(true);
    expect(reason()).toBe(plan.ofCoin === undefined ? 'not_stated' : 'not_received');
    const call = callName(plan.ofCoin?.('BTC') ?? plan.list);
    table.take(venue, call, { borrow: [unrated] }, asMs(NOON));
    expect(reason()).toBe('not_stated');
    table.take(venue, call, { borrow: [rate(1e-6)] }, asMs(NOON));
    expect(reason()).toBeUndefined();
  });

  it.each(lending)('$venue: not lent once its list leaves the coin out', ({ venue, plan }) => {
    const table = open(temporaryFolder());
    now = NOON;
    table.takeList(venue, callName(plan.list), { borrow: [rate(1e-6), other], rejects: [] }, asMs(NOON));
    table.take(venue, callName(plan.ofCoin?.('BTC') ?? plan.list), { borrow: [rate(1e-6)] }, asMs(NOON));
    expect(borrowReason(table, venue, 'BTC', asMs(now))).toBeUndefined();
    table.takeList(venue, callName(plan.list), { borrow: [other], rejects: [] }, asMs(NOON));
    expect(borrowReason(table, venue, 'BTC', asMs(now))).toBe('not_borrowable');
  });

  it.each(lending)('$venue: a row of its list is unreadable: nothing is denied', ({ venue, plan }) => {
    const table = open(temporaryFolder());
    const list = callName(plan.list);
    const reason = (ticker: string) => borrowReason(table, venue, ticker, asMs(now));
    const unreadable = (symbol: string | null): SpotReject[] => [
      { symbol, reason: 'missing_field', detail: 'rate' },
    ];
    now = NOON;
    table.takeList(venue, list, { borrow: [other], rejects: unreadable('BTC') }, asMs(NOON));
    expect([reason('BTC'), reason('SOL')]).toEqual(['not_received', 'not_borrowable']);
    table.takeList(venue, list, { borrow: [other], rejects: unreadable(null) }, asMs(NOON));
    expect([reason('BTC'), reason('SOL')]).toEqual(['not_received', 'not_received']);
    table.takeList(venue, list, { borrow: [other, rate(1e-6)], rejects: [] }, asMs(NOON));
    table.take(venue, callName(plan.ofCoin?.('BTC') ?? plan.list), { borrow: [rate(1e-6)] }, asMs(NOON));
    for (const symbol of ['BTC', null])
      table.takeList(venue, list, { borrow: [other], rejects: unreadable(symbol) }, asMs(NOON + 1));
    expect([reason('BTC'), table.mayLend(venue, list, 'BTC')]).toEqual([undefined, true]);
  });

  it.each(lending)('$venue: a refusal grows old, as a rate does', ({ venue, plan }) => {
    const table = open(temporaryFolder());
    const list = callName(plan.list);
    const closed = { asset: 'BTC', ticker: 'BTC', refused: 'closed' } as const;
    now = NOON;
    table.takeList(venue, list, { borrow: [other, closed], rejects: [] }, asMs(NOON));
    const words = () => ['BTC', 'SOL'].map((ticker) => borrowReason(table, venue, ticker, asMs(now)));
    expect(words()).toEqual(['closed', 'not_borrowable']);
    expect(table.mayLend(venue, list, 'SOL')).toBe(false);
    now = NOON + 2 * HOUR_MS + 1;
    expect(words()).toEqual(['stale', 'stale']);
    expect(table.mayLend(venue, list, 'SOL')).toBe(true);
  });
});
