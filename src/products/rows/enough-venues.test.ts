import { describe, expect, it } from 'vitest';
import type { TrackedVenue } from '../../market/view.ts';
import { type VenueCoverage, venueCoverage } from '../answer/venue-coverage.ts';
import { makeAsset, makeTracked } from '../asset-fixture.ts';
import { assetTooNarrow, scanTooNarrow, tooNarrow } from './enough-venues.ts';
import { isMarkLate } from './select.ts';

const venue = (id: string, status: TrackedVenue['status'] = 'live'): TrackedVenue => ({
  ...makeTracked({ id }),
  status,
});
const of = (listed: readonly TrackedVenue[], ...considered: string[]): VenueCoverage => ({
  listed,
  considered: new Set(considered),
});

describe('whether enough venues are behind an answer', () => {
  const three = [venue('v1'), venue('v2'), venue('v3')];

  it('fewer than two venues of several are fresh: 503', () => {
    expect(tooNarrow(of(three), 'row')?.code).toBe('not_ready');
    expect(tooNarrow(of(three, 'v1'), 'row')?.code).toBe('not_ready');
    expect(tooNarrow(of(three, 'v1', 'v3'), 'row')).toBeUndefined();
  });

  it('one venue lists it, and is fresh: answered; a scan compares nothing', () => {
    const [only] = three;
    const alone = of(only === undefined ? [] : [only], 'v1');
    expect(tooNarrow(alone, 'row')).toBeUndefined();
    expect(scanTooNarrow(alone, 'row')?.code).toBe('single_venue');
    expect(scanTooNarrow(of(three, 'v1', 'v2'), 'row')).toBeUndefined();
    expect(scanTooNarrow(of(three, 'v1'), 'row')?.code).toBe('not_ready');
  });
});

describe('whether an asset has enough venues', () => {
  const narrow = (second: { readonly fresh?: boolean; readonly status?: TrackedVenue['status'] }) => {
    const { fresh = true, status = 'live' } = second;
    const asset = makeAsset([{ venue: 'v1' }, { venue: 'v2', fresh }]);
    const listedBy = [venue('v1'), venue('v2', status)];
    const used = asset.rows.filter((row) => row.venue === 'v1');
    return assetTooNarrow({ ...asset, listedBy }, venueCoverage(listedBy, used), 'row', isMarkLate)?.code;
  };

  it('the second venue is only late: 503', () => {
    expect(narrow({ fresh: false })).toBe('not_ready');
  });

  it('the second venue is away: 503', () => {
    expect(narrow({ status: 'down' })).toBe('not_ready');
  });

  it('the second venue is fresh and counts for nothing: answered', () => {
    expect(narrow({})).toBeUndefined();
  });
});
