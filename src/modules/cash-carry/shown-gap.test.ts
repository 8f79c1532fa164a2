import { describe, expect, it } from 'vitest';
import { asMs, asPrice } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { PerpHour } from '../spot-history/prices/aligned-prices.ts';
import type { SpotHour } from '../spot-history/store/spot-hour.ts';
import { usualBpsOf, usualGapRows } from './shown-gap.ts';
import { usualOf } from './usual-gaps.ts';

const NOW = asMs(Date.UTC(2026, 10, 20, 12));

/** Hours before now with spot at 100 and the perpetual at 101. */
function past(hours: number, index?: number) {
  const spot = new Map<number, SpotHour>();
  const perp = new Map<number, PerpHour>();
  for (let i = 1; i <= hours; i += 1) {
    const start = asMs(NOW - i * HOUR_MS);
    spot.set(start, { origin: 'candle', start, last: asPrice(100), open: asPrice(100) });
    perp.set(start, { mark: 101, index, book: undefined, sampled: 0, lastAt: start });
  }
  return { usual: usualOf(spot, perp, NOW) };
}

describe('the usual gap of a pair', () => {
  it('each direction: of the leg that is sold over the other', () => {
    expect(usualBpsOf(usualGapRows('long_spot', past(168), 1))).toBeCloseTo(100, 9);
    expect(usualBpsOf(usualGapRows('short_spot', past(168), 1))).toBeCloseTo((100 / 101 - 1) * 10_000, 9);
  });

  it('two quotes: at the rate of now', () => {
    expect(usualBpsOf(usualGapRows('long_spot', past(168), 0.99))).toBeCloseTo((1.01 * 0.99 - 1) * 10_000, 9);
    const short = usualGapRows('short_spot', past(168), 0.99);
    expect(usualBpsOf(short)).toBeCloseTo((100 / (101 * 0.99) - 1) * 10_000, 9);
  });

  it('half of seven days known: counted; less: null with a reason', () => {
    expect(usualBpsOf(usualGapRows('long_spot', past(84), 1))).toBeCloseTo(100, 9);
    const rows = usualGapRows('long_spot', past(83), 1);
    expect(usualBpsOf(rows)).toBeUndefined();
    expect(rows[1]).toMatchObject({ days: 7, hours: 83, mean_bps: null });
    expect(rows[1]?.null_reasons).toMatchObject({ mean_bps: 'past_too_short' });
  });

  it('half of the days apart from the index: counted, and null for it', () => {
    const rows = usualGapRows('long_spot', past(168, 110), 1);
    expect(rows[1]).toMatchObject({ days: 7, hours: 0, hours_apart: 168, mean_bps: null });
    expect(rows.map((row) => row.null_reasons?.mean_bps)).toEqual([
      'price_differs',
      'price_differs',
      'not_stored_then',
    ]);
  });

  it.each([
    ['nothing stored', past(0), 1, 'not_stored_then'],
    ['no past kept', { why: 'not_stored_then' as const }, 1, 'not_stored_then'],
    ['no rate between the quotes', past(720), undefined, 'rate_unknown'],
  ])('%s: null with the reason', (_, known, rate, why) => {
    const rows = usualGapRows('long_spot', known, rate);
    expect(rows.map(({ days }) => days)).toEqual([1, 7, 30]);
    for (const row of rows) expect(row).toMatchObject({ mean_bps: null, null_reasons: { highest_bps: why } });
  });
});
