import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIXTURE_NOW, type RowSketch } from '../market/row-fixture.ts';
import { expectPublic, made, makeAsset, rowSketches } from './asset-fixture.ts';
import { snapshot } from './perp-snapshot.ts';
import { vwSpread } from './perp-vw-spread.ts';

const sources = { now: FIXTURE_NOW };

describe('snapshot', () => {
  test('adds up what is known and weighs by what it says', () => {
    const asset = makeAsset([
      { rate: 0.0001, interval: 8, mark: 100, index: 99, interestBase: 10, volumeUsd: 300 },
      { rate: 0.0002, interval: 4, mark: 102, interestBase: 30, volumeUsd: 100 },
      { rate: 0.0009, interval: undefined, mark: 101, interestBase: undefined, volumeUsd: undefined },
    ]);
    const result = snapshot(asset, sources);
    if (!result.ok) throw new Error(result.error.detail);
    const { body } = result.value;
    expect(body).toMatchObject({ venues_count: 3, total_open_interest_usd: 4060, total_volume_24h_usd: 400 });
    expect(body.oi_weighted_rate_8h).toBeCloseTo((0.0001 * 1000 + 0.0004 * 3060) / 4060, 12);
    expect(body.volume_weighted_mark_price).toBeCloseTo(100.5, 9);
    expect(body.venues[0]?.basis_bps).toBeCloseTo(101.0101, 3);
    expect(body.venues[0]?.spread_bps).toBeCloseTo(0.2, 6);
    expect(body.venues[2]).toMatchObject({ rate_8h: null, open_interest: null, volume_24h: null });
  });

  test('the order book outranks the touch of the ticker', () => {
    const book = () => ({ bestBid: 99, bestAsk: 101, slippage10kBps: 12 });
    const result = snapshot(makeAsset([{}]), { ...sources, book });
    expect(result).toMatchObject({
      value: { body: { venues: [{ best_bid: 99, best_ask: 101, spread_bps: 200, slippage_10k_bps: 12 }] } },
    });
  });

  test('any rows: a total is the sum of what its venues show', () => {
    fc.assert(
      fc.property(rowSketches, (sketches) => {
        const { body } = made(snapshot(makeAsset(sketches), { now: FIXTURE_NOW }));
        const sum = (of: (venue: (typeof body.venues)[number]) => number | null): number | null => {
          const known = body.venues.flatMap((venue) => of(venue) ?? []);
          return known.length === 0 ? null : known.reduce((all, part) => all + part, 0);
        };
        expect(body.total_open_interest_usd).toBe(sum((venue) => venue.total_open_interest_usd));
        expect(body.total_volume_24h_usd).toBe(sum((venue) => venue.total_volume_24h_usd));
        expect(body.contracts_count).toBe(sum((venue) => venue.contracts_count));
        const stating = body.venues.filter((venue) => venue.total_open_interest_usd !== null);
        expect(body.open_interest_venues_count).toBe(stating.length);
      }),
    );
  });

  test.each([
    [{ v3: 1 }, 200],
    [{ v3: 200 }, 200],
    [{ v3: 201 }, null],
  ])('venues that are away held %o: total %s', (away, total) => {
    const rows: RowSketch[] = [
      { mark: 1, interestBase: 150 },
      { mark: 1, interestBase: 50 },
    ];
    const asset = makeAsset(rows, { v1: {}, v2: {}, v3: {} });
    const stated = new Map([...asset.statedInterest(), ...Object.entries(away)]);
    const { body } = made(snapshot({ ...asset, statedInterest: () => stated }, { now: FIXTURE_NOW }));
    expect(body).toMatchObject({
      total_open_interest_usd: total,
      open_interest_venues_count: 2,
      open_interest_venues_missing: ['v3'],
    });
    expect(body.total_volume_24h_usd === null).toBe(total === null);
  });

  test('totals of nothing known are null; means stay within their parts', () => {
    fc.assert(
      fc.property(rowSketches, (sketches) => {
        const result = snapshot(makeAsset(sketches), sources);
        if (!result.ok) throw new Error(result.error.detail);
        const { body } = result.value;
        expect(body.total_volume_24h_usd === null).toBe(sketches.every((it) => it.volumeUsd === undefined));
        if (body.volume_weighted_mark_price !== null) {
          expect(body.volume_weighted_mark_price).toBeGreaterThanOrEqual(98.999);
          expect(body.volume_weighted_mark_price).toBeLessThanOrEqual(101.001);
        }
        expectPublic(body);
      }),
    );
  });
});

