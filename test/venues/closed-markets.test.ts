import { createWorld } from '@perpmeter/sim/create-world';
import { isClosed } from '@perpmeter/sim/market-hours';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import { VENUES } from '../../src/venues/registry.ts';
import { pairingsOf, runAdapter } from './sim-run.ts';

const TUESDAY = Date.UTC(2026, 9, 20, 13, 5, 0);
const SATURDAY = Date.UTC(2026, 9, 24, 13, 5, 0);
const world = createWorld(1);
/** Venues that state the hours of their markets. */
const STATING = ['edgex', 'extended'];

function rowsAt(id: string, at: number) {
  const pairing = pairingsOf(VENUES, SIM_VENUES, world, at).find(({ adapter }) => adapter.id === id);
  if (pairing === undefined) throw new Error(`${id} is not simulated`);
  const assets = new Map(world.contracts(pairing.sim.listing).map(({ symbol, asset }) => [symbol, asset]));
  const { quotes, rejects } = runAdapter(pairing, world, at);
  return {
    rejects,
    rows: [...quotes.values()].flatMap((quote) => {
      const asset = assets.get(quote.symbol);
      return asset === undefined ? [] : [{ ...quote, isClosed: isClosed(asset, at) }];
    }),
  };
}

describe.each(STATING)('hours of markets at %s', (id) => {
  it('at the weekend: shares, commodities, currencies are closed', () => {
    const { rows } = rowsAt(id, SATURDAY);
    const closed = rows.filter((row) => row.isClosed);
    expect(closed.length).toBeGreaterThan(3);
    for (const row of closed) {
      expect(row).toMatchObject({ marketOpen: false, markPrice: expect.any(Number) });
      expect([row.bestBid, row.bestAsk]).toEqual([undefined, undefined]);
    }
  });

  it.each([TUESDAY, SATURDAY])('coins are open on every day: %d', (at) => {
    const coins = rowsAt(id, at).rows.filter((row) => !row.isClosed);
    expect(coins.length).toBeGreaterThan(10);
    expect(new Set(coins.map(({ marketOpen }) => marketOpen))).toEqual(new Set([true]));
  });
});
