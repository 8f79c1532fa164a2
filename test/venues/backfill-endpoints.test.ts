import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import type { SimContract } from '@perpmeter/sim/world';
import { describe, expect, it } from 'vitest';
import type { Decoded } from '../../src/domain/decoded.ts';
import { asMs } from '../../src/domain/units.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import type { BackfillEndpoint } from '../../src/venues/backfill-endpoint.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { type Pairing, pairingsOf, renderRequest, runAdapter } from './sim-run.ts';

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const FROM = asMs(AT - 3 * DAY_MS - 20 * 60_000);
const world = createWorld(1);

const cases = pairingsOf(VENUES, SIM_VENUES, world, AT).flatMap((pairing) =>
  (pairing.adapter.backfill ?? []).map((endpoint) => ({
    venue: pairing.adapter.id,
    kind: endpoint.kind,
    pairing,
    endpoint,
  })),
);
const runs = new Map<string, ReturnType<typeof runAdapter>>();

function contractOf({ sim }: Pairing): SimContract {
  const live = world.contracts(sim.listing).filter((c) => c.kind === 'perp' && c.status === 'live');
  // The coin whose units are odd, else whatever is traded most.
  const found = live.find((c) => c.asset.ticker === 'PEPE') ?? live[0];
  if (found === undefined) throw new Error(`${sim.id} lists nothing`);
  return found;
}

function ask(pairing: Pairing, endpoint: BackfillEndpoint, contract: SimContract, page = 1): Decoded {
  const { adapter } = pairing;
  const run = runs.get(adapter.id) ?? runAdapter(pairing, world, AT);
  runs.set(adapter.id, run);
  const instrument = run.instruments.get(contract.symbol);
  if (instrument === undefined) throw new Error(`${adapter.id} does not list ${contract.symbol}`);
  const request = endpoint.request(instrument, FROM, asMs(AT), page);
  const answer = renderRequest(pairing, world, request, AT);
  expect(answer?.status, request.path).toBe(200);
  if (answer === undefined) throw new Error(`nothing answers ${request.path}`);
  return endpoint.call.decode(JSON.parse(answer.body), {
    instruments: run.instruments,
    request,
    receivedAt: asMs(AT),
  });
}

describe.each(cases)('$venue history endpoint: $kind', ({ pairing, endpoint, kind }) => {
  it('returns the simulated history', () => {
    const contract = contractOf(pairing);
    const { funding, history, rejects } = ask(pairing, endpoint, contract);
    // Where the running interval stands among the settled ones, it is left out.
    expect(rejects.filter(({ reason }) => reason !== 'placeholder')).toEqual([]);
    const inside = <Point extends { readonly time: number }>(points: readonly Point[]): readonly Point[] =>
      points.filter(({ time }) => time >= FROM && time < AT);
    if (kind === 'funding') {
      const step = endpoint.stepMs ?? contract.intervalHours * HOUR_MS;
      expect(inside(funding).length).toBeGreaterThanOrEqual(Math.floor((3 * DAY_MS) / step));
      for (const { time, rate } of inside(funding)) {
        expect(rate).toBeCloseTo(world.settledRate(contract, time), 7);
      }
      return;
    }
    const points = inside(history);
    // The last three days by the hour; the hour that runs is a part of one.
    expect(points.filter(({ time }) => time <= AT - HOUR_MS).length).toBeGreaterThanOrEqual(71);
    for (const point of points) {
      const { time } = point;
      if (kind === 'mark') expect((point.markPrice ?? 0) / world.mark(contract, time)).toBeCloseTo(1, 4);
      if (kind === 'interest') {
        expect((point.openInterestBase ?? 0) / world.openInterest(contract, time)).toBeCloseTo(1, 2);
      }
      if (kind === 'volume' && time <= AT - HOUR_MS) {
        const traded = world.volumeBetween(contract, time, time + HOUR_MS);
        expect((point.hourUsd ?? 0) / (traded * world.mark(contract, time + HOUR_MS / 2))).toBeCloseTo(1, 3);
      }
    }
  });
});

const paged = cases.filter(({ endpoint }) => endpoint.pages !== undefined);

describe.each(paged)('$venue numbered pages', (example) => {
  it('are full and follow each other without a gap, newest first', () => {
    const contract = contractOf(example.pairing);
    const pages = [1, 2].map((page) => ask(example.pairing, example.endpoint, contract, page));
    // The running interval may stand on the first.
    for (const { funding, rejects } of pages)
      expect(funding.length + rejects.length).toBe(example.endpoint.points);
    const paid = pages.flatMap(({ funding }) => funding);
    const stepMs = contract.intervalHours * HOUR_MS;
    const last = Math.floor(AT / stepMs) * stepMs;
    const expected = paid.map((_, i) => last - i * stepMs);
    expect(paid.map(({ time }) => time)).toEqual(expected);
  });
});

describe('venues with history endpoints', () => {
  it('include most of the large ones', () => {
    const of = (kind: BackfillEndpoint['kind']) =>
      cases.filter((example) => example.kind === kind).map(({ venue }) => venue);
    expect(of('funding').length).toBeGreaterThan(12);
    expect(of('mark')).toEqual(expect.arrayContaining(['binance', 'bybit', 'okx', 'gate', 'htx']));
    expect(of('interest')).toEqual(expect.arrayContaining(['binance', 'bybit', 'okx', 'gate', 'htx']));
    expect(of('volume')).toEqual(expect.arrayContaining(['binance', 'bybit', 'okx']));
  });
});
