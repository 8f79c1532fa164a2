import { describe, expect, test } from 'vitest';
import { iso } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import { FIXTURE_NOW, makeRow, type RowSketch } from '../../market/row-fixture.ts';
import { makeAsset, makePair } from '../asset-fixture.ts';
import { fundingSpreadSnapshot } from '../funding-spread-symbol.ts';
import { basis } from '../perp-basis.ts';
import { carry } from '../perp-carry.ts';
import { fundingNext } from '../perp-funding-next.ts';
import { fundingSpread } from '../perp-funding-spread.ts';
import { openInterest } from '../perp-open-interest.ts';
import { snapshot } from '../perp-snapshot.ts';
import { volume24h } from '../perp-volume-24h.ts';
import { volumeAnomalies } from '../perp-volume-anomalies.ts';
import { vwSpread } from '../perp-vw-spread.ts';

const ago = (ms: number): string => iso(asMs(FIXTURE_NOW - ms));
const AGES: RowSketch = { age: 1000, fundingAge: 30_000, interestAge: 120_000, volumeAge: 9000 };
const OLD_RATE: RowSketch = { rate: 0.01, rateFresh: false, fundingAge: 600_000 };

describe('updated_at of an answer', () => {
  test('is the time of the rate in answers about rates', () => {
    expect(carry(makeAsset([AGES]))).toMatchObject({
      value: {
        asOf: FIXTURE_NOW - 30_000,
        body: { items: [{ updated_at: ago(30_000), mark_updated_at: ago(1000) }] },
      },
    });
    const young: RowSketch = { age: 50_000, fundingAge: 2000 };
    expect(fundingNext(makePair(young), FIXTURE_NOW)).toMatchObject({
      value: { body: { updated_at: ago(2000), rate_updated_at: ago(2000), mark_updated_at: ago(50_000) } },
    });
    expect(fundingSpread(makeAsset([AGES, young]))).toMatchObject({
      value: { asOf: FIXTURE_NOW - 30_000, body: { spread: { updated_at: ago(30_000) } } },
    });
  });

  test('is the time of the mark, open interest or volume in their answers', () => {
    expect(basis(makeAsset([AGES]))).toMatchObject({
      value: { body: { items: [{ updated_at: ago(1000), mark_updated_at: ago(1000) }] } },
    });
    expect(openInterest(makePair(AGES))).toMatchObject({
      value: { asOf: FIXTURE_NOW - 120_000, body: { updated_at: ago(120_000), mark_updated_at: ago(1000) } },
    });
    expect(volume24h(makePair(AGES))).toMatchObject({
      value: { asOf: FIXTURE_NOW - 9000, body: { updated_at: ago(9000), mark_updated_at: ago(1000) } },
    });
  });

  test.each([
    [3, [ago(70_000)]],
    [50, []],
  ])('is the time of the volume in anomalies, also of a scan of z %d', (minZ, times) => {
    const row = makeRow({ volumeUsd: 200, volumeAge: 70_000 });
    const { venue, symbol, canonicalId } = row;
    const usual = { venue, symbol, canonicalId, listedAt: asMs(0), hours: 168, median: 100, mad: 10 };
    const found = volumeAnomalies([row], [usual], { min_z: minZ, limit: 9 }, []);
    expect(found).toMatchObject({
      value: { asOf: FIXTURE_NOW - 70_000, body: { anomalies: times.map((updated_at) => ({ updated_at })) } },
    });
  });
});

describe('a stale funding rate', () => {
  test('is left out of comparisons of rates although its mark is fresh', () => {
    const asset = makeAsset([{ rate: 0.0001 }, { rate: 0.0002 }, OLD_RATE]);
    const venues = carry(asset);
    if (!venues.ok) throw new Error(venues.error.detail);
    expect(venues.value.body.items.map(({ venue }) => venue)).toEqual(['v1', 'v2']);
    expect(fundingSpread(asset)).toMatchObject({ value: { body: { spread: { short_venue: 'v2' } } } });
    expect(fundingSpreadSnapshot(asset)).toMatchObject({ value: { body: { max_venue: 'v2' } } });
    expect(vwSpread(asset)).toMatchObject({
      value: { body: { max_deviation_venue: 'v2', venues: { 2: { rate_8h: null } } } },
    });
    const all = snapshot(makeAsset([{ rate: 0.0001 }, OLD_RATE]), { now: FIXTURE_NOW });
    expect(all).toMatchObject({ value: { body: { oi_weighted_rate_8h: 0.0001, venues_count: 2 } } });
  });

  test('answers 503 with a retry time where no other rate exists', () => {
    expect(carry(makeAsset([OLD_RATE]))).toMatchObject({ error: { code: 'not_ready' } });
    expect(carry(makeAsset([{ rate: undefined }]))).toMatchObject({ error: { code: 'no_data' } });
  });
});

describe('a row for one contract', () => {
  test('names that contract', () => {
    const named: RowSketch = { symbol: '1000PEPEUSDC', ticker: 'PEPE', quote: 'USDC', multiplier: 1000 };
    const contract = { venue_symbol: '1000PEPEUSDC', quote: 'USDC', multiplier: 1000 };
    const asset = makeAsset([named, { ...named, rate: 0.0002 }]);
    expect(carry(asset)).toMatchObject({ value: { body: { items: [contract, contract] } } });
    expect(basis(asset)).toMatchObject({ value: { body: { items: [contract, contract] } } });
    expect(vwSpread(asset)).toMatchObject({ value: { body: { venues: [contract, contract] } } });
    expect(fundingSpreadSnapshot(asset)).toMatchObject({
      value: { body: { max_contract: contract, min_contract: contract } },
    });
  });
});
