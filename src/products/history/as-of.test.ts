import { describe, expect, it } from 'vitest';
import { stored } from '../../history/store.ts';
import { makeMarket } from '../../market/market-fixture.ts';
import type { Ports } from '../define-product.ts';
import { perpFundingStats } from '../perp-funding-stats.ts';
import { perpSpreadStats } from '../perp-spread-stats.ts';

/** STX is a coin on the one venue and a share on the other. */
const fixture = makeMarket();
fixture.list('binance', [{ base: 'STX', assetClass: 'crypto' }]);
fixture.list('hyperliquid-para', [{ base: 'STX', assetClass: 'equity' }]);

/** The asset whose rows of a moment are read. */
async function assetRead(product: typeof perpFundingStats, asked: Readonly<Record<string, string>>) {
  const read: unknown[] = [];
  const reader = {
    historicalRows: async ({ canonicalId }: { readonly canonicalId: string | undefined }) => {
      read.push(canonicalId);
      return stored([]);
    },
    takerFees: async () => stored([]),
  };
  const ports = { market: fixture.market.view, clock: { now: fixture.now }, history: { reader } };
  const as_of = new Date(fixture.now() - 60_000).toISOString();
  const plan = product.plan({ ticker: 'STX', days: 30, ...asked, as_of }, ports as unknown as Ports);
  if (plan.ok) await plan.value.produce();
  return read;
}

describe('an answer as of a moment reads the rows', () => {
  it.each(['hyperliquid-para', 'Hyperliquid-PARA '])(
    'of the asset that %j lists by the name',
    async (venue) => {
      expect(await assetRead(perpFundingStats, { venue })).toEqual(['equity:STX']);
    },
  );

  it('of the asset that the venue of the short leg lists by the name', async () => {
    const pair = { short: 'Hyperliquid-PARA', long: 'hyperliquid-para' };
    expect(await assetRead(perpSpreadStats, pair)).toEqual(['equity:STX']);
  });
});
