import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asMs } from '../../domain/units.ts';
import type { VenueInfo } from '../../domain/venue.ts';
import { FIXTURE_NOW, makeRow } from '../../market/row-fixture.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { makePair, makeTracked, rowSketch } from '../asset-fixture.ts';
import { fundingRow } from '../funding/funding-row.ts';
import { signalLeg } from '../funding/signal-leg.ts';
import { fundingNext } from '../perp-funding-next.ts';
import { PUBLIC_FEES } from '../rows/asked-fees.ts';
import { book } from '../signal-fixture.ts';
import { NULL_REASONS, withReasons } from './null-reason.ts';

const contextOf = (info?: VenueInfo) => ({
  now: asMs(FIXTURE_NOW),
  venues: new Map(info === undefined ? [] : [[info.id, info]]),
  fees: PUBLIC_FEES,
});

/** Fields of a row that are null, and the reasons it gives. */
function reasonsOf(row: object) {
  const { null_reasons: reasons = {}, ...values } = row as { null_reasons?: Record<string, string> };
  const nulls = Object.entries(values).flatMap(([name, value]) => (value === null ? [name] : []));
  return { nulls: nulls.sort(), named: Object.keys(reasons).sort(), words: Object.values(reasons) };
}

describe('reasons of nulls', () => {
  test('a field without a reason of its own: unknown; with a value: none', () => {
    const row = withReasons({ a: null, b: null, c: 1 }, { a: 'too_thin', c: 'too_thin' });
    expect(row).toEqual({ a: null, b: null, c: 1, null_reasons: { a: 'too_thin', b: 'unknown' } });
    expect(withReasons({ c: 0 }, {})).toEqual({ c: 0 });
  });

  test('every null of a row has one reason of the table, whatever is missing', () => {
    fc.assert(
      fc.property(rowSketch, fc.boolean(), (sketch, hasIndex) => {
        const { info } = makeTracked({ hasIndex });
        const row = makeRow(sketch);
        for (const shown of [
          fundingRow(row, FIXTURE_NOW, info),
          signalLeg(row, 'buy', 5, undefined, contextOf(info)),
        ]) {
          const { nulls, named, words } = reasonsOf(shown);
          expect(named).toEqual(nulls);
          expect(words.every((word) => word in NULL_REASONS)).toBe(true);
        }
      }),
    );
  });

  test('a missing interval, index and settlement: reasons by kind of venue', () => {
    const bare = makeRow({ interval: undefined, index: undefined, next: undefined });
    expect(fundingRow(bare, FIXTURE_NOW, makeTracked({ hasIndex: true }).info).null_reasons).toMatchObject({
      funding_interval_hours: 'interval_unknown',
      rate_8h: 'interval_unknown',
      annualized_pct: 'interval_unknown',
      index_price: 'unknown',
      next_funding_time: 'unknown',
    });
    const { info } = makeTracked({ hasIndex: false, continuousFunding: true });
    expect(fundingRow(bare, FIXTURE_NOW, info).null_reasons).toMatchObject({
      index_price: 'not_published',
      next_funding_time: 'continuous_funding',
    });
    expect(fundingRow(makeRow({ rate: undefined }), FIXTURE_NOW, info).null_reasons).toMatchObject({
      rate: 'unknown',
      rate_8h: 'unknown',
    });
  });

  test('a past settlement without a known next one has its own reason', () => {
    const pair = makePair({ interval: undefined, next: FIXTURE_NOW - 1 });
    const next = fundingNext(pair, asMs(FIXTURE_NOW));
    expect(next).toMatchObject({
      value: {
        body: {
          next_funding_time: null,
          null_reasons: { next_funding_time: 'passed', funding_interval_hours: 'interval_unknown' },
        },
      },
    });
  });

  test('a leg of a signal: names the settlement to come', () => {
    const legOf = (interval: number | undefined) =>
      signalLeg(makeRow({ interval, next: FIXTURE_NOW - 1 }), 'buy', 5, undefined, contextOf());
    expect(legOf(8).next_funding_time).toBe(new Date(FIXTURE_NOW - 1 + 8 * HOUR_MS).toISOString());
    expect(legOf(undefined)).toMatchObject({
      next_funding_time: null,
      null_reasons: { next_funding_time: 'passed' },
    });
  });

  test('slippage without a book: another reason than for a thin one', () => {
    const leg = signalLeg(makeRow(), 'sell', 5, book(1000, 1, 1), contextOf());
    expect(leg.null_reasons).toEqual({ slippage_5k_bps: 'too_thin', slippage_10k_bps: 'too_thin' });
    const unfollowed = signalLeg(makeRow(), 'sell', 5, undefined, contextOf());
    expect(unfollowed.null_reasons).toMatchObject({ slippage_1k_bps: 'not_followed' });
  });
});
