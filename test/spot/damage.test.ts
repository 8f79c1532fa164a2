import { beforeAll, describe, expect, it } from 'vitest';
import { SPOT_VENUES } from '../../src/modules/spot/registry.ts';
import { SPOT_PLANS } from '../../src/modules/spot-market/plan/plans.ts';
import { soakSpot } from '../soak/spot-soak.ts';

/** A part of what `npm run soak decode` does. */
const LIMIT = 60;

describe('damaged answers of spot', () => {
  let results: ReturnType<typeof soakSpot> = [];
  beforeAll(() => {
    results = soakSpot({ seed: 1, limit: LIMIT });
  });

  it('no exception, no NaN, no zero, no silent loss, no other venue hurt', () => {
    expect(results.flatMap(({ problems }) => problems).slice(0, 20)).toEqual([]);
  });

  it('are of every venue', () => {
    const damaged = results.filter(({ mutations }) => mutations > 0).map(({ venue }) => venue);
    expect(damaged).toEqual(SPOT_VENUES.map(({ id }) => `${id} spot`));
  });

  it('are taken into tables that hold the venue: markets and rates', () => {
    expect(results.filter(({ markets }) => markets === 0).map(({ venue }) => venue)).toEqual([]);
    const lending = SPOT_PLANS.flatMap(({ venue, borrow }) => (borrow ? [`${venue} spot`] : []));
    const rated = results.filter(({ rates }) => rates > 0).map(({ venue }) => venue);
    expect(rated).toEqual(expect.arrayContaining(lending));
  });

  it('are of every call: lists, tickers, books, borrow rates and candles', () => {
    const missed = results.filter(({ calls }) => {
      const [reached, all] = calls.split('/');
      return reached !== all;
    });
    expect(missed.map(({ venue, calls }) => `${venue} ${calls}`)).toEqual([]);
  });
});
