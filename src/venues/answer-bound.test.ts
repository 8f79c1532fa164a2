import { expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import {
  BOOK_BOUND,
  LIST_BOUND,
  MAX_ANSWER_BYTES,
  pageBound,
  pollBound,
  secondWayBound,
} from './answer-bound.ts';
import { VENUES } from './registry.ts';
import { secondWaysOf } from './second-way.ts';

const MIB = 1024 * 1024;
/** The largest answers that were measured, by the pages of the venues, bytes. */
const MEASURED = [
  ['gate', 'contracts', 1_270_000],
  ['kucoin', 'contracts/active', 1_400_000],
  ['mexc', 'detail', 2_300_000],
  ['phemex', 'products', 2_500_000],
  ['paradex', 'summary', 1_600_000],
  ['extended', 'markets', 1_000_000],
] as const;

it.each(VENUES.map((adapter) => [adapter.id, adapter] as const))(
  '%s: every call has a bound, and of one contract a small one',
  (_id, { polls, backfill = [], ...rest }) => {
    expect(polls.length).toBeGreaterThan(0);
    for (const poll of polls) {
      const bound = pollBound(poll);
      if (poll.spread === true) expect(bound).toBeLessThanOrEqual(4 * MIB);
      else expect(bound).toBeGreaterThanOrEqual(4 * MIB);
      expect(bound).toBeLessThan(14 * MIB);
    }
    for (const endpoint of backfill) {
      // A point has a time, a value and their names, in the tersest forms a hundred bytes.
      expect(pageBound(endpoint)).toBeGreaterThanOrEqual(Math.min(MAX_ANSWER_BYTES, endpoint.points * 100));
      expect(pageBound(endpoint)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
    }
    for (const way of secondWaysOf({ backfill, ...rest }))
      expect([4 * MIB, LIST_BOUND]).toContain(secondWayBound(way));
  },
);

it.each(MEASURED)('%s, %s: room for four times what was measured', (venue, name, bytes) => {
  const plan = { instruments: [], now: asMs(0) };
  const lists = VENUES.find(({ id }) => id === venue)?.polls.filter((poll) =>
    poll.requests(plan).some(({ path }) => path.includes(name)),
  );
  expect(lists?.length).toBeGreaterThan(0);
  for (const list of lists ?? []) expect(pollBound(list)).toBeGreaterThanOrEqual(4 * bytes);
});

it('what is declared: four times as much, never above the bound of all', () => {
  expect(pollBound({ normalBytes: 1000 })).toBe(4000);
  expect(pollBound({ normalBytes: 1000, spread: true })).toBe(4000);
  expect(pollBound({ normalBytes: 100 * MIB })).toBe(MAX_ANSWER_BYTES);
  expect(pageBound({ points: 1e9 })).toBe(MAX_ANSWER_BYTES);
  expect(BOOK_BOUND).toBe(2 * MIB);
});
