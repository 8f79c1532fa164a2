import { expect, it } from 'vitest';
import { ManualTime } from '../../test/collect/manual-time.ts';
import { silentLogger } from '../collect/logger.ts';
import type { VenueHealth } from '../collect/ports.ts';
import { emptyDecoded } from '../domain/decoded.ts';
import { asHours, asMs, asRate } from '../domain/units.ts';
import type { VenueStatus } from '../domain/venue.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { History } from './history.ts';
import { DEFAULT_RETENTION } from './retention.ts';
import { type HistoryStore, type Rows, stored } from './store.ts';

it('a resting history: notes no silence, and writes what it gets', async () => {
  const time = new ManualTime();
  const written: Rows[] = [];
  const store: HistoryStore = {
    engine: 'embedded',
    select: async ({ sql }) => stored(/FROM samples|FROM hours/.test(sql) ? [[0, 0]] : []),
    selectOnNodes: async () => stored([]),
    run: async () => stored(undefined),
    runOnNodes: async () => stored(undefined),
    insert: async (rows) => {
      written.push(rows);
      return stored(undefined);
    },
    deliver: async () => stored(undefined),
    close: async () => {},
  };
  let status: VenueStatus = 'live';
  let since: number = time.now;
  const ofVenue = (): VenueHealth => ({
    venue: 'binance',
    status,
    since: asMs(since),
    lastUpdateAt: undefined,
    rejects5m: 0,
    rejectsByReason: {},
    errorRate5m: undefined,
    lastError: undefined,
  });
  const history = new History({
    store,
    clock: time.clock,
    timer: time.timer,
    logger: silentLogger,
    retention: DEFAULT_RETENTION,
    rows: () => [],
    health: { of: ofVenue, all: () => [ofVenue()] },
    recordsOf: () => [
      {
        venue: 'binance',
        symbol: 'BTCUSDT',
        canonicalId: 'crypto:BTC',
        ticker: 'BTC',
        assetClass: 'crypto',
        basis: 'registry',
        validFrom: asMs(0),
      },
    ],
  });
  expect(await history.start()).toEqual(stored(undefined));
  await time.advance(10_000);
  const notes = () => written.filter(({ table }) => table === 'venue_status' || table === 'gaps');
  expect(notes()).toMatchObject([{ table: 'venue_status' }]);
  await history.rest();
  status = 'stale';
  since = time.now;
  await time.advance(10 * MINUTE_MS);
  const paid = { symbol: 'BTCUSDT', time: asMs(0), rate: asRate(1e-4), intervalHours: asHours(8) };
  history.sink.take('binance', { ...emptyDecoded(), funding: [paid] }, time.clock.now());
  await time.advance(10_000);
  await history.stop();
  expect(notes()).toMatchObject([{ table: 'venue_status' }]);
  expect(written.map(({ table }) => table)).toContain('settlements');
  expect(time.pending).toBe(0);
});
