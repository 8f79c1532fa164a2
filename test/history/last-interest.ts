import { beforeAll, expect, it } from 'vitest';
import type { StatedInterest } from '../../src/domain/series.ts';
import { asBase, asMs, asPrice, asUsd, type UnixMs } from '../../src/domain/units.ts';
import { LastInterest } from '../../src/history/last-interest.ts';
import type { Sample } from '../../src/history/sample.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { readingsOf } from '../../src/modules/corrections/corrected-reading.ts';
import type { Correction } from '../../src/modules/corrections/correction.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, valueIn } from './load.ts';

/** The newest sample. */
const NEWEST = asMs(Date.UTC(2026, 9, 20, 16));
const ago = (minutes: number): UnixMs => asMs(NEWEST - minutes * MINUTE_MS);

const sampled = (venue: string, minutes: number, more: Partial<Sample>): Sample => ({
  canonicalId: 'crypto:BTC',
  ticker: 'BTC',
  venue,
  symbol: 'BTCUSDT',
  listedAt: ago(9999),
  at: ago(minutes),
  origin: 'sampled',
  comparable: true,
  markPrice: asPrice(100),
  ...more,
});

describeEngines('the open interest that a start remembers', (engine) => {
  let store: HistoryStore;
  beforeAll(async () => {
    store = await engine.open('last_interest');
    const samples = [
      sampled('binance', 2, { openInterestUsd: asUsd(900), openInterestBase: asBase(9) }),
      sampled('binance', 1, { openInterestUsd: asUsd(950), openInterestBase: asBase(9) }),
      // The newest states none.
      sampled('binance', 0, {}),
      sampled('bybit', 59, { openInterestBase: asBase(3) }),
      sampled('okx', 61, { openInterestUsd: asUsd(800) }),
      sampled('gate', 5, { openInterestUsd: asUsd(1), origin: 'backfilled' }),
      sampled('binance', 1, { canonicalId: 'crypto:MATIC', ticker: 'MATIC', openInterestUsd: asUsd(7) }),
      // A contract that went on under the new name, and one that a venue has beside that of the new name.
      sampled('gate', 9, { canonicalId: 'crypto:MATIC', ticker: 'MATIC', openInterestUsd: asUsd(20) }),
      sampled('gate', 1, { canonicalId: 'crypto:POL', ticker: 'POL', openInterestUsd: asUsd(21) }),
      sampled('okx', 1, { canonicalId: 'crypto:MATIC', ticker: 'MATIC', openInterestUsd: asUsd(30) }),
      sampled('okx', 1, { canonicalId: 'crypto:POL', ticker: 'POL', openInterestUsd: asUsd(31) }),
    ];
    await loadSamples(
      store,
      samples.map((value) => ({ value, recordedAt: asMs(value.at + 1) })),
    );
    const again = sampled('bybit', 59, { openInterestBase: asBase(4) });
    await loadSamples(store, [{ value: again, recordedAt: ago(50) }]);
  });

  async function readAt(
    now: UnixMs,
    corrections: readonly Correction[] = [],
    newest: () => UnixMs | undefined = () => NEWEST,
  ): Promise<readonly StatedInterest[]> {
    const parts = { store, clock: { now: () => now }, newest, readings: () => readingsOf(corrections) };
    return valueIn(await new LastInterest(parts).read());
  }

  it('the last of each venue in the hour before the newest sample', async () => {
    const read = await readAt(asMs(NEWEST + 3 * HOUR_MS));
    expect(read.filter(({ canonicalId }) => canonicalId === 'crypto:BTC')).toEqual([
      { canonicalId: 'crypto:BTC', venue: 'binance', at: ago(1), usd: 950 },
      { canonicalId: 'crypto:BTC', venue: 'bybit', at: ago(59), usd: 400 },
    ]);
  });

  it('stands under the present name of an asset that was renamed', async () => {
    const read = await readAt(NEWEST);
    expect(read.filter(({ usd }) => usd === 7)).toMatchObject([{ canonicalId: 'crypto:POL' }]);
  });

  it('of both names of an asset, counts what a venue had to the end', async () => {
    const read = (await readAt(NEWEST)).filter(({ canonicalId }) => canonicalId === 'crypto:POL');
    const sumOf = (venue: string) =>
      read.filter((stated) => stated.venue === venue).reduce((sum, { usd }) => sum + usd, 0);
    expect([sumOf('gate'), sumOf('okx'), sumOf('binance')]).toEqual([21, 61, 7]);
  });

  it('is corrected where it was stored wrong', async () => {
    const terms = {
      id: 'tenth',
      venue: 'bybit',
      metric: 'open_interest',
      factor: 0.1,
      reason: 'test',
    } as const;
    const correction = { ...terms, revision: 1, from: asMs(0), before: NEWEST, knownAt: NEWEST };
    const read = await readAt(NEWEST, [correction]);
    expect(read.find(({ venue }) => venue === 'bybit')?.usd).toBeCloseTo(40, 9);
  });

  it('is nothing where the newest sample is over a day old, or there is none', async () => {
    expect(await readAt(asMs(NEWEST + DAY_MS))).not.toEqual([]);
    expect(await readAt(asMs(NEWEST + DAY_MS + 1))).toEqual([]);
    expect(await readAt(NEWEST, [], () => undefined)).toEqual([]);
  });
});
