import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import { asMs } from '../../src/domain/units.ts';
import { makeRow } from '../../src/market/row-fixture.ts';
import { compareReadings } from '../../src/modules/second-reader/readings/compare-readings.ts';
import { COMPARED_FIELDS } from '../../src/modules/second-reader/readings/field-rules.ts';
import { secondReadings } from '../../src/modules/second-reader/readings/second-readings.ts';
import { shownReadings } from '../../src/modules/second-reader/readings/shown-readings.ts';
import { joined } from '../../src/modules/second-reader/venue-reading.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import type { VenueRequest } from '../../src/venues/adapter.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { type SecondWay, secondWaysOf } from '../../src/venues/second-way.ts';
import { type Pairing, pairingsOf, type Run, renderRequest, runAdapter } from './sim-run.ts';

const AT = asMs(Date.UTC(2026, 9, 20, 13, 20));
const world = createWorld(1);
const pairings = pairingsOf(VENUES, SIM_VENUES, world, AT).filter(
  ({ adapter }) => adapter.parent === undefined,
);

function rowOf(run: Run, { symbol, fundingIntervalHours: listed }: Instrument) {
  const quote = run.quotes.get(symbol) ?? { symbol };
  const mark = quote.markPrice ?? Number.NaN;
  const base = (known?: number, usd?: number) => known ?? (usd === undefined ? undefined : usd / mark);
  return {
    ...makeRow({ venue: 'any', symbol }),
    fundingRate: quote.fundingRate,
    fundingIntervalHours: quote.fundingIntervalHours ?? listed,
    nextFundingTime: quote.nextFundingTime,
    markPrice: quote.markPrice,
    indexPrice: quote.indexPrice,
    openInterestBase: base(quote.openInterestBase, quote.openInterestUsd),
    volume24hBase: base(quote.volume24hBase, quote.volume24hUsd),
    updatedAt: AT,
    fundingUpdatedAt: AT,
    openInterestUpdatedAt: AT,
    volumeUpdatedAt: AT,
  } as ReturnType<typeof makeRow>;
}

function answersTo(pairing: Pairing, requests: readonly VenueRequest[]): readonly unknown[] {
  return requests.map((request) => {
    const answer = renderRequest(pairing, world, request, AT);
    expect(answer?.status, request.path).toBe(200);
    return JSON.parse(answer?.body ?? '');
  });
}

/** One way's answer about a contract. */
function asked(pairing: Pairing, run: Run, way: SecondWay, instrument: Instrument) {
  const request = way.request(instrument, AT);
  const payload = answersTo(pairing, [request, ...(way.beside ? [way.beside] : [])]).reduce(joined);
  return way.call.decode(payload, { instruments: run.instruments, request, receivedAt: AT });
}

/** The same beside what the adapter polls and streams of the contract. */
function compare(pairing: Pairing, run: Run, way: SecondWay, instrument: Instrument) {
  const decoded = asked(pairing, run, way, instrument);
  const row = rowOf(run, instrument);
  const shown = shownReadings(row);
  const { symbol } = instrument;
  const contract = { symbol, markPrice: row.markPrice, intervalHours: row.fundingIntervalHours };
  const second = secondReadings(decoded, { ...contract, nextFundingTime: row.nextFundingTime }, AT);
  return COMPARED_FIELDS.flatMap((field) => {
    const one = shown[field];
    const other = second[field];
    return one === undefined || other === undefined ? [] : (compareReadings(field, one, other) ?? []);
  });
}

describe.each(pairings)('second ways of $adapter.id', (pairing) => {
  const { adapter } = pairing;

  it('each have a field of the row, and agree with it', () => {
    const ways = secondWaysOf(adapter);
    if (ways.length === 0) return;
    const run = runAdapter(pairing, world, AT);
    const all = [...run.instruments.values()];
    // The coin whose units are odd beside what is traded most.
    const chosen = [...all.slice(0, 1), ...all.filter(({ ticker }) => ticker === 'PEPE').slice(0, 1)];
    for (const way of ways) {
      const found = chosen.flatMap((instrument) => compare(pairing, run, way, instrument));
      expect(found.length, way.call.name).toBeGreaterThanOrEqual(chosen.length);
      expect(
        found.filter(({ agrees }) => !agrees),
        way.call.name,
      ).toEqual([]);
    }
  });

  it('payments: all since the last look, half a day if needed', () => {
    const run = runAdapter(pairing, world, AT);
    const [instrument] = run.instruments.values();
    if (instrument === undefined) throw new Error('no contract');
    const since = AT - 12 * HOUR_MS;
    for (const way of secondWaysOf(adapter).filter(({ isBulk }) => !isBulk)) {
      const payments = asked(pairing, run, way, instrument).funding.filter(({ observed }) => !observed);
      if (payments.length === 0) continue;
      const times = payments.map(({ time }) => time).sort((a, b) => b - a);
      const stepMs = (times[0] ?? Number.NaN) - (times[1] ?? Number.NaN);
      const recent = times.filter((time) => time > since);
      expect(recent.length, way.call.name).toBeGreaterThanOrEqual(Math.floor((12 * HOUR_MS) / stepMs));
    }
  });

  it('are asked as the venue names them, if its back-fill has them', () => {
    const { second, backfill = [] } = adapter;
    for (const { call } of backfill) {
      const named = second?.ways.filter((way) => way.call === call) ?? [];
      if (named.length === 0) continue;
      expect(secondWaysOf(adapter).filter((way) => way.call === call)).toEqual(named);
    }
  });

  it('serve no row, and what is missing is said', () => {
    expect(adapter.second?.missing).toMatch(/^[A-Z].*\.$/);
    const { polls, streams = [] } = adapter;
    const serving = new Set([...polls, ...streams].map(({ call }) => call));
    expect(secondWaysOf(adapter).filter(({ call }) => serving.has(call))).toEqual([]);
    if (secondWaysOf(adapter).length === 0) expect(adapter.second?.missing).toMatch(/^All fields/);
  });
});
