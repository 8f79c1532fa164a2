import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIXTURE_NOW } from '../market/row-fixture.ts';
import { expectPublic, makeAsset, rowSketches } from './asset-fixture.ts';
import { basis } from './perp-basis.ts';
import { carry } from './perp-carry.ts';

describe('carry', () => {
  test('annualises by the interval and follows the sign', () => {
    const result = carry(
      makeAsset([
        { rate: 0.0001, interval: 8 },
        { rate: -0.00005, interval: 1 },
        { rate: 0, interval: 4 },
        { rate: 0.0001, interval: undefined },
      ]),
    );
    if (!result.ok) throw new Error(result.error.detail);
    const { items, venues_count } = result.value.body;
    expect(venues_count).toBe(4);
    expect(items[0]?.annualized_carry_pct).toBeCloseTo(10.95, 9);
    expect(items[1]?.annualized_carry_pct).toBeCloseTo(-43.8, 9);
    expect(items.map((item) => item.structure)).toEqual(['contango', 'backwardation', 'flat', 'contango']);
    expect(items[3]).toMatchObject({ funding_interval_hours: null, annualized_carry_pct: null });
  });

  test('names each venue with a rate once, with finite numbers', () => {
    fc.assert(
      fc.property(rowSketches, (sketches) => {
        const rated = sketches.filter((sketch) => sketch.rate !== undefined).length;
        const result = carry(makeAsset(sketches));
        expect(result.ok).toBe(rated > 0);
        if (!result.ok) return;
        expect(result.value.body.items).toHaveLength(rated);
        expectPublic(result.value.body);
      }),
    );
  });
});

/** A row's middle of spot, of which nothing is known. */
const NO_SPOT = {
  spot_venue: null,
  spot_symbol: null,
  spot_quote: null,
  spot_relation: null,
  spot_mid: null,
  spot_basis_bps: null,
  spot_updated_at: null,
  spot_reason: 'no_market',
} as const;

describe('basis', () => {
  test('without spot: byte for byte the answer with it, less its fields', () => {
    const asset = makeAsset([{ mark: 101, index: 100 }, { mark: 100 }]);
    const plain = basis(asset);
    const beside = basis(asset, (rows) => rows.map(() => ({ fields: NO_SPOT, at: undefined })));
    if (!plain.ok || !beside.ok) throw new Error('no answer');
    const withSpot = JSON.stringify(beside.value.body);
    expect(withSpot).toContain('"spot_mid":null');
    const less = JSON.parse(withSpot, (name, value) => (name.startsWith('spot_') ? undefined : value));
    expect(JSON.stringify(plain.value.body)).toBe(JSON.stringify(less));
    expect(plain.value).toMatchObject({ asOf: beside.value.asOf, sources: beside.value.sources });
  });

  test('is mark over index in bps, with its sign as structure', () => {
    const result = basis(
      makeAsset([
        { mark: 101, index: 100 },
        { mark: 99, index: 100 },
        { mark: 100, index: 100 },
      ]),
    );
    if (!result.ok) throw new Error(result.error.detail);
    const { items } = result.value.body;
    expect(items[0]?.basis_bps).toBeCloseTo(100, 9);
    expect(items[1]?.basis_bps).toBeCloseTo(-100, 9);
    expect(items.map((item) => item.structure)).toEqual(['contango', 'backwardation', 'flat']);
    expect(items.every((item) => item.basis_reliable)).toBe(true);
    expect(result.value.body.venues_without_index).toEqual([]);
  });

  test('a venue whose index is its mark, or missing, has no basis and is named', () => {
    const asset = makeAsset([{ mark: 100, index: 100 }, { mark: 100, index: undefined }, { mark: 100 }], {
      v1: { hasIndex: false },
    });
    const result = basis(asset);
    expect(result).toMatchObject({
      value: {
        body: {
          venues_without_index: ['v1', 'v2'],
          items: [
            { index_price: null, basis_bps: null, structure: 'unknown', basis_reliable: false },
            { index_price: null, basis_bps: null, structure: 'unknown', basis_reliable: false },
            { basis_reliable: true },
          ],
        },
      },
    });
  });

  test('a market without trading is flagged, whatever its basis looks like', () => {
    const result = basis(
      makeAsset([
        { mark: 100, index: 100, volumeUsd: 0, reason: 'dead_market' },
        { mark: 100, index: 100, volumeUsd: 0 },
        { mark: 100, index: 100, volumeUsd: undefined, bid: undefined },
        { mark: 100, index: 100, volumeUsd: undefined },
      ]),
    );
    if (!result.ok) throw new Error(result.error.detail);
    expect(result.value.body.items.map((item) => [item.liquidity_state, item.basis_reliable])).toEqual([
      ['dead', false],
      ['live', false],
      ['unknown', false],
      ['live', true],
    ]);
  });

  test.each([
    'price_dispersion',
    'identity_uncertain',
    'multiplier_suspect',
    'placeholder',
    'suspect',
  ] as const)('no trading and %s: shown, not reliable', (reason) => {
    const result = basis(makeAsset([{}, { mark: 100, index: 100, volumeUsd: 0, reason }]));
    expect(result).toMatchObject({
      value: {
        body: {
          items: [{ venue: 'v1' }, { venue: 'v2', basis_reliable: false, uncomparable_reason: reason }],
        },
      },
    });
  });

  test('an index a minute older than its mark: shown with time and flag', () => {
    const result = basis(makeAsset([{ indexAge: 60_500 }, { indexAge: 62_000 }, { index: undefined }]));
    if (!result.ok) throw new Error(result.error.detail);
    const { items } = result.value.body;
    expect(items.map((item) => item.basis_reliable)).toEqual([true, false, false]);
    const ages = items.map(({ index_updated_at: at }) => at && FIXTURE_NOW - Date.parse(at));
    expect(ages).toEqual([60_500, 62_000, null]);
  });

  test('rows of another asset or of another age are left out', () => {
    const asset = makeAsset([
      {},
      {},
      { reason: 'identity_uncertain' },
      { reason: 'multiplier_suspect' },
      { fresh: false },
    ]);
    const result = basis(asset);
    expect(result.ok && result.value.body.items.map((item) => item.venue)).toEqual(['v1', 'v2']);
    expect(result.ok && result.value.sources.missing).toEqual(['v3', 'v4', 'v5']);
  });

  test('numbers are finite and null exactly where there is no index', () => {
    fc.assert(
      fc.property(rowSketches, (sketches) => {
        const result = basis(makeAsset(sketches));
        if (!result.ok) throw new Error(result.error.detail);
        for (const item of result.value.body.items) {
          expect(item.basis_bps === null).toBe(item.index_price === null);
          expect(result.value.body.venues_without_index.includes(item.venue)).toBe(item.index_price === null);
        }
        expectPublic(result.value.body);
      }),
    );
  });
});
