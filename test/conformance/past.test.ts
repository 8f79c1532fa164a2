import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWire, type Wire, wireArray } from '../../src/domain/read.ts';
import { asMs } from '../../src/domain/units.ts';
import { stored } from '../../src/history/store.ts';
import { createExampleApi, type ExampleApi, manualClock } from '../api/example-api.ts';
import { createExampleHistory } from '../api/example-history.ts';
import { EXAMPLE_NOW, exampleRows } from '../api/example-market.ts';
import { getRaw, json } from '../api/raw-http.ts';

/** Statements of the interface about windows and the past, row by row. */

let example: ExampleApi;
let base = '';
beforeAll(async () => {
  example = createExampleApi({ mode: 'off' });
  base = await example.start();
});
afterAll(() => example.api.close());

async function ask(path: string): Promise<Wire> {
  const body = json(await getRaw(base, path));
  return isWire(body) ? body : {};
}

const NOW = new Date(EXAMPLE_NOW).toISOString();

describe('windows', () => {
  it.each([
    ['/v1/funding/historical?ticker=BTC', 'window_end'],
    ['/v1/funding/historical?ticker=BTC&aggr=1d', 'window_end'],
    ['/v1/perp/oi-history?ticker=BTC&venue=binance', 'window_end'],
    ['/v1/perp/volume-history?ticker=BTC&venue=binance&aggr=4h', 'window_end'],
    ['/v1/backtest/data?ticker=BTC&venue=binance&from=2026-11-20T00:00:00Z&to=2030-01-01T00:00:00Z', 'to_ts'],
  ])('%s: %s is now', async (path, field) => {
    expect((await ask(path))[field]).toBe(NOW);
  });
});

describe('answers that can have no value', () => {
  it('funding statistics without a payment: a 404 with the reason', async () => {
    const history = createExampleHistory(exampleRows, manualClock());
    const reader = {
      ...history.reader,
      fundingPayments: async () => stored([]),
      knownRange: async () => stored(undefined),
    };
    const unpaid = createExampleApi({ mode: 'off', history: { ...history, reader } });
    const address = await unpaid.start();
    for (const query of ['ticker=BTC', 'ticker=BTC&venue=binance']) {
      const response = await getRaw(address, `/v1/perp/funding-stats?${query}`);
      expect(response.status).toBe(404);
      expect(json(response)).toMatchObject({ code: 'no_data', detail: expect.stringContaining('payment') });
    }
    await unpaid.api.close();
  });
});

describe('a window of which nothing is stored', () => {
  it('it goes on: the refusal names no end that is still to come', async () => {
    const clock = manualClock();
    const history = createExampleHistory(exampleRows, clock);
    const reader = {
      ...history.reader,
      buckets: async () => stored([]),
      settled: async () => stored([]),
      knownRange: async () => stored(undefined),
    };
    const empty = createExampleApi({ mode: 'off', history: { ...history, reader }, clock });
    const address = await empty.start();
    for (const path of [
      'funding/historical?ticker=BTC',
      'funding/historical?ticker=BTC&venue=binance&basis=sampled',
      'perp/oi-history?ticker=BTC&venue=binance',
      'perp/funding-flips?ticker=BTC',
    ]) {
      const body = json(await getRaw(address, `/v1/${path}`));
      const detail = (isWire(body) && typeof body.detail === 'string' && body.detail) || '';
      const end = / to (\S+Z);/.exec(detail)?.[1] ?? `none in: ${detail}`;
      expect([path, end]).toEqual([path, new Date(clock.now()).toISOString()]);
    }
    await empty.api.close();
  });
});

describe('packaged series', () => {
  it('payments alone stored: funding_rate is that of its bucket', async () => {
    const history = createExampleHistory(exampleRows, manualClock());
    const reader = { ...history.reader, buckets: async () => stored([]) };
    const settled = createExampleApi({ mode: 'off', history: { ...history, reader } });
    const address = await settled.start();
    const window = 'from=2026-11-19T00:00:00Z&to=2026-11-20T00:00:00Z';
    const body = json(await getRaw(address, `/v1/backtest/data?ticker=BTC&venue=binance&${window}`));
    const rows = ((isWire(body) ? wireArray(body.data) : undefined) ?? []).filter(isWire);
    expect(rows.map(({ ts }) => ts)).toEqual(
      [0, 8, 16].map((hour) => new Date(asMs(Date.UTC(2026, 10, 19, hour))).toISOString()),
    );
    for (const row of rows) {
      expect(row).toMatchObject({ funding_samples: 1, funding_source: 'settled' });
      expect(row.funding_rate).toBe(row.settled_funding_rate);
    }
    await settled.api.close();
  });
});
