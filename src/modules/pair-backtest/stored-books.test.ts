import { afterAll, beforeAll, expect, it } from 'vitest';
import { createExampleApi, type ExampleApi } from '../../../test/api/example-api.ts';
import { getRaw, json } from '../../../test/api/raw-http.ts';

const PAIR =
  '/v1/backtest/pair?ticker=BTC&short=binance&long=bybit&from=2026-11-19T00:00:00Z&to=2026-11-20T00:00:00Z';

let example: ExampleApi;
let base = '';
beforeAll(async () => {
  example = createExampleApi({ mode: 'off' });
  base = await example.start();
});
afterAll(() => example.api.close());

const ask = async (path: string): Promise<unknown> => json(await getRaw(base, path));

it('a size beyond the stored books: a 400 that names what helps', async () => {
  expect(await ask(`${PAIR}&size_usd=50000`)).toMatchObject({
    code: 'invalid_parameter',
    errors: [{ parameter: 'size_usd', message: expect.stringContaining('assumed_slippage_bps') }],
  });
  const assumed = await ask(`${PAIR}&size_usd=50000&assumed_slippage_bps=2`);
  expect(assumed).not.toHaveProperty('code');
});
