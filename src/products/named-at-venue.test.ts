import { describe, expect, it } from 'vitest';
import type { Baseline } from '../domain/series.ts';
import { asMs } from '../domain/units.ts';
import { stored } from '../history/store.ts';
import { makeMarket } from '../market/market-fixture.ts';
import type { Ports, Product } from './define-product.ts';
import { perpOracleFamilies } from './perp-oracle-families.ts';
import { perpVolumeAnomalies } from './perp-volume-anomalies.ts';

/** STX is a coin on the one venue and a share on the other; each also has names of its own. */
const fixture = makeMarket();
fixture.list('binance', ['BTC', { base: 'STX', assetClass: 'crypto' }, { base: 'BTC', symbol: 'BTCUSDC' }]);
fixture.list('hyperliquid-para', ['STX'], {
  index: { family: 'pyth', description: 'Pyth feeds', evidence: 'documented' },
});
fixture.quote('binance', { symbol: 'BTCUSDT', mark: 100, volumeUsd: 900 });
fixture.quote('binance', { symbol: 'BTCUSDC', mark: 100, volumeUsd: 500 });
fixture.quote('binance', { symbol: 'STXUSDT', mark: 0.3, volumeUsd: 500 });
fixture.quote('hyperliquid-para', { symbol: 'STXUSDT', mark: 900, volumeUsd: 500 });
fixture.market.sweep();

const usual = ({ venue, symbol, canonicalId }: Pick<Baseline, 'venue' | 'symbol' | 'canonicalId'>) => ({
  venue,
  symbol,
  canonicalId,
  listedAt: asMs(0),
  hours: 168,
  median: 100,
  mad: 10,
});
const list = fixture.market.view.rows().map(usual);
const reader = { baselines: async () => stored({ list, from: asMs(0), to: fixture.now() }) };
const history = { reader };
const ports = { market: fixture.market.view, clock: { now: fixture.now }, history } as unknown as Ports;

async function answerOf(product: Product, asked: Readonly<Record<string, unknown>>) {
  const plan = product.plan(asked, ports);
  const made = plan.ok ? await plan.value.produce() : plan;
  return made.ok ? made.value : made.error;
}

describe('unusual volumes of a name on a venue', () => {
  const anomalies = (ticker: string, venue?: string) =>
    answerOf(perpVolumeAnomalies, { min_z: 3, limit: 10, ticker, ...(venue !== undefined && { venue }) });
  const of = (...ids: readonly string[]) => ({
    content: { json: { anomalies: ids.map((canonical_id) => ({ canonical_id })) } },
  });

  it('are of the asset that the venue lists by it', async () => {
    expect(await anomalies('STX')).toMatchObject({ code: 'ambiguous_ticker' });
    expect(await anomalies('STX', 'Binance')).toMatchObject(of('crypto:STX'));
    expect(await anomalies('STX', 'hyperliquid-para')).toMatchObject(of('equity:STX'));
  });

  it('are of the contract where it is a symbol of the venue', async () => {
    expect(await anomalies('BTCUSDT', 'binance')).toMatchObject(of('crypto:BTC'));
    expect(await anomalies('BTCUSDC', 'binance')).toMatchObject({
      code: 'no_data',
      detail: expect.stringContaining('the most traded contract is kept'),
    });
  });

  it('are a 404 where the venue does not list it', async () => {
    expect(await anomalies('BTC', 'hyperliquid-para')).toMatchObject({ code: 'not_listed' });
  });
});

describe('oracle families of a name on a venue', () => {
  const families = (asked: Readonly<Record<string, unknown>>) => answerOf(perpOracleFamilies, asked);
  const pyth = { content: { json: { families: [{ family: 'pyth' }] } } };

  it('are of the venue, whatever the name means elsewhere', async () => {
    expect(await families({ ticker: 'STX' })).toMatchObject({ code: 'ambiguous_ticker' });
    expect(await families({ ticker: 'STX', venue: 'hyperliquid-para' })).toMatchObject(pyth);
    expect(await families({ ticker: 'STXUSDT', venue: 'hyperliquid-para' })).toMatchObject(pyth);
  });

  it('are a 404 where the venue does not list it', async () => {
    expect(await families({ ticker: 'BTC', venue: 'hyperliquid-para' })).toMatchObject({
      code: 'not_listed',
    });
  });
});
