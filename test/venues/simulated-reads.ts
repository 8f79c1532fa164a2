import { createWorld } from '@perpmeter/sim/create-world';
import type { SimVenue } from '@perpmeter/sim/venue';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import type { SimContract } from '@perpmeter/sim/world';
import { expect } from 'vitest';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { callRef, callsOf, type DecodeContext, type VenueRequest } from '../../src/venues/adapter.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { namedCall } from './named-call.ts';
import { pairingsOf, renderRequest, runAdapter } from './sim-run.ts';

export const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
export const world = createWorld(1);

/** The simulated venue. */
export function sim(id: string): SimVenue {
  const found = SIM_VENUES.find((sim) => sim.id === id);
  if (found === undefined) throw new Error(`no simulated ${id}`);
  return found;
}

/** The adapter, also of a sub-venue, with its simulated counterpart. */
export function paired(id: string) {
  const adapter = adapterOf(id);
  const parent = adapter?.parent === undefined ? adapter : adapterOf(adapter.parent);
  const all = pairingsOf(parent === undefined ? [] : [parent], SIM_VENUES, world, AT);
  const pairing = all.find((pairing) => pairing.adapter.id === id);
  if (pairing === undefined) throw new Error(`no pairing ${id}`);
  return pairing;
}

const contexts = new Map<string, DecodeContext['instruments']>();

/** The contracts that the adapter lists at its simulated counterpart. */
export function contextFor(id: string): DecodeContext['instruments'] {
  const known = contexts.get(id) ?? runAdapter(paired(id), world, AT).instruments;
  contexts.set(id, known);
  return known;
}

/** Answer of the simulated venue through the decoder that the call's name finds. */
export function read(id: string, path: string, question?: object) {
  const body = question === undefined ? {} : { body: JSON.stringify(question) };
  const request: VenueRequest = { method: question === undefined ? 'GET' : 'POST', path, ...body };
  const pairing = paired(id);
  const answer = renderRequest(pairing, world, request, AT);
  const ref = callRef(path, request.method, request.body);
  const call = namedCall(callsOf(pairing.adapter), ref);
  if (answer === undefined || call === undefined) throw new Error(`no ${path} at ${id}`);
  return call.decode(JSON.parse(answer.body), { instruments: contextFor(id), request });
}

/** The contract of the world that a symbol names. */
export function contract(id: string, symbol: string): SimContract {
  const found = world.contracts(sim(id).listing).find((contract) => contract.symbol === symbol);
  if (found === undefined) throw new Error(`${id} does not list ${symbol}`);
  return found;
}

/** Prices within a tick, sizes within a lot of the world's book. */
export function expectBook(id: string, symbol: string, path: string, question?: object): void {
  const [book] = read(id, path, question).books;
  const listed = contract(id, symbol);
  const expected = world.book(listed, AT, 10);
  expect(book).toMatchObject({ symbol, kind: 'snapshot' });
  for (const side of ['bids', 'asks'] as const) {
    expect(book?.[side].length).toBeGreaterThanOrEqual(10);
    for (const [i, [price, size]] of expected[side].entries()) {
      expect(book?.[side][i]?.[0]).toBeCloseTo(price, 10);
      expect(Number(book?.[side][i]?.[1]) / size).toBeCloseTo(1, 4);
    }
  }
}

/** The last full hours, oldest first. */
export const hours = (n: number) =>
  Array.from({ length: n }, (_, i) => Math.floor(AT / HOUR_MS - i) * HOUR_MS).reverse();

/** One rate charged in each of the last 24 hours. */
export function expectSettled(id: string, symbol: string, path: string, question?: object): void {
  const { funding, rejects } = read(id, path, question);
  const listed = contract(id, symbol);
  const points = [...funding].sort((a, b) => a.time - b.time);
  expect(rejects).toEqual([]);
  expect(points.map((p) => p.time)).toEqual(hours(24));
  for (const { time, rate, intervalHours } of points) {
    expect(rate).toBeCloseTo(world.settledRate(listed, time), 7);
    expect(intervalHours).toBe(1);
  }
}

/** The simulated venue's answer, as it is. */
export function ask(id: string, method: string, path: string, body = '') {
  const [target = '', search = ''] = path.split('?');
  const query = new URLSearchParams(search);
  return sim(id).rest({ method, path: target, query, body, now: AT }, world);
}

/** A refusal is an error body to every decoder of the venue. */
export function expectRefusal(id: string, path: string, status: number): void {
  const answer = ask(id, 'GET', path);
  expect(answer?.status).toBe(status);
  for (const call of callsOf(paired(id).adapter)) {
    const { rejects } = call.decode(JSON.parse(answer?.body ?? ''), { instruments: new Map() });
    expect(rejects, call.name).toMatchObject([{ reason: 'error_body' }]);
  }
}