describe('the time of an answer', () => {
  const ages = { rate: 0.0001, age: 1000, fundingAge: 40_000, interestAge: 90_000 };
  const asOfOf = (answer: ReturnType<typeof snapshot> | ReturnType<typeof vwSpread>) =>
    answer.ok ? answer.value.asOf : answer.error;

  test('is that of the oldest value that a snapshot dates', () => {
    expect(asOfOf(snapshot(makeAsset([ages, {}]), sources))).toBe(FIXTURE_NOW - 90_000);
    const known = { ...ages, interestBase: undefined };
    expect(asOfOf(snapshot(makeAsset([known, {}]), sources))).toBe(FIXTURE_NOW - 40_000);
  });

  test('is the older of rate and mark; for a late rate that of the mark', () => {
    expect(asOfOf(vwSpread(makeAsset([ages, {}])))).toBe(FIXTURE_NOW - 40_000);
    expect(asOfOf(vwSpread(makeAsset([{ ...ages, rateFresh: false }, {}])))).toBe(FIXTURE_NOW - 1000);
  });
});

describe('volume-weighted spread', () => {
  test('holds each venue against the weighted market', () => {
    const asset = makeAsset([
      { rate: 0.0004, interval: 8, mark: 102, volumeUsd: 100 },
      { rate: 0.0, interval: 8, mark: 100, volumeUsd: 300 },
      { volumeUsd: 0 },
    ]);
    const result = vwSpread(asset);
    if (!result.ok) throw new Error(result.error.detail);
    const { body } = result.value;
    expect(body.vw_rate_8h).toBeCloseTo(0.0001, 12);
    expect(body.vw_mark_price).toBeCloseTo(100.5, 9);
    expect(body.venues.map((it) => it.weight)).toEqual([0.25, 0.75]);
    expect(body.venues[0]?.deviation_rate_8h_bps).toBeCloseTo(3, 9);
    expect(body.venues[1]?.deviation_price_bps).toBeCloseTo(-49.7512, 3);
    expect([body.max_deviation_venue, body.min_deviation_venue]).toEqual(['v1', 'v2']);
  });

  test('one trading venue is 404', () => {
    expect(vwSpread(makeAsset([{}, { volumeUsd: 0 }]))).toMatchObject({ error: { code: 'single_venue' } });
  });

  test('weights add up to one and weighted deviations to nothing', () => {
    fc.assert(
      fc.property(rowSketches, (sketches) => {
        const result = vwSpread(makeAsset(sketches));
        if (!result.ok) return;
        const { venues, max_deviation_venue, min_deviation_venue } = result.value.body;
        expect(venues.reduce((sum, it) => sum + it.weight, 0)).toBeCloseTo(1, 9);
        expect(venues.reduce((sum, it) => sum + it.weight * (it.deviation_price_bps ?? 0), 0)).toBeCloseTo(
          0,
          6,
        );
        const known = venues.flatMap((it) => it.deviation_rate_8h_bps ?? []);
        const of = (name: string | null) => venues.find((it) => it.venue === name)?.deviation_rate_8h_bps;
        if (known.length > 0) {
          expect(of(max_deviation_venue)).toBe(Math.max(...known));
          expect(of(min_deviation_venue)).toBe(Math.min(...known));
        } else expect(max_deviation_venue).toBeNull();
        expectPublic(result.value.body);
      }),
    );
  });
});
