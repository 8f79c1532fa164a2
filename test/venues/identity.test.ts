import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import { asPrice } from '../../src/domain/units.ts';
import { decideIdentity } from '../../src/market/decide-identity.ts';
import { createRegistry } from '../../src/market/registry/lookup.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { truthOf } from '../truth/contract-truth.ts';
import { pairingsOf, runAdapter } from './sim-run.ts';

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const world = createWorld(1);
const registry = createRegistry();

describe.each(pairingsOf(VENUES, SIM_VENUES, world, AT))(
  'identity at $adapter.id',
  ({ adapter, sim, served }) => {
    it('is found for every live contract, collisions of tickers included', () => {
      const { instruments } = runAdapter({ adapter, sim, served }, world, AT);
      const wrong = truthOf(world, sim.listing, AT).flatMap((truth) => {
        const instrument = instruments.get(truth.symbol);
        if (!truth.live || instrument === undefined) return [];
        const decision = decideIdentity(registry, instrument, asPrice(truth.mark));
        const id = decision === 'needs_price' ? decision : decision.canonicalId;
        return id === truth.canonicalId ? [] : [`${truth.symbol}: ${id} instead of ${truth.canonicalId}`];
      });
      expect(wrong).toEqual([]);
    });
  },
);
