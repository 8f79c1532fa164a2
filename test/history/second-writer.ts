import { expect, it } from 'vitest';
import { asMs, asRate, type UnixMs } from '../../src/domain/units.ts';
import { sampledTwice } from '../../src/history/history-writer.ts';
import type { Sample } from '../../src/history/sample.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, valueIn } from './load.ts';

const NOW = asMs(Date.UTC(2026, 9, 20, 16));
const minutesAgo = (count: number): UnixMs => asMs(NOW - count * MINUTE_MS);
const sampleAt = (at: UnixMs, symbol: string, origin: Sample['origin'] = 'sampled'): Sample => ({
  canonicalId: `crypto:${symbol}`,
  ticker: symbol,
  venue: 'binance',
  symbol,
  listedAt: asMs(Date.UTC(2025, 0, 1)),
  at,
  origin,
  comparable: true,
  fundingRate: asRate(0.0001),
});
const recorded = (value: Sample, afterMs: number) => ({ value, recordedAt: asMs(value.at + afterMs) });

describeEngines('a history that two processes sample', (engine) => {
  it('both took samples: shown; repeated, back-filled, old: not', async () => {
    const store = await engine.open('second_writer');
    const mine = ['BTC', 'ETH', 'SOL'].map((symbol) => recorded(sampleAt(minutesAgo(2), symbol), 40));
    await loadSamples(store, mine);
    const again = mine.slice(0, 1);
    const late = recorded(sampleAt(minutesAgo(2), 'BTC', 'backfilled'), 90_000);
    const old = [20, 50].map((afterMs) => recorded(sampleAt(minutesAgo(30), 'BTC'), afterMs));
    await loadSamples(store, [...again, late, ...old]);
    expect(valueIn(await sampledTwice(store, NOW))).toBe(0);
    const others = ['BTC', 'ETH'].map((symbol) => recorded(sampleAt(minutesAgo(2), symbol), 55));
    await loadSamples(store, others);
    expect(valueIn(await sampledTwice(store, NOW))).toBe(2);
  });
});
