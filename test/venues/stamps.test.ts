import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import type { Decoded } from '../../src/domain/decoded.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { PublishedStamps } from '../../src/domain/stamp.ts';
import { asMs } from '../../src/domain/units.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import type { VenueRequest } from '../../src/venues/adapter.ts';
import type { VenueCall } from '../../src/venues/call.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { secondWaysOf } from '../../src/venues/second-way.ts';
import { type Pairing, pairingsOf, renderRequest, runAdapter } from './sim-run.ts';

/** Twenty minutes into an hour: the interval that runs is no payment anywhere. */
const AT = asMs(Date.UTC(2026, 9, 20, 13, 20));
const world = createWorld(1);
const pairings = pairingsOf(VENUES, SIM_VENUES, world, AT);

interface Asked {
  readonly call: VenueCall;
  readonly request: VenueRequest;
}

/** Every request for the past of a contract that the adapter makes. */
function asksOf({ adapter }: Pairing, instrument: Instrument): readonly Asked[] {
  const from = asMs(AT - 48 * HOUR_MS);
  const backfill = (adapter.backfill ?? []).map((endpoint) => ({
    call: endpoint.call,
    request: endpoint.request(instrument, from, AT),
  }));
  const second = secondWaysOf(adapter)
    .filter(({ beside }) => beside === undefined)
    .map((way) => ({ call: way.call, request: way.request(instrument, AT) }));
  return [...backfill, ...second];
}

function kindsOf({ funding, history }: Decoded): readonly (keyof PublishedStamps)[] {
  return [
    ...(funding.length > 0 ? (['funding'] as const) : []),
    ...history.flatMap((point): (keyof PublishedStamps)[] => {
      if (point.hourUsd !== undefined) return ['volume'];
      if (point.openInterestBase !== undefined || point.openInterestUsd !== undefined)
        return ['openInterest'];
      return ['price'];
    }),
  ];
}

describe.each(pairings)('$adapter.id', (pairing) => {
  const { adapter, sim } = pairing;
  const { instruments } = runAdapter(pairing, world, AT);
  const contract = world
    .contracts(sim.listing)
    .find(({ symbol, status, kind }) => status === 'live' && kind === 'perp' && instruments.has(symbol));
  const instrument = instruments.get(contract?.symbol ?? '');
  if (contract === undefined || instrument === undefined) throw new Error(`${adapter.id} lists nothing`);

  const answers = asksOf(pairing, instrument).flatMap(({ call, request }) => {
    const answer = renderRequest(pairing, world, request, AT);
    if (answer?.status !== 200) return [];
    return [call.decode(JSON.parse(answer.body), { instruments, request, receivedAt: AT })];
  });

  it('the stamps of every kind of past rows that it states are declared', () => {
    const kinds = new Set(answers.flatMap(kindsOf));
    expect([...kinds].filter((kind) => adapter.stamps?.[kind] === undefined)).toEqual([]);
  });

  it('every payment was made, at its time and with the rate of its interval', () => {
    const paid = answers.flatMap(({ funding }) => funding).filter(({ observed }) => observed === undefined);
    for (const { symbol, time, rate } of paid) {
      if (symbol !== contract.symbol) continue;
      expect(time).toBeLessThanOrEqual(AT);
      expect(rate).toBeCloseTo(world.settledRate(contract, time), 6);
    }
  });
});
