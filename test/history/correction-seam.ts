import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { isWire, readNumber, type Wire } from '../../src/domain/read.ts';
import { asBase, asMs, asPrice, asUsd } from '../../src/domain/units.ts';
import { History } from '../../src/history/history.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import type { Sample } from '../../src/history/sample.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import {
  readCorrections,
  recordCorrections,
  recordDeclared,
} from '../../src/modules/corrections/correction-log.ts';
import { openCorrectedReading } from '../../src/modules/corrections/correction-watch.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { EXAMPLE_VENUES, exampleRow } from '../api/example-market.ts';
import { createFakeMarket } from '../api/fake-market.ts';
import { getRaw, json } from '../api/raw-http.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { until } from '../until.ts';
import { correctedRig } from './corrected-rig.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, valueIn } from './load.ts';

const FROM = Date.UTC(2026, 10, 10);
/** The corrected build first runs in the middle of an hour. */
const SEAM = FROM + 60 * HOUR_MS + 30 * MINUTE_MS;
const NOW = FROM + 120 * HOUR_MS + 5 * MINUTE_MS;
const BASE = 500;
const USD = 1e6;
const MARK = 50;

/** Factors of the earlier build's stored values. Hibachi: dollars taken for base units. */
const OLD = {
  'hyperliquid-xyz': { interest: 2, volume: 1 },
  pacifica: { interest: 2, volume: 2 },
  hibachi: { interest: 1, volume: MARK },
  binance: { interest: 1, volume: 1 },
} as const;
type Venue = keyof typeof OLD;
const VENUES: readonly Venue[] = ['hyperliquid-xyz', 'pacifica', 'hibachi', 'binance'];

function sampleAt(venue: Venue, at: number): Sample {
  const { interest, volume } = at < SEAM ? OLD[venue] : { interest: 1, volume: 1 };
  // Every quarter of an hour has a volume of its own, and every hour the same.
  const swing =
    1 + 0.1 * Math.floor((at % HOUR_MS) / (15 * MINUTE_MS)) + 0.01 * (Math.floor(at / HOUR_MS) % 3);
  return {
    canonicalId: 'crypto:BTC',
    ticker: 'BTC',
    venue,
    symbol: 'BTCUSDT',
    listedAt: asMs(FROM),
    at: asMs(at),
    origin: 'sampled',
    comparable: true,
    markPrice: asPrice(MARK),
    openInterestBase: asBase(BASE * interest),
    openInterestUsd: asUsd(BASE * interest * MARK),
    volume24hUsd: asUsd(USD * volume * swing),
  };
}

const samplesIn = (from: number, to: number) =>
  VENUES.flatMap((venue) =>
    Array.from({ length: (to - from) / (15 * MINUTE_MS) }, (_, i) => from + i * 15 * MINUTE_MS).map((at) => ({
      value: sampleAt(venue, at),
      recordedAt: asMs(at + 300),
    })),
  );

const rows = VENUES.map((venue) =>
  exampleRow({ venue, ticker: 'BTC', rate: 1e-4, hours: 8, mark: MARK, oi: BASE, volume: USD * 1.15 }),
);
const venues = VENUES.flatMap((id, i) =>
  EXAMPLE_VENUES.slice(0, 1).map((adapter) => ({
    ...adapter,
    sourceId: 40 + i,
    info: { ...adapter.info, id, displayName: id, sourceId: 40 + i },
  })),
);
const wires = (value: unknown): readonly Wire[] => (Array.isArray(value) ? value.filter(isWire) : []);

