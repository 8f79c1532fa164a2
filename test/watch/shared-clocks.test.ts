import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/domain/clock.ts';
import { asMs } from '../../src/domain/units.ts';
import { openStore } from '../../src/modules/paid-stream/open-store.ts';
import { TABLES_PLACE } from '../../src/modules/tables/port.ts';
import { openStores } from '../../src/modules/watch/open-stores.ts';
import { WatchTables } from '../../src/modules/watch/watch-store.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/runtime/duration.ts';
import { fill, readPorts } from '../../src/runtime/port.ts';
import { until } from '../until.ts';
import {
  CALM,
  emptyServerForEach,
  ends,
  folder,
  HIGH,
  obstacle,
  placeOf,
  server,
  tablesOf,
} from './two-hosts.ts';
import { conditionFrom, marketRig, watchRig } from './watch-rig.ts';

emptyServerForEach();

/** A host whose own clock is ahead of the server's, with a market that it dates by that. */
async function hostOf(owner: string, aheadMs: number, clock: Clock) {
  const market = marketRig();
  market.pass(5 * MINUTE_MS + aheadMs);
  market.list('binance', ['BTC']);
  const { tables } = await tablesOf(owner);
  const rig = watchRig(market, { owner, clock, store: new WatchTables(tables) });
  ends.push(() => rig.close());
  await until(() => expect(rig.store.mark).toMatch(/^[0-9a-f]{8}$/));
  return { ...rig, market };
}

describe.skipIf(obstacle !== undefined)(`hosts whose clocks differ (${obstacle ?? 'a real server'})`, () => {
  it.each([MINUTE_MS, -MINUTE_MS])(
    'the holder is %i ms ahead, and killed: as if it were not',
    async (ahead) => {
      const time = { now: marketRig().now() + 5 * MINUTE_MS };
      const clock = { now: () => asMs(time.now) };
      const a = await hostOf('a', ahead, clock);
      const b = await hostOf('b', 0, clock);
      let alive = [a, b];
      const pass = async (rate: number, seconds: number): Promise<void> => {
        for (let second = 0; second < seconds; second += 1) {
          time.now += SECOND_MS;
          for (const { market, engine } of alive) {
            market.pass(SECOND_MS);
            const row = { symbol: 'BTCUSDT', markPrice: 100, fundingRate: rate, fundingIntervalHours: 8 };
            market.tape.sinks.market.quotes('binance', [row as never], market.now());
            engine.turn();
            await engine.answered();
          }
        }
      };
      await pass(CALM, 4);
      expect([a.engine.holds, b.engine.holds]).toEqual([true, false]);
      const condition = conditionFrom(b.market, {
        ticker: 'BTC',
        venue: 'binance',
        above: 0.0005,
        reset: 0.0003,
      });
      const { id, secret, beganAt } = await b.desk.offer(condition, 1);
      const body = { id, secret, condition, days: 1, began_at: new Date(beganAt).toISOString() };
      await b.desk.sold({ key: 'sale', payer: '0xBuyer' }, { body: Buffer.from(JSON.stringify(body)) });
      await until(() => expect(a.store.watch(id)).toBeDefined());
      await pass(CALM, 2);
      await pass(HIGH, 4);
      await a.kill();
      alive = [b];
      // Rows of the other host show it clear for a while in which nobody watches.
      await pass(CALM, 8);
      expect(b.engine.holds).toBe(false);
      await pass(CALM, 6);
      expect(b.engine.holds).toBe(true);
      await pass(HIGH, 4);
      const told = b.store.firings(id, 0, 10);
      expect(told.map(({ seq, kind }) => [seq, kind])).toEqual([
        [1, 'fired'],
        [2, 'cleared'],
        [3, 'fired'],
      ]);
      const times = told.map(({ at }) => at);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect([Math.min(...times) > beganAt, Math.max(...times) <= time.now]).toEqual([true, true]);
      const [span, ...more] = b.store.watch(id)?.progress.missing ?? [];
      expect([span?.reason, more]).toEqual(['not_watched', []]);
      const spanMs = (span?.to ?? 0) - (span?.from ?? 0);
      expect([spanMs >= 8 * SECOND_MS, spanMs <= 20 * SECOND_MS]).toEqual([true, true]);
    },
  );

  it.each([MINUTE_MS, -MINUTE_MS])(
    'a host that is %i ms ahead: its stores go by the server',
    async (ahead) => {
      const clock = { now: () => asMs(systemClock.now() + ahead) };
      const { place } = await placeOf(clock);
      const host = {
        options: { dataDir: join(folder, 'host') },
        readPort: readPorts(fill(TABLES_PLACE, place)),
        clock,
      } as unknown as Parameters<typeof openStores>[0];
      const watches = await openStores(host);
      const streams = await openStore(host);
      ends.push(
        () => watches.store.close(),
        () => streams.store.close(),
      );
      const [row] = await server.query(
        'postgres',
        'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now',
      );
      for (const shared of [watches.clock, streams.clock])
        expect(Math.abs(shared.now() - Number(row?.now))).toBeLessThan(MINUTE_MS / 2);
      // As the hall hands the time on.
      const { now } = streams.clock;
      await streams.store.beat('a host', now);
      expect(streams.store.aliveAt('a host')).toBeDefined();
      expect(await streams.store.leave('a host', now)).toBe(0);
    },
  );
});
