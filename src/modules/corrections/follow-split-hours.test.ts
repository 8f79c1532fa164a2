import { expect, it } from 'vitest';
import { ManualTime } from '../../../test/collect/manual-time.ts';
import { silentLogger } from '../../collect/logger.ts';
import { HistoryFollower } from '../../history/history-follower.ts';
import { RollUps } from '../../history/roll-ups.ts';
import { type HistoryStore, stored } from '../../history/store.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import { CorrectionWatch } from './correction-watch.ts';

it('hours that another process rolled up again: read from roll-ups again', async () => {
  const time = new ManualTime();
  const day = 24 * HOUR_MS;
  const hour = Math.floor(time.now / HOUR_MS) * HOUR_MS;
  const correction = ['one', 0, 'binance', 'open_interest', '', 2, 0, time.now - day, time.now - day / 2];
  let isSplit = true;
  const store = {
    select: async ({ sql }: { readonly sql: string }) => {
      if (sql.includes('FROM corrections')) return stored([[...correction, time.now, 'twice']]);
      const at = (hour - day) / 1000;
      if (sql.includes('GROUP BY canonical_id')) return stored(isSplit ? [['crypto:BTC', at, at]] : []);
      return stored([[(hour - HOUR_MS) / 1000, 1]]);
    },
  } as unknown as HistoryStore;
  const { clock, timer } = time;
  const rollUps = new RollUps({ store, clock, timer, logger: silentLogger, oldestWaiting: () => undefined });
  const reading = new CorrectionWatch({
    store,
    clock,
    logger: silentLogger,
    sampleMs: 30 * day,
    onChange: () => {},
    onSplit: (from, to, assets) => rollUps.written(from, to, assets),
  });
  const newest = { find: async () => stored(undefined) };
  const follower = new HistoryFollower({ newest, rollUps, reading, timer, onChange: () => {} });
  expect(await follower.start()).toEqual(stored(undefined));
  await time.advance(MINUTE_MS);
  expect([rollUps.currentTo('crypto:BTC'), rollUps.currentTo('crypto:ETH')]).toEqual([hour - day, hour]);
  isSplit = false;
  await time.advance(MINUTE_MS);
  expect(rollUps.currentTo('crypto:BTC')).toBe(hour);
  await follower.stop();
});