describeEngines('a build that corrects what an earlier one stored', (engine) => {
  const time = new ManualTime(SEAM - 1);
  let store: HistoryStore;
  let example: ExampleApi;
  let base = '';
  const earlier = new Map<string, string>();

  const ask = (path: string, query: Readonly<Record<string, string>>) =>
    getRaw(base, `/v1/perp/${path}?${new URLSearchParams({ ticker: 'BTC', ...query })}`);
  const body = async (path: string, query: Readonly<Record<string, string>>): Promise<Wire> => {
    const read = json(await ask(path, query));
    return isWire(read) ? read : {};
  };
  const valuesOf = async (path: string, venue: Venue, aggr: string): Promise<readonly number[]> =>
    wires((await body(path, { venue, aggr, from: new Date(FROM).toISOString() })).buckets).map(
      ({ value }) => readNumber(value) ?? Number.NaN,
    );
  const asOfBefore = {
    from: new Date(FROM).toISOString(),
    to: new Date(FROM + 60 * HOUR_MS).toISOString(),
    as_of: new Date(SEAM - 1).toISOString(),
  };

  beforeAll(async () => {
    store = await engine.open('seam');
    const { rollUps, watch, reader } = correctedRig(store, time);
    const market = createFakeMarket(venues, rows);
    let version = 1;
    const history = {
      reader,
      get version() {
        return version;
      },
    };
    example = createExampleApi({ mode: 'off', market, clock: time.clock, history });
    base = await example.start();
    await loadSamples(store, samplesIn(FROM, SEAM));
    valueIn(await rollUps.refresh());
    await rollUps.work();
    for (const path of ['oi-history', 'volume-history']) {
      for (const venue of VENUES) {
        const { status, body } = await ask(path, { venue, ...asOfBefore });
        expect(status).toBe(200);
        earlier.set(`${path} ${venue}`, body.toString());
      }
    }

    time.jump(1);
    valueIn(await recordDeclared(store, time.clock.now()));
    valueIn(await watch.refresh());
    await loadSamples(store, samplesIn(SEAM, FROM + 120 * HOUR_MS));
    time.jump(NOW - time.now);
    await rollUps.work();
    version = 2;
  });
  afterAll(() => example.api.close());

  it.each(VENUES)('%s: open interest is continuous across a correction', async (venue) => {
    for (const [aggr, buckets] of [
      ['1h', 120],
      ['4h', 30],
      ['1d', 5],
    ] as const) {
      const values = await valuesOf('oi-history', venue, aggr);
      expect(values).toHaveLength(buckets);
      expect(new Set(values)).toEqual(new Set([BASE]));
    }
    for (const hours of ['1', '60', '100']) {
      expect(await body('oi-delta', { venue, lookback_hours: hours })).toMatchObject({
        past_oi: BASE,
        delta_pct: 0,
        past_oi_usd: BASE * MARK,
      });
    }
  });

  it.each(['hyperliquid-xyz', 'pacifica', 'binance'] as const)(
    '%s: volume is continuous across a correction',
    async (venue) => {
      const values = await valuesOf('volume-history', venue, '1h');
      expect(values).toHaveLength(120);
      for (const value of values) expect(Math.abs(value / (1.16 * USD) - 1)).toBeLessThan(0.02);
    },
  );

  it('no baseline uses a volume counted twice or in another unit', async () => {
    const list = wires((await body('volume-anomalies', { min_z: '0' })).anomalies);
    expect(list.map(({ venue }) => venue).sort()).toEqual([...VENUES].sort());
    for (const { baseline_median_usd: median, samples, venue } of list) {
      expect(Math.abs(Number(median) / (1.16 * USD) - 1)).toBeLessThan(0.02);
      // Of hibachi the hours since the seam count, and the hour that has both sides by what it has since.
      expect(samples).toBe(venue === 'hibachi' ? 60 : 120);
    }
  });

  it('a withdrawn value is left out, and the answer says why', async () => {
    const buckets = await body('volume-history', { venue: 'hibachi', from: new Date(FROM).toISOString() });
    expect(wires(buckets.buckets)).toHaveLength(60);
    expect(wires(buckets.buckets)[0]).toMatchObject({
      bucket_start: new Date(SEAM - 30 * MINUTE_MS).toISOString(),
      samples: 2,
    });
    expect(buckets.corrections).toEqual([
      {
        factor: null,
        recorded_before: new Date(SEAM).toISOString(),
        known_at: new Date(SEAM).toISOString(),
        reason: expect.stringContaining('base units'),
      },
    ]);
    const { as_of: _, ...window } = asOfBefore;
    const none = await ask('volume-history', { venue: 'hibachi', ...window });
    expect(none.status).toBe(404);
    expect(none.body.toString()).toContain('withdrawn: an amount in US dollars was taken for base units');
    expect(await body('volume-history', { venue: 'binance' })).not.toHaveProperty('corrections');
  });

  it('answers as of a time before the correction are byte for byte unchanged', async () => {
    for (const [name, text] of earlier) {
      const [path = '', venue = ''] = name.split(' ');
      expect((await ask(path, { venue, ...asOfBefore })).body.toString()).toBe(text);
    }
    expect(earlier.get('oi-history pacifica')).toContain(`"value":${2 * BASE}`);
  });

  it('declared corrections: recorded at start, later ones of operators too', async () => {
    const kept = await engine.open('seam_service');
    await loadSamples(kept, samplesIn(FROM, FROM + 2 * HOUR_MS));
    const own = new ManualTime(SEAM);
    const history = new History({
      store: kept,
      clock: own.clock,
      timer: own.timer,
      logger: silentLogger,
      retention: DEFAULT_RETENTION,
      reading: openCorrectedReading,
      rows: () => [],
      health: { of: () => undefined, all: () => [] },
      recordsOf: () => [],
    });
    const scope = {
      canonicalId: 'crypto:BTC',
      venues: ['pacifica'],
      from: asMs(FROM),
      to: asMs(FROM + HOUR_MS),
    };
    const interest = async () =>
      valueIn(await history.reader.buckets(scope, { measures: ['interest'] }, HOUR_MS)).map(
        ({ means }) => means.interest?.mean,
      );
    expect(await interest()).toEqual([2 * BASE]);
    valueIn(await history.start());
    expect(await interest()).toEqual([BASE]);

    const noted = { id: 'more', revision: 1, venue: 'pac*', metric: 'open_interest', factor: 3 } as const;
    const when = { from: asMs(0), before: asMs(SEAM), knownAt: asMs(SEAM + 30_000), reason: 'a third' };
    valueIn(await recordCorrections(kept, [{ ...noted, ...when }]));
    expect(await interest()).toEqual([BASE]);
    const version = history.version;
    await own.advance(60_000);
    await until(async () => expect(await interest()).toEqual([3 * BASE]));
    await until(() => expect(history.version).toBeGreaterThan(version));
    await history.stop();
  });

  it('each declared correction: once, without effect when empty', async () => {
    const before = valueIn(await readCorrections(store));
    valueIn(await recordDeclared(store, asMs(NOW)));
    expect(valueIn(await readCorrections(store))).toEqual(before);
    expect(before.every((correction) => correction.before === SEAM && correction.knownAt === SEAM)).toBe(
      true,
    );
    const empty = await engine.open('seam_empty');
    valueIn(await recordDeclared(empty, asMs(NOW)));
    const none = valueIn(await readCorrections(empty));
    expect(none).toHaveLength(before.length);
    expect(none.every((correction) => correction.before === 0)).toBe(true);
  });
});
