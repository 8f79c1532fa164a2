import { beforeAll, expect, it } from 'vitest';
import { asBps, asMs, asPrice, asUsd } from '../../src/domain/units.ts';
import type { Sample, SampledDepth, ShownRow } from '../../src/history/sample.ts';
import { SAMPLE_COLUMNS } from '../../src/history/sample-rows.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, valueIn } from './load.ts';

const AT = asMs(Date.UTC(2026, 10, 20, 12));

const sampleOf = (symbol: string, depth: SampledDepth, shown: Partial<ShownRow> = {}): Sample => ({
  canonicalId: 'crypto:BTC',
  ticker: 'BTC',
  venue: 'binance',
  symbol,
  listedAt: AT,
  at: AT,
  origin: 'sampled',
  comparable: true,
  markPrice: asPrice(100),
  depth,
  shown: { updatedAt: AT, rateFresh: true, quote: 'USDT', multiplier: 1, ...shown },
});

const COLUMNS = ['bid_depth_usd', 'ask_depth_usd', 'slippage_1k_bps', 'rate_lag_ms', 'mark_price'];

describeEngines('a value that its column has no room for', (engine) => {
  let store: HistoryStore;
  beforeAll(async () => {
    store = await engine.open('absurd_values');
  });

  it('is no value, or the largest time; others are stored', async () => {
    const samples = [
      sampleOf('A', { bidDepthUsd: asUsd(1e30), askDepthUsd: asUsd(1e18) }),
      sampleOf('B', { bidDepthUsd: asUsd(2e17), slippage1kBps: asBps(-1e9) }),
      sampleOf('C', { bidDepthUsd: asUsd(5e6) }, { fundingUpdatedAt: asMs(0) }),
      sampleOf('D', { askDepthUsd: asUsd(1e17), slippage1kBps: asBps(2.5) }, { fundingUpdatedAt: AT }),
    ];
    await loadSamples(
      store,
      samples.map((value) => ({ value, recordedAt: AT })),
    );
    const sql = `SELECT ${COLUMNS.join(', ')} FROM samples ORDER BY symbol`;
    expect(valueIn(await store.select({ sql, params: {} }))).toEqual([
      [null, null, null, null, 100],
      [null, null, null, null, 100],
      [5e6, null, null, 2 ** 31 - 1, 100],
      [null, 1e17, 2.5, 0, 100],
    ]);
  });

  it('is refused by the store and not tried again', async () => {
    const seconds = String(AT / 1000);
    const given: Readonly<Record<string, string>> = {
      listed_at: seconds,
      ts: seconds,
      recorded_at: seconds,
      origin: 'sampled',
    };
    const insert = (depth: string) => {
      const cells = SAMPLE_COLUMNS.map((name) => (name === 'bid_depth_usd' ? depth : (given[name] ?? '0')));
      return store.insert({ table: 'samples', columns: SAMPLE_COLUMNS, lines: [cells.join('\t')] });
    };
    expect(await insert('1000')).toMatchObject({ ok: true });
    for (const depth of ['1000000000000000000000', '9999999999999999999', '1e+21']) {
      const fault = { kind: 'refused', message: expect.stringContaining('ARGUMENT_OUT_OF_BOUND') };
      expect(await insert(depth), depth).toMatchObject({ ok: false, fault });
    }
  });
});
