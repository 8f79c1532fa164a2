import { expect } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import type { Outcome } from '../../src/collect/transport-failure.ts';
import type { Answer } from '../../src/collect/venue-caller.ts';
import { emptyDecoded } from '../../src/domain/decoded.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { asHours, asMs, asPrice, asRate } from '../../src/domain/units.ts';
import type { HistoryRows } from '../../src/history/history-rows.ts';
import { makeRow } from '../../src/market/row-fixture.ts';
import { Backfill, type BackfillOptions } from '../../src/modules/backfill/backfill.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import type { VenueAdapter, VenueRequest } from '../../src/venues/adapter.ts';
import type { BackfillEndpoint } from '../../src/venues/backfill-endpoint.ts';
import type { VenueCall } from '../../src/venues/call.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { memoryProgress } from './memory-progress.ts';

export const NOW = asMs(Date.UTC(2026, 10, 20, 12, 30));

export const instrument = (symbol: string): Instrument => ({
  venue: 'toy',
  symbol,
  base: symbol,
  ticker: symbol,
  multiplier: 1,
  contractSize: 1,
  quote: 'USDT',
  settle: 'USDT',
  fundingIntervalHours: asHours(8),
});

const get = (path: string): BackfillEndpoint['request'] => {
  return ({ symbol }, from, to) => ({
    method: 'GET',
    path: `${path}?s=${symbol}&from=${from}&to=${to}`,
    symbol,
  });
};

const funding: VenueCall = {
  name: 'funding',
  decode: (_payload, { request }) => {
    const out = emptyDecoded();
    const [from, to] = spanOf(request);
    for (let time = Math.ceil(from / (8 * HOUR_MS)) * 8 * HOUR_MS; time < to; time += 8 * HOUR_MS) {
      out.funding.push({ symbol: request?.symbol ?? '', time: asMs(time), rate: asRate(0.0001) });
    }
    return out;
  },
};

const mark: VenueCall = {
  name: 'mark',
  decode: (_payload, { request }) => {
    const out = emptyDecoded();
    const [from, to] = spanOf(request);
    for (let time = Math.ceil(from / HOUR_MS) * HOUR_MS; time < to; time += HOUR_MS) {
      out.history.push({ symbol: request?.symbol ?? '', time: asMs(time), markPrice: asPrice(100) });
    }
    return out;
  },
};

/**
 * A venue that reports payments every 8 hours and marks every hour, two days an answer. Its answers have room for payments
 * every 4 hours.
 */
const backfill: readonly BackfillEndpoint[] = [
  { kind: 'funding', call: funding, points: 12, stepMs: 4 * HOUR_MS, request: get('/funding') },
  { kind: 'mark', call: mark, points: 48, stepMs: HOUR_MS, request: get('/mark') },
];

const spanOf = (request?: VenueRequest): readonly [from: number, to: number] => {
  const query = new URLSearchParams(request?.path.split('?')[1]);
  return [Number(query.get('from')), Number(query.get('to'))];
};

export const toy = {
  id: 'toy',
  polls: [],
  budget: { id: 'toy', pools: [{ name: 'default', limit: 1000, perMs: 1000 }] },
  backfill,
} satisfies Partial<VenueAdapter> as unknown as VenueAdapter;

/** A back-fill of three contracts of that venue, at a time of its own; BTC is a major. */
export function rig(over: Partial<BackfillOptions> = {}) {
  const asked: string[] = [];
  const taken: HistoryRows[] = [];
  const time = new ManualTime(NOW);
  const symbols = ['BTC', 'AAA', 'BBB'];
  const rows = symbols.map((symbol, i) =>
    makeRow({
      venue: 'toy',
      symbol,
      ticker: symbol,
      canonicalId: `crypto:${symbol}`,
      volumeUsd: 1e6 * (i + 1),
    }),
  );
  const answer = async (request: VenueRequest): Promise<Outcome<Answer>> => {
    asked.push(request.path);
    return { ok: true, value: { payload: {}, receivedAt: NOW } };
  };
  const backfill = new Backfill({
    venues: () => [toy],
    instruments: () => new Map(symbols.map((symbol) => [symbol, instrument(symbol)])),
    rows: () => rows,
    contractAt: (venue, symbol) => ({
      canonicalId: `crypto:${symbol}`,
      ticker: symbol,
      venue,
      symbol,
      listedAt: asMs(0),
    }),
    send: (_venue, request) => answer(request),
    take: (values) => {
      taken.push(values);
      return Promise.resolve(true);
    },
    progress: memoryProgress(),
    clock: time.clock,
    timer: time.timer,
    logger: silentLogger,
    days: 4,
    contractsPerVenue: 3,
    priorityAssets: ['crypto:BTC'],
    ...over,
  });
  return { backfill, asked, taken, time, answer };
}

/** Lets time pass, from timer to timer, until something holds. */
export async function until(time: ManualTime, holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 5000 && !holds(); turn++) {
    await new Promise((next) => setImmediate(next));
    const { nextAt } = time;
    if (nextAt !== undefined && !holds()) await time.advance(nextAt - time.now);
  }
  expect(holds()).toBe(true);
}
