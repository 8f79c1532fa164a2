import { beforeAll, describe, expect, it } from 'vitest';
import { type Decoded, emptyDecoded } from '../../src/domain/decoded.ts';
import { asMs, asRate } from '../../src/domain/units.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { mutate } from '../venues/mutate.ts';
import { hasSamples, SAMPLES_ROOT } from '../venues/recordings.ts';
import { deadIn, deadRows } from './dead-rows.ts';
import { soakAll, type VenueSoak } from './soak.ts';

/** A part of what `npm run soak decode` does. */
const LIMIT = 16;
const MIN_MUTATIONS = 2000;

describe('damaged payloads of all venues', () => {
  let results: readonly VenueSoak[] = [];
  beforeAll(() => {
    results = soakAll({ seed: 1, limit: LIMIT });
  });

  it('no exception, no NaN, no zero for unknown, no dead row', () => {
    expect(results.flatMap(({ problems }) => problems).slice(0, 20)).toEqual([]);
  });

  it('are of every venue, and many', () => {
    const damaged = new Set(results.filter(({ mutations }) => mutations > 0).map(({ venue }) => venue));
    expect(VENUES.filter(({ id }) => !damaged.has(id)).map(({ id }) => id)).toEqual([]);
    expect(results.reduce((sum, result) => sum + result.mutations, 0)).toBeGreaterThan(MIN_MUTATIONS);
  });

  it.skipIf(!hasSamples('binance'))(`are recorded ones too (at ${SAMPLES_ROOT})`, () => {
    expect(results.reduce((sum, result) => sum + result.recorded, 0)).toBeGreaterThan(100);
  });
});

describe('the check for dead rows', () => {
  const payload = [
    { symbol: 'BTC', status: 'live' },
    { symbol: 'LUNA', status: 'delisted' },
  ];

  /** Takes a row for live unless it says the opposite: what a missing status does here is the mistake. */
  function decode(rows: unknown): Decoded {
    const out = emptyDecoded();
    for (const { symbol, status } of Array.isArray(rows) ? (rows as typeof payload) : []) {
      if (status === 'delisted') out.rejects.push({ symbol, reason: 'delisted' });
      else out.funding.push({ symbol, time: asMs(1), rate: asRate(0.1) });
    }
    return out;
  }

  const found = (liveWithout?: { readonly fields: readonly string[]; readonly why: string }) => {
    const dead = deadIn(decode(payload));
    const judge: Parameters<typeof mutate>[0]['judge'] = (decoded, mutation) =>
      deadRows(liveWithout, dead, decoded, mutation);
    return mutate({ name: 'toy', payload, decode, judge }).problems.filter((text) => text.includes('dead'));
  };

  it('detects a decoder that treats an unreadable state as live', () => {
    expect(found().join()).toContain('null at [1].status: row of LUNA, which is dead');
    expect(found().join()).toContain('remove at [1].status');
    expect(found().join()).not.toContain('boolean at');
  });

  it('accepts fields that a venue is known to omit', () => {
    expect(found({ fields: ['status'], why: 'rows of earlier years have none' }).join()).not.toContain(
      'remove at [1].status',
    );
    expect(found({ fields: ['status'], why: 'rows of earlier years have none' }).join()).toContain(
      'wrong type at [1].status',
    );
  });
});
