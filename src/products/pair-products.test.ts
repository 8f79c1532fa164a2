import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { publishedFixture } from '../domain/amount-fixture.ts';
import { iso } from '../domain/clock.ts';
import { nextSettlement } from '../domain/next-settlement.ts';
import { asMs } from '../domain/units.ts';
import { FIXTURE_NOW, makeRow } from '../market/row-fixture.ts';
import { HOUR_MS } from '../runtime/duration.ts';
import { expectPublic, makePair, rowSketch } from './asset-fixture.ts';
import { fundingNext } from './perp-funding-next.ts';
import { openInterest } from './perp-open-interest.ts';
import { volume24h } from './perp-volume-24h.ts';

/** A total is the sum of what its parts state, and null where none does. */
function expectSum(total: number | null, parts: readonly (number | null)[]): void {
  const stated = parts.filter((part) => part !== null);
  const sum = stated.reduce((of, part) => of + part, 0);
  if (stated.length === 0) expect(total).toBeNull();
  else expect(Math.abs((total ?? Number.NaN) - sum)).toBeLessThanOrEqual(1e-12 * Math.abs(sum));
}

describe('next funding', () => {
  test('is the time that the venue states, with the resolved canonical id', () => {
    const result = fundingNext(
      makePair({ venue: 'gate', next: FIXTURE_NOW + HOUR_MS, age: 7000 }),
      FIXTURE_NOW,
    );
    expect(result).toMatchObject({
      value: {
        asOf: FIXTURE_NOW - 7000,
        sources: { used: ['gate'], missing: [] },
        body: {
          venue: 'gate',
          ticker: 'BTC',
          canonical_id: 'crypto:BTC',
          next_funding_time: iso(asMs(FIXTURE_NOW + HOUR_MS)),
          funding_interval_hours: 8,
          current_rate: 0.0001,
          mark_price: 100_000,
          updated_at: iso(asMs(FIXTURE_NOW - 7000)),
        },
      },
    });
  });

  test('is never in the past, and whole intervals after the stated time', () => {
    const past = fc.integer({ min: -200 * HOUR_MS, max: 200 * HOUR_MS });
    fc.assert(
      fc.property(past, fc.constantFrom(1, 2, 4, 8), (offset, interval) => {
        const stated = FIXTURE_NOW + offset;
        const next = nextSettlement(makeRow({ next: stated, interval }), FIXTURE_NOW);
        if (next === undefined) throw new Error('unexpected');
        expect(next).toBeGreaterThan(FIXTURE_NOW);
        expect((next - stated) % (interval * HOUR_MS)).toBe(0);
        if (offset > 0) expect(next).toBe(stated);
        else expect(next - FIXTURE_NOW).toBeLessThanOrEqual(interval * HOUR_MS);
      }),
    );
  });

  test('a past time with an unknown interval is unknown', () => {
    expect(
      nextSettlement(makeRow({ next: FIXTURE_NOW - 1, interval: undefined }), FIXTURE_NOW),
    ).toBeUndefined();
    const result = fundingNext(makePair({ next: FIXTURE_NOW - 1, interval: undefined }), FIXTURE_NOW);
    expect(result).toMatchObject({ value: { body: { next_funding_time: null, current_rate: 0.0001 } } });
  });

  test('answers 404 with neither time nor rate', () => {
    const result = fundingNext(makePair({ next: undefined, rate: undefined }), FIXTURE_NOW);
    expect(result).toMatchObject({ ok: false, error: { code: 'no_data' } });
  });
});

describe('open interest and volume', () => {
  test('are stated in raw, base and USD units with the venue’s own description', () => {
    const pair = makePair(
      { mark: 100, interestBase: 5, volumeUsd: 400 },
      { openInterest: { ...publishedFixture.openInterest, unit: 'contracts', sides: 'two' } },
    );
    expect(openInterest(pair)).toMatchObject({
      value: {
        body: { open_interest_raw: 5, open_interest_base: 5, open_interest_usd: 500, mark_price: 100 },
      },
    });
    const note = openInterest(pair);
    expect(note.ok && note.value.body.units_note).toContain('contracts, long plus short');
    expect(volume24h(pair)).toMatchObject({
      value: { body: { volume_24h_raw: 400, volume_24h_base: 4, volume_24h_usd: 400 } },
    });
  });

  test('zero is data, unknown is 404', () => {
    expect(openInterest(makePair({ interestBase: 0 }))).toMatchObject({
      value: { body: { open_interest_usd: 0 } },
    });
    expect(volume24h(makePair({ volumeUsd: 0 }))).toMatchObject({ value: { body: { volume_24h_usd: 0 } } });
    expect(openInterest(makePair({ interestBase: undefined }))).toMatchObject({ error: { code: 'no_data' } });
    expect(volume24h(makePair({ volumeUsd: undefined }))).toMatchObject({ error: { code: 'no_data' } });
  });

  test('several contracts on the venue: totals are sums of those listed', () => {
    const symbols = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D'), { minLength: 1 });
    fc.assert(
      fc.property(symbols, fc.array(rowSketch, { minLength: 4, maxLength: 4 }), (names, sketches) => {
        const contracts = names.map((symbol, at) => ({
          ...makeRow({ venue: 'v1', ...sketches[at] }),
          symbol,
        }));
        const [row] = contracts;
        if (row === undefined) throw new Error('no contract');
        const pair = { ...makePair(), row, contracts };
        const interest = openInterest(pair);
        const volume = volume24h(pair);
        if (interest.ok) {
          const { body } = interest.value;
          const list = body.counted_contracts;
          expect(list.map(({ venue_symbol: symbol }) => symbol).sort()).toEqual([...names].sort());
          expect(body.contracts).toBe(list.length);
          expectSum(
            body.total_open_interest_base,
            list.map((row) => row.open_interest_base),
          );
          expectSum(
            body.total_open_interest_usd,
            list.map((row) => row.open_interest_usd),
          );
        }
        if (volume.ok) {
          const { body } = volume.value;
          const list = body.counted_contracts;
          expect(body.contracts).toBe(list.length);
          expectSum(
            body.total_volume_24h_base,
            list.map((row) => row.volume_24h_base),
          );
          expectSum(
            body.total_volume_24h_usd,
            list.map((row) => row.volume_24h_usd),
          );
        }
      }),
    );
  });

  test('every answer is finite and snake_case', () => {
    fc.assert(
      fc.property(rowSketch, (sketch) => {
        for (const result of [
          openInterest(makePair(sketch)),
          volume24h(makePair(sketch)),
          fundingNext(makePair(sketch), FIXTURE_NOW),
        ]) {
          if (result.ok) expectPublic(result.value.body);
        }
      }),
    );
  });
});
