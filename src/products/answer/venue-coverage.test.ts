import { describe, expect, test } from 'vitest';
import { makeTracked } from '../asset-fixture.ts';
import { statedCoverage, venueCoverage } from './venue-coverage.ts';

describe('the venues behind an answer', () => {
  test('listed, used and not live: each is counted or named once', () => {
    const listed = [
      makeTracked({ id: 'binance' }),
      makeTracked({ id: 'bybit' }),
      { ...makeTracked({ id: 'okx' }), status: 'stale' as const },
      { ...makeTracked({ id: 'gate' }), status: 'down' as const },
    ];
    const rows = [{ venue: 'binance' }, { venue: 'binance' }];
    expect(statedCoverage(venueCoverage(listed, rows))).toEqual({
      venues_listed: 4,
      venues_considered: 1,
      venues_not_live: ['okx', 'gate'],
    });
  });

  test('a row fresh before its venue’s status: considered, not missed', () => {
    const listed = [makeTracked({ id: 'okx' }), { ...makeTracked({ id: 'gate' }), status: 'down' as const }];
    expect(statedCoverage(venueCoverage(listed, [{ venue: 'gate' }]))).toEqual({
      venues_listed: 2,
      venues_considered: 1,
      venues_not_live: [],
    });
  });

  test('a venue that is collected no more: not missed', () => {
    const closed = { ...makeTracked({ id: 'gate' }), status: 'down' as const, isRetired: true };
    expect(statedCoverage(venueCoverage([closed], []))).toMatchObject({
      venues_listed: 0,
      venues_not_live: [],
    });
  });
});
