import { createWorld } from '@perpmeter/sim/create-world';
import type { SimContract } from '@perpmeter/sim/world';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isWire, type Wire } from '../../src/domain/read.ts';
import { asHours, asMs, asRate, type UnixMs } from '../../src/domain/units.ts';
import { HistoryReader } from '../../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import type { Sample, Settlement } from '../../src/history/sample.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { EXAMPLE_VENUES, exampleRow } from '../api/example-market.ts';
import { createFakeMarket } from '../api/fake-market.ts';
import { getRaw, json } from '../api/raw-http.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { close } from './answers-rig.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, loadSettlements } from './load.ts';
import type { Recorded } from './sim-log.ts';

const FROM = asMs(Date.UTC(2026, 9, 20));
const DAYS = 4;
const TO = asMs(FROM + DAYS * DAY_MS);
const NOW = asMs(TO + 30 * MINUTE_MS);
const VENUES = { binance: 8, okx: 4, hyperliquid: 1 } as const;
/** Rates shown differ by so much from those paid, basis points: always, and up and down in turn. */
const BIAS_BPS: Readonly<Record<number, number>> = { 60: 0.3, 10: -0.1, 1: 0.02 };
const SWING_BPS = 0.05;
const IDENTITY = { canonicalId: 'crypto:BTC', ticker: 'BTC', listedAt: asMs(FROM - DAY_MS) };

interface Log {
  readonly samples: readonly Recorded<Sample>[];
  readonly settlements: readonly Recorded<Settlement>[];
}

/** Payments of the simulated world, with rates shown before them whose errors are known. */
function recordedLog(): Log {
  const samples: Recorded<Sample>[] = [];
  const settlements: Recorded<Settlement>[] = [];
  const world = createWorld(3);
  const sample = (
    of: Pick<Sample, 'venue' | 'symbol'>,
    at: number,
    rate: number,
    hours: number,
    late = 0,
  ) => {
    const value: Sample = {
      ...IDENTITY,
      ...of,
      at: asMs(at),
      origin: 'sampled',
      comparable: true,
      fundingRate: asRate(rate),
      fundingIntervalHours: asHours(hours),
    };
    samples.push({ value, recordedAt: asMs(at + 500 + late) });
    return value;
  };
  for (const [venue, hours] of Object.entries(VENUES)) {
    const contract = contractOf(world, venue, hours);
    const of = { venue, symbol: 'BTCUSDT' };
    let count = 0;
    for (let at = world.nextFunding(contract, FROM); at < TO; at = world.nextFunding(contract, at)) {
      count += 1;
      const paid = world.settledRate(contract, at);
      // Payments come some seconds after the full minute.
      const time = asMs(at + (venue === 'okx' ? 7000 : 0));
      const told = { ...IDENTITY, ...of, at: time, origin: 'settled' as const };
      const value = { ...told, rate: asRate(paid), intervalHours: asHours(hours) };
      settlements.push({ value, recordedAt: asMs(at + 20_000) });
      for (const minutes of [60, 10, 1]) {
        const rate = paid + ((BIAS_BPS[minutes] ?? 0) + (count % 2 === 0 ? SWING_BPS : -SWING_BPS)) / 10_000;
        const minute = at - minutes * MINUTE_MS;
        // Neighbours of the minute, and another contract, say something else.
        sample(of, minute + MINUTE_MS, 0.5, hours);
        sample(of, minute - MINUTE_MS, -0.5, hours);
        sample({ venue, symbol: 'BTCUSDC' }, minute, 0.7, hours);
        if (minutes === 10 && count % 5 === 0) {
          // A rate that the venue reports afterwards was not shown.
          const backfilled = { ...told, at: asMs(minute), comparable: true, fundingRate: asRate(0.9) };
          samples.push({ value: { ...backfilled, origin: 'backfilled' }, recordedAt: asMs(at) });
          continue;
        }
        if (minutes === 1) sample(of, minute, 0.3, hours);
        sample(of, minute, rate, minutes === 60 && count % 7 === 0 ? 2 * hours : hours, 100);
      }
    }
  }
  return { samples, settlements };
}

function contractOf(world: ReturnType<typeof createWorld>, venue: string, hours: number): SimContract {
  const found = world
    .contracts({
      venue,
      size: 1,
      quotes: ['USDT'],
      count: 5,
      classes: ['crypto'],
      include: ['BTC'],
      intervalHours: () => hours,
      symbol: (base, quote) => base + quote,
    })
    .find(({ asset }) => asset.ticker === 'BTC');
  if (found === undefined) throw new Error('the world has no BTC');
  return found;
}

const log = recordedLog();

/** The rate that was shown at a minute before a payment, looked for row by row. */
function shownBefore({ venue, at }: Settlement, minutes: number): Sample | undefined {
  const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS - minutes * MINUTE_MS;
  let latest: Recorded<Sample> | undefined;
  for (const row of log.samples) {
    const { value } = row;
    if (value.venue !== venue || value.symbol !== 'BTCUSDT' || value.at !== minute) continue;
    if (value.origin === 'sampled' && row.recordedAt > (latest?.recordedAt ?? 0)) latest = row;
  }
  return latest?.value;
}

/** A payment of an asset of which no rate was sampled. */
const UNSAMPLED: Recorded<Settlement> = {
  value: {
    ...IDENTITY,
    canonicalId: 'crypto:ETH',
    ticker: 'ETH',
    venue: 'binance',
    symbol: 'ETHUSDT',
    at: asMs(FROM + DAY_MS),
    origin: 'settled',
    rate: asRate(0.0001),
    intervalHours: asHours(8),
  },
  recordedAt: asMs(FROM + DAY_MS + 20_000),
};

