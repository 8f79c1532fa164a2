import { expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { emptyDecoded } from '../../src/domain/decoded.ts';
import { asHours, asMs, asRate } from '../../src/domain/units.ts';
import { History } from '../../src/history/history.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import type { Settlement } from '../../src/history/sample.ts';
import { type HistoryStore, notStored, type Rows, stored } from '../../src/history/store.ts';
import type { IdentityRecord } from '../../src/market/stores.ts';
import { ManualTime } from '../collect/manual-time.ts';

/** A history over a store of which a function says how each insert ends. */
function rig(insert: HistoryStore['insert'], maxWaitingRows?: number) {
  const time = new ManualTime();
  const store: HistoryStore = {
    engine: 'server',
    select: async ({ sql }) => stored(sql.includes('FROM corrections') ? [] : [[0, 0]]),
    selectOnNodes: async () => stored([]),
    run: async () => stored(undefined),
    runOnNodes: async () => stored(undefined),
    insert,
    deliver: async () => stored(undefined),
    close: async () => {},
  };
  const record: IdentityRecord = {
    venue: 'binance',
    symbol: 'BTCUSDT',
    canonicalId: 'crypto:BTC',
    ticker: 'BTC',
    assetClass: 'crypto',
    basis: 'registry',
    validFrom: asMs(0),
  };
  const history = new History({
    store,
    clock: time.clock,
    timer: time.timer,
    logger: silentLogger,
    retention: DEFAULT_RETENTION,
    rows: () => [],
    health: { of: () => undefined, all: () => [] },
    recordsOf: () => [record],
    ...(maxWaitingRows !== undefined && { maxWaitingRows }),
  });
  return { time, history };
}

it('a settlement dropped from a full queue: stored when repeated', async () => {
  let isUp = false;
  const written: Rows[] = [];
  const { time, history } = rig(async (rows) => {
    if (!isUp) return notStored('unavailable', 'gone');
    written.push(rows);
    return stored(undefined);
  }, 1);
  const began = time.now;
  const tell = (hour: number): void =>
    history.sink.take(
      'binance',
      {
        ...emptyDecoded(),
        funding: [
          {
            symbol: 'BTCUSDT',
            time: asMs(began - hour * 3_600_000),
            rate: asRate(1e-4),
            intervalHours: asHours(8),
          },
        ],
      },
      time.clock.now(),
    );
  tell(16);
  tell(8);
  expect(history.state().write).toMatchObject({ queuedRows: 1, lostRows: 0 });
  isUp = true;
  await time.advance(10_000);
  // Polls repeat what is known: only what is not stored is new.
  for (const hour of [16, 8]) {
    tell(hour);
    await time.advance(1000);
  }
  expect(written.map(({ table }) => table)).toEqual(['settlements', 'settlements']);
  await history.stop();
});

it('refused settlements: stored when asked for again', async () => {
  let isRefused = true;
  const written: string[] = [];
  const { time, history } = rig(async ({ table, lines }) => {
    if (table === 'settlements' && isRefused) return notStored('refused', 'a value of another row');
    written.push(...lines.map(() => table));
    return stored(undefined);
  });
  expect(await history.start()).toMatchObject({ ok: true });
  const settlement: Settlement = {
    canonicalId: 'crypto:BTC',
    ticker: 'BTC',
    venue: 'binance',
    symbol: 'BTCUSDT',
    listedAt: asMs(0),
    at: asMs(time.now - 8 * 3_600_000),
    origin: 'backfilled',
    rate: asRate(1e-4),
  };
  const values = { samples: [], settlements: [settlement], unknown: 0 };
  expect(await history.take(values)).toBe(false);
  isRefused = false;
  expect(await history.take(values)).toBe(true);
  expect(written.filter((table) => table === 'settlements')).toHaveLength(1);
  await history.stop();
});

it('a settlement that was refused: stored when told again', async () => {
  let isRefused = true;
  const written: string[] = [];
  const { time, history } = rig(async ({ table, lines }) => {
    if (table === 'settlements' && isRefused) return notStored('refused', 'there is no such table');
    written.push(...lines.map(() => table));
    return stored(undefined);
  });
  expect(await history.start()).toMatchObject({ ok: true });
  const paid = { symbol: 'BTCUSDT', time: asMs(time.now - 8 * 3_600_000), rate: asRate(1e-4) };
  const tell = () => history.sink.take('binance', { ...emptyDecoded(), funding: [paid] }, time.clock.now());
  tell();
  await time.advance(10_000);
  isRefused = false;
  tell();
  await time.advance(10_000);
  expect(written.filter((table) => table === 'settlements')).toHaveLength(1);
  await history.stop();
});

it('a past repeated with every answer: written once', async () => {
  const written: number[] = [];
  const { time, history } = rig(async ({ table, lines }) => {
    if (table === 'settlements') written.push(lines.length);
    return stored(undefined);
  });
  const began = time.now;
  const tell = (hours: number): void => {
    const funding = Array.from({ length: hours }, (_, hour) => ({
      symbol: 'BTCUSDT',
      time: asMs(began - hour * 3_600_000),
      rate: asRate(1e-4),
      intervalHours: asHours(1),
    }));
    history.sink.take('binance', { ...emptyDecoded(), funding }, time.clock.now());
  };
  for (const hours of [200, 200, 201, 3, 201]) {
    tell(hours);
    await time.advance(1000);
  }
  expect(written).toEqual([200, 1]);
  await history.stop();
});
