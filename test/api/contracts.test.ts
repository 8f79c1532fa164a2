import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iso } from '../../src/domain/clock.ts';
import { asMs } from '../../src/domain/units.ts';
import { makeMarket } from '../../src/market/market-fixture.ts';
import { createExampleApi, type ExampleApi } from './example-api.ts';
import { createExampleHistory } from './example-history.ts';
import { getRaw, json } from './raw-http.ts';

/** DOGE in two quotes on one venue: the one in USDT is traded more, so its history is kept. */
const source = makeMarket();
source.list('binance', [
  { base: 'DOGE', symbol: 'DOGEUSDT' },
  { base: 'DOGE', symbol: 'DOGEUSDC', quote: 'USDC', settle: 'USDC' },
]);
source.quote(
  'binance',
  { symbol: 'DOGEUSDT', mark: 0.2, rate: 0.0001, interval: 8, interestBase: 5e6, volumeUsd: 9e8 },
  { symbol: 'DOGEUSDC', mark: 0.2001, rate: 0.0002, interval: 8, interestBase: 1e6, volumeUsd: 1e7 },
);
source.market.sweep();
const clock = { now: source.now };

let example: ExampleApi;
let base = '';
beforeAll(async () => {
  const { view } = source.market;
  const history = createExampleHistory(() => view.rows(), clock);
  example = createExampleApi({ mode: 'off', market: view, history, clock });
  base = await example.start();
});
afterAll(() => example.api.close());

const from = iso(asMs(source.now() - 24 * 3_600_000));
const HISTORIES = [
  '/v1/perp/oi-history?venue=binance',
  '/v1/perp/volume-history?venue=binance',
  '/v1/perp/oi-delta?venue=binance',
  `/v1/backtest/data?venue=binance&from=${from}&to=${iso(source.now())}`,
];

describe('history requested by contract symbol', () => {
  it.each(HISTORIES)('%s answers for the contract that is kept', async (path) => {
    for (const name of ['DOGE', 'DOGEUSDT', 'dogeusdt', 'DOGE/USDT:USDT']) {
      const { status } = await getRaw(base, `${path}&ticker=${encodeURIComponent(name)}`);
      expect(status, name).toBe(200);
    }
  });

  it.each(HISTORIES)('%s refuses another one and names the one that is kept', async (path) => {
    const response = await getRaw(base, `${path}&ticker=DOGEUSDC`);
    expect(response.status).toBe(404);
    expect(json(response)).toMatchObject({
      code: 'no_data',
      detail: expect.stringMatching(/DOGEUSDT.*nothing is kept of DOGEUSDC.*ticker=DOGEUSDT/),
    });
  });
});