const wires = (value: unknown): readonly Wire[] => (Array.isArray(value) ? value.filter(isWire) : []);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const iso = (at: UnixMs): string => new Date(at).toISOString();

describeEngines('rates shown before settlements, beside what was paid', (engine) => {
  let example: ExampleApi;
  let base = '';
  const ask = async (query: string): Promise<Wire> => {
    const read = json(await getRaw(base, `/v1/perp/funding-forecast?ticker=BTC${query}`));
    return isWire(read) ? read : {};
  };

  beforeAll(async () => {
    const store = await engine.open('shown_forecasts');
    await loadSamples(store, log.samples);
    await loadSettlements(store, [...log.settlements, UNSAMPLED]);
    const { clock } = new ManualTime(NOW);
    const rows = Object.entries(VENUES).map(([venue, hours]) =>
      exampleRow({ venue, ticker: 'BTC', rate: 0.0001, hours, mark: 100, oi: 1, volume: 1 }),
    );
    const unsampled = { venue: 'binance', ticker: 'ETH', rate: 0.0001, hours: 8 };
    rows.push(exampleRow({ ...unsampled, mark: 100, oi: 1, volume: 1 }));
    const reader = new HistoryReader({
      store,
      clock,
      retention: DEFAULT_RETENTION,
      rolledTo: () => asMs(FROM),
    });
    const market = createFakeMarket(EXAMPLE_VENUES, rows);
    example = createExampleApi({ mode: 'off', clock, history: { reader, version: 1 }, market });
    base = await example.start();
  });
  afterAll(() => example.api.close());

  it('known errors: bias, error and coverage equal a walk over the log', async () => {
    const { venues, venues_count } = await ask('&days=30&latest=168');
    expect(venues_count).toBe(3);
    for (const found of wires(venues)) {
      const own = log.settlements.map(({ value }) => value).filter(({ venue }) => venue === found.venue);
      const hours = Number(own[0]?.intervalHours);
      expect(found.settlements).toBe(own.length);
      for (const row of wires(found.forecasts)) {
        const minutes = Number(row.minutes_before);
        const errors = own.flatMap((payment) => {
          const shown = shownBefore(payment, minutes);
          if (shown?.fundingRate === undefined || shown.fundingIntervalHours !== hours) return [];
          return [(shown.fundingRate - payment.rate) * 10_000];
        });
        expect(errors.length).toBeGreaterThan(5);
        expect(row.compared).toBe(errors.length);
        close(row.coverage_pct, (100 * errors.length) / own.length, 'coverage');
        const bias = sum(errors) / errors.length;
        const error = sum(errors.map(Math.abs)) / errors.length;
        expect(Number(row.mean_error_bps)).toBeCloseTo(bias, 3);
        expect(Number(row.mean_absolute_error_bps)).toBeCloseTo(error, 3);
        expect(Number(row.mean_error_8h_bps)).toBeCloseTo((bias * 8) / hours, 3);
        expect(Number(row.mean_absolute_error_8h_bps)).toBeCloseTo((error * 8) / hours, 3);
        // Answers state basis points to four decimals.
        // The world's own error is in it, but for its swing.
        expect(Math.abs(bias - (BIAS_BPS[minutes] ?? 0))).toBeLessThan(SWING_BPS);
      }
    }
  });

  it('each settlement: what was shown, or the reason for its absence', async () => {
    const { venues } = await ask('&days=30&latest=168&venue=hyperliquid');
    const latest = wires(wires(venues)[0]?.latest);
    const own = log.settlements.map(({ value }) => value).filter(({ venue }) => venue === 'hyperliquid');
    expect(latest.map((row) => row.settled_at)).toEqual(own.toReversed().map(({ at }) => iso(at)));
    const reasons = new Set<unknown>();
    for (const [index, row] of latest.entries()) {
      const payment = own.toReversed()[index];
      if (payment === undefined) continue;
      close(row.paid_rate, payment.rate, 'paid');
      for (const shown of wires(row.shown)) {
        const wanted = shownBefore(payment, Number(shown.minutes_before));
        close(shown.rate, wanted?.fundingRate, 'shown');
        const isOther = wanted !== undefined && wanted.fundingIntervalHours !== 1;
        expect(shown.reason).toBe(wanted === undefined ? 'not_sampled' : isOther ? 'other_interval' : null);
        expect(shown.error_bps === null).toBe(shown.reason !== null);
        reasons.add(shown.reason);
      }
    }
    expect(reasons.size).toBe(3);
  });

  it('a window: counts the settlements within, and none is a 404', async () => {
    const { venues } = await ask('&days=1');
    const since = NOW - DAY_MS;
    const within = log.settlements.filter(({ value }) => value.at >= since && value.venue === 'okx');
    expect(wires(venues).find(({ venue }) => venue === 'okx')?.settlements).toBe(within.length);
    expect(within.length).toBeGreaterThan(4);
    const early = await ask(`&as_of=${iso(asMs(FROM + HOUR_MS / 2))}`);
    expect(early).toMatchObject({ code: 'no_data' });
  });

  it('settlements before which no rate was sampled: a 404', async () => {
    const read = json(await getRaw(base, '/v1/perp/funding-forecast?ticker=ETH'));
    expect(read).toMatchObject({ code: 'no_data', detail: expect.stringContaining('No rate sampled') });
  });
});
