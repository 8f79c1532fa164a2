import { describe, expect, it } from 'vitest';
import { ANSWERS } from './answers.ts';
import { spotCallFor, spotContext } from './recordings.ts';

/** The fields in which venues state how much an account may borrow. Backpack's limit is of a market: what 0 says there is not stated. */
const LIMITS = [
  'borrowLimit',
  'limit',
  'max-loan-amt',
  'maxBorrowableAmount',
  'maxBorrowingAmount',
  'quota',
  'user_max_borrow_amount',
] as const;

/** The same answer where every limit is this one. */
const limited = (payload: unknown, limit: unknown): unknown =>
  JSON.parse(JSON.stringify(payload), (name, value: unknown) =>
    (LIMITS as readonly string[]).includes(name) && typeof value === 'string' ? limit : value,
  );

const stating = ANSWERS.flatMap(({ venue, url, payload }) => {
  const call = spotCallFor(venue, url);
  const read = (limit: unknown) => call?.decode(limited(payload, limit), spotContext(url));
  const rows = read('8')?.borrow.filter((row) => (row.limit ?? row.limitUsd) === 8) ?? [];
  return rows.length === 0 ? [] : [{ venue, url, read, asset: rows[0]?.asset }];
});

describe('the most that an account may borrow', () => {
  it('every venue whose limits are read: tried here', () => {
    expect([...new Set(stating.map(({ venue }) => venue))].sort()).toEqual(
      ['binance', 'bitget', 'bybit', 'gate', 'htx', 'okx'].sort(),
    );
  });

  it.each(stating)('$venue $url: none at all is a limit, and a blank is none', ({ read, asset }) => {
    const limitOf = (stated: unknown) => {
      const row = read(stated)?.borrow.find((found) => found.asset === asset);
      return row?.limit ?? row?.limitUsd;
    };
    expect([limitOf('8'), limitOf('0'), limitOf('0.00'), limitOf(''), limitOf(null)]).toEqual([
      8,
      0,
      0,
      undefined,
      undefined,
    ]);
  });
});
