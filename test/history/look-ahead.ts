import { beforeAll, expect, it } from 'vitest';
import type { SeriesBucket } from '../../src/domain/series.ts';
import { asHours, asMs, asPrice, asRate, type UnixMs } from '../../src/domain/units.ts';
import type { HistoryReader } from '../../src/history/reader.ts';
import type { Sample } from '../../src/history/sample.ts';
import { recordDeclared } from '../../src/modules/corrections/correction-log.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { correctedRig } from './corrected-rig.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, valueIn } from './load.ts';

const T0 = asMs(Date.UTC(2026, 10, 20));
/** Rolled up and sampled hours are read alike. */
const FROM = T0;
const TO = asMs(T0 + 12 * HOUR_MS);
const UPGRADE = asMs(TO + 10 * HOUR_MS);
const NOW = asMs(UPGRADE + HOUR_MS);

const contract = { canonicalId: 'crypto:BTC', ticker: 'BTC', venue: 'binance', symbol: 'BTCUSDT' };
const told = (venue: string, hour: number, rate: number | undefined): Sample => ({
  ...contract,
  venue,
  listedAt: asMs(T0 - 24 * HOUR_MS),
  at: asMs(T0 + hour * HOUR_MS),
  origin: 'backfilled',
  comparable: true,
  markPrice: asPrice(100),
  fundingIntervalHours: asHours(8),
  fundingRate: rate === undefined ? undefined : asRate(rate),
});

describeEngines('a past that was dated early by an earlier build', (engine) => {
  let reader: HistoryReader;
  const buckets = async (asOf?: UnixMs): Promise<readonly SeriesBucket[]> => {
    const scope = { canonicalId: contract.canonicalId, from: FROM, to: TO, asOf };
    return valueIn(await reader.buckets(scope, { measures: ['rate', 'mark'], lastRate: true }, HOUR_MS));
  };

  beforeAll(async () => {
    const store = await engine.open('look_ahead');
    const hours = Array.from({ length: 12 }, (_, hour) => hour);
    const early = hours.map((hour) => told('binance', hour, 0.0001));
    await loadSamples(
      store,
      early.map((value) => ({ value, recordedAt: TO })),
    );
    const time = new ManualTime(UPGRADE);
    valueIn(await recordDeclared(store, time.clock.now()));
    // A rate that was in force at its moment, told to the build that knows the difference.
    await loadSamples(store, [{ value: told('paradex', 3, 0.0002), recordedAt: asMs(UPGRADE + 1) }]);
    await time.advance(NOW - UPGRADE);
    const rig = correctedRig(store, time);
    valueIn(await rig.rollUps.refresh());
    valueIn(await rig.watch.refresh());
    await rig.rollUps.work();
    reader = rig.reader;
  });

  it('has no rate in the hours before its payment; its marks remain', async () => {
    const binance = (await buckets()).filter(({ venue }) => venue === 'binance');
    expect(binance).toHaveLength(12);
    for (const { means, lastRate } of binance) {
      expect(means.rate).toBeUndefined();
      expect(lastRate).toBeUndefined();
      expect(means.mark?.mean).toBe(100);
    }
  });

  it('keeps later rows of the rate in force at a moment', async () => {
    const paradex = (await buckets()).filter(({ venue }) => venue === 'paradex');
    expect(paradex.map(({ lastRate }) => lastRate)).toEqual([0.0002]);
  });

  it('is unchanged as of a moment before the correction', async () => {
    const then = await buckets(asMs(UPGRADE - 1));
    expect(then.map(({ means }) => means.rate?.mean)).toEqual(Array(12).fill(0.0001));
  });
});
