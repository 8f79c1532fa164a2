import { expect, it } from 'vitest';
import { asMs } from '../../domain/units.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { operatorTrends, Trends } from './trends.ts';

const NOW = asMs(Date.UTC(2026, 10, 20, 12));
const at = (minutes: number) => asMs(NOW + minutes * MINUTE_MS);

it('a count: its growth a minute, unknown where it was set back', () => {
  const counts = [5, 8, 20, 2, 3];
  let i = 0;
  const trends = new Trends([
    { name: 'n', title: 'N', unit: 'a minute', isCount: true, read: () => counts[i++] },
    { name: 'g', title: 'G', unit: 's', read: () => (i === 2 ? undefined : i) },
  ]);
  for (const minute of [0, 1, 3, 4, 5]) trends.take(at(minute));
  const { times, trends: found } = trends.read(at(0));
  expect(times).toEqual([0, 1, 3, 4, 5].map((minute) => at(minute) / 1000));
  expect(found.map(({ values }) => values)).toEqual([
    [null, 3, 6, null, 1],
    [1, null, 3, 4, 5],
  ]);
});

it('more than a day: the oldest points go', () => {
  const trends = new Trends([{ name: 'g', title: 'G', unit: 's', read: () => 1 }]);
  for (let minute = 0; minute < 2000; minute++) trends.take(at(minute));
  const { times, since, every_seconds } = trends.read(at(0));
  expect([times.length, times[0], every_seconds]).toEqual([1440, at(560) / 1000, 60]);
  expect(since).toBe(new Date(at(560)).toISOString());
});

it('the last hours: those points; other numbers of hours refused', () => {
  const trends = new Trends([{ name: 'g', title: 'G', unit: 's', read: () => 1 }]);
  for (let minute = 0; minute <= 180; minute++) trends.take(at(minute));
  const found = operatorTrends(trends, new URLSearchParams({ hours: '1' }), at(180));
  expect(found).toMatchObject({ ok: true, value: { since: new Date(at(120)).toISOString() } });
  for (const hours of ['0', '25', 'x']) {
    expect(operatorTrends(trends, new URLSearchParams({ hours }), at(180))).toMatchObject({
      ok: false,
      error: { code: 'invalid_parameter' },
    });
  }
  expect(new Trends([]).read(at(0))).toEqual({ every_seconds: 60, since: null, times: [], trends: [] });
});
