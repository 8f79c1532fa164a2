import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { asBase, asMs, asUsd } from '../../src/domain/units.ts';
import type { BorrowRow } from '../../src/modules/spot/spot-rows.ts';
import { openBorrowStore } from '../../src/modules/spot-market/borrow/borrow-store.ts';
import { BorrowTable } from '../../src/modules/spot-market/borrow/borrow-table.ts';
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
