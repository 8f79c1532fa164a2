import { expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { emptyDecoded } from '../../src/domain/decoded.ts';
import { asHours, asMs, asRate } from '../../src/domain/units.ts';
import { History } from '../../src/history/history.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import { type HistoryStore, notStored, type Rows, stored } from '../../src/history/store.ts';
import type { IdentityRecord } from '../../src/market/stores.ts';
import { ManualTime } from '../collect/manual-time.ts';

it('a settlement dropped from a full queue is stored when the venue sends it again', async () => {
  const time = new ManualTime();
  const began = time.now;
  let isUp = false;
  const written: Rows[] = [];
  const store: HistoryStore = {
    engine: 'server',
    select: async () => stored([[0, 0]]),
    selectOnNodes: async () => stored([]),
    run: async () => stored(undefined),
    runOnNodes: async () => stored(undefined),
    async insert(rows) {
      if (!isUp) return notStored('unavailable', 'gone');
      written.push(rows);
      return stored(undefined);
    },
    deliver: async () => stored(undefined),
    close: async () => {},
  };
  const record: IdentityRecord = {
    ...{ venue: 'binance', symbol: 'BTCUSDT', canonicalId: 'crypto:BTC', ticker: 'BTC' },
    ...{ assetClass: 'crypto', basis: 'registry', validFrom: asMs(0) },
  };
  const history = new History({
    ...{ store, clock: time.clock, timer: time.timer, logger: silentLogger, retention: DEFAULT_RETENTION },
    ...{ rows: () => [], health: { of: () => undefined, all: () => [] }, recordsOf: () => [record] },
    maxWaitingRows: 1,
  });
  const tell = (hour: number): void =>
    history.sink.take(
      'binance',
      {
        ...emptyDecoded(),
        funding: [
          {
            ...{ symbol: 'BTCUSDT', time: asMs(began - hour * 3_600_000) },
            ...{ rate: asRate(1e-4), intervalHours: asHours(8) },
          },
        ],
      },
      time.clock.now(),
    );
  tell(16);
  tell(8);
  expect(history.state().write).toMatchObject({ mode: 'read_only', queuedRows: 1, lostRows: 1 });
  isUp = true;
  await time.advance(10_000);
  // Polls repeat what is known: only what is not stored is new.
  for (const hour of [16, 8]) {
    tell(hour);
    await time.advance(1000);
  }
  expect(written.map(({ table }) => table)).toEqual(['settlements', 'gaps', 'settlements']);
  await history.stop();
});
