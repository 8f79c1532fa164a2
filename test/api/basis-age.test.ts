import { afterEach, describe, expect, it } from 'vitest';
import { asPrice } from '../../src/domain/units.ts';
import { SPOT_MIDS, type SpotMidsBeside } from '../../src/products/rows/spot-mid.ts';
import { fill, readPorts } from '../../src/runtime/port.ts';
import { createExampleApi } from './example-api.ts';
import { exampleRows } from './example-market.ts';
import { getRaw, json } from './raw-http.ts';

interface Items {
  readonly items: readonly { readonly mark_price: number; readonly spot_mid?: number | null }[];
}

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

/** Begins a service that answers basis with these middles of spot; answers of one table are not kept for longer. */
async function serve(beside: SpotMidsBeside | undefined) {
  const readPort = readPorts(...(beside === undefined ? [] : [fill(SPOT_MIDS, beside)]));
  const { api, start, market, clock } = createExampleApi({ mode: 'off', readPort, coalesceMs: 0 });
  close = () => api.close();
  const base = await start();
  const first = async () => (json(await getRaw(base, '/v1/perp/basis?ticker=BTC')) as Items).items[0];
  return { market, clock, first };
}

/** Every row has this middle of spot beside it. */
const middle =
  (mid: () => number): SpotMidsBeside =>
  (rows) =>
    rows.map(() => ({
      fields: {
        spot_venue: 'binance',
        spot_symbol: 'BTCUSDT',
        spot_quote: 'USDT',
        spot_relation: 'same',
        spot_mid: mid(),
        spot_basis_bps: null,
        spot_updated_at: null,
        spot_reason: 'rate_unknown',
      },
      at: undefined,
    }));

describe('the age of a basis', () => {
  it.each([
    ['without spot', undefined],
    ['beside spot', middle(() => 100)],
  ])('%s, a row changes within the second: it is in the next answer', async (_, beside) => {
    const { market, first } = await serve(beside);
    const before = (await first())?.mark_price ?? 0;
    market.replace(exampleRows().map((row) => ({ ...row, markPrice: asPrice(before + 1) })));
    expect((await first())?.mark_price).toBe(before + 1);
  });

  it('spot alone changes: its middle is in the answer a second later', async () => {
    let mid = 100;
    const { clock, first } = await serve(middle(() => mid));
    expect((await first())?.spot_mid).toBe(100);
    mid = 101;
    clock.advance(1000);
    expect((await first())?.spot_mid).toBe(101);
  });
});
