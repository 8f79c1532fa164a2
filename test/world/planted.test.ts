import { settlementsBefore } from '@perpmeter/sim/history';
import { describe, expect, it } from 'vitest';
import { previewSignal } from '../../src/products/preview-funding-signal.ts';
import { createWorldMarket, WORLD_AT } from './world-market.ts';

const { market, world, pairings } = createWorldMarket();
const WEEK_HOURS = 168;

describe('the simulated world', () => {
  it('a few pairs clear their fees at once, the widest in preview', () => {
    const { signal } = previewSignal(market.view).body;
    expect(signal).toMatchObject({ net_of_fees_positive: true });
    expect(['WIF', 'FARTCOIN', 'TRUMP']).toContain(signal?.ticker);
  });

  it('an asset whose funding changes sign everywhere in a week', () => {
    const contracts = pairings
      .flatMap(({ sim }) => world.contracts(sim.listing))
      .filter(({ asset, kind, status }) => asset.id === 'crypto:ENA' && kind === 'perp' && status === 'live');
    expect(contracts.length).toBeGreaterThan(10);
    for (const contract of contracts) {
      const count = WEEK_HOURS / contract.intervalHours;
      const rates = settlementsBefore(world, contract, WORLD_AT, count).map(({ rate }) => rate);
      expect(Math.min(...rates), contract.symbol).toBeLessThan(0);
      expect(Math.max(...rates), contract.symbol).toBeGreaterThan(0);
    }
  });
});
