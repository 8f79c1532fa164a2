import { expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { emptyDecoded } from '../../src/domain/decoded.ts';
import { asHours, asMs, asRate } from '../../src/domain/units.ts';
import { History } from '../../src/history/history.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import { type HistoryStore, type Rows, stored } from '../../src/history/store.ts';
import { makeRow } from '../../src/market/row-fixture.ts';
import type { IdentityRecord } from '../../src/market/stores.ts';
import { ManualTime } from '../collect/manual-time.ts';

const record: IdentityRecord = {
  venue: 'binance',
  symbol: 'BTCUSDT',
  canonicalId: 'crypto:BTC',
  ticker: 'BTC',
  assetClass: 'crypto',
  basis: 'registry',
  validFrom: asMs(0),
};

/**
 * The store's changes in two hours of a service, with a row to sample and a settlement that a venue reports.
 */
async function changesWith(records: boolean): Promise<readonly string[]> {
  const time = new ManualTime();
  const changes: string[] = [];
  const change = async (what: string) => {
    changes.push(what);
    return stored(undefined);
  };
  const store: HistoryStore = {
    engine: 'server',
    // Of the newest sample alone; there is no other row.
    select: async ({ sql }) => stored(/max\(ts\).* FROM samples$/.test(sql) ? [[time.now / 1000, 1]] : []),
    selectOnNodes: async () => stored([]),
    run: () => change('run'),
    runOnNodes: () => change('run'),
    insert: ({ table }: Rows) => change(table),
    deliver: async () => stored(undefined),
    close: async () => {},
  };
  const history = new History({
    store,
    records,
    clock: time.clock,
    timer: time.timer,
    logger: silentLogger,
    retention: DEFAULT_RETENTION,
    health: { of: () => undefined, all: () => [] },
    recordsOf: () => [record],
    rows: () => [makeRow({ venue: 'binance' })],
  });
  const started = await history.start();
  expect(started.ok).toBe(true);
  const before = history.version;
  const settled = { symbol: 'BTCUSDT', time: asMs(time.now), rate: asRate(1e-4), intervalHours: asHours(8) };
  history.sink.take('binance', { ...emptyDecoded(), funding: [settled] }, time.clock.now());
  await time.advance(7_200_000);
  expect(history.version).toBeGreaterThan(before);
  expect(history.state().ok).toBe(true);
  await history.stop();
  return changes;
}

it('a process that keeps the history writes samples and settlements', async () => {
  expect(await changesWith(true)).toEqual(expect.arrayContaining(['samples', 'settlements']));
});

it('a reader only: changes nothing, and renews its answers', async () => {
  expect(await changesWith(false)).toEqual([]);
});
