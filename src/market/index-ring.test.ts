import { expect, it } from 'vitest';
import { IndexRing } from './index-ring.ts';
import { makeRow } from './row-fixture.ts';

it('keeps ten minutes, oldest first, with holes where nothing was known', () => {
  const ring = new IndexRing(['crypto:BTC']);
  for (let second = 0; second < 650; second++) {
    ring.record((id) => {
      if (id !== 'crypto:BTC') return [];
      const rows = [makeRow({ venue: 'a', index: second })];
      if (second % 2 === 0) rows.push(makeRow({ venue: 'b', index: 1000 + second }));
      rows.push(makeRow({ venue: 'stale', index: 5, fresh: false }));
      return rows;
    });
  }
  const series = ring.series();
  expect([...series.keys()]).toEqual(['a', 'b']);
  const a = series.get('a')?.get('crypto:BTC');
  const b = series.get('b')?.get('crypto:BTC');
  expect(a).toHaveLength(600);
  expect([a?.[0], a?.[599]]).toEqual([50, 649]);
  expect([b?.[0], b?.[1]]).toEqual([1050, Number.NaN]);
});

it('is as long as it has run at first', () => {
  const ring = new IndexRing(['crypto:BTC']);
  for (let i = 0; i < 3; i++) ring.record(() => [makeRow({ venue: 'a', index: i + 1 })]);
  expect([...(ring.series().get('a')?.get('crypto:BTC') ?? [])]).toEqual([1, 2, 3]);
});
