import { expect, it } from 'vitest';
import type { PerpFundingHeatmapAnswer } from '../../packages/client/src/routes.ts';
import { describeHeat, fromNow, fullColour, heatRows } from '../../web/views/heatmap/heat-rows.ts';

const asset = { ticker: 'BTC', canonical_id: 'crypto:BTC', open_interest_usd: 1 };
const answer: PerpFundingHeatmapAnswer = {
  of: 'spread',
  venue: null,
  step: '1d',
  assets_count: 1,
  note: '',
  columns: ['2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
  assets: [{ ...asset, values_8h_bps: [null, 2.5], short_venues: [null, 'a'], long_venues: [null, 'b'] }],
};

it('a cell of the heatmap: its legs, unknown without payments', () => {
  const [row] = heatRows(answer);
  if (row === undefined) throw new Error('no row');
  expect(describeHeat(answer, row, 0)).toBe('BTC, 2026-11-21 UTC: no payment is known');
  expect(describeHeat(answer, row, 1)).toBe('BTC, 2026-11-22 UTC: +2.50 bps per 8 h: short a, long b');
});

it('from now: the newest column first, with its values and legs', () => {
  const turned = fromNow(answer);
  const [row] = heatRows(turned);
  if (row === undefined) throw new Error('no row');
  expect(describeHeat(turned, row, 0)).toBe('BTC, 2026-11-22 UTC: +2.50 bps per 8 h: short a, long b');
  expect(describeHeat(turned, row, 1)).toBe('BTC, 2026-11-21 UTC: no payment is known');
});

it('full colour: nine tenths of known sizes, despite outliers', () => {
  const of = (values: readonly (number | null)[]) =>
    fullColour(heatRows({ ...answer, assets: [{ ...asset, values_8h_bps: values }] }));
  expect(of([...Array.from({ length: 19 }, (_, at) => -at), 900, null])).toBe(18);
  expect(of([null, 0])).toBe(0.1);
});
