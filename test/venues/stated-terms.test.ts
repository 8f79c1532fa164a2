import { describe, expect, it } from 'vitest';
import { adapterOf } from '../../src/venues/registry.ts';
import { decodeCall } from './decode-call.ts';
import type { Stated } from './stated-terms.ts';
import { CEX_ROWS } from './stated-terms-of-cex.ts';
import { DEX_ROWS } from './stated-terms-of-dex.ts';

function read({ venue, path, list, row }: Stated, change: object = {}) {
  const adapter = adapterOf(venue);
  if (adapter === undefined) throw new Error(`no ${venue}`);
  const { instruments, rejects } = decodeCall(adapter, path, list({ ...row, ...change }));
  return { terms: instruments[0]?.terms, faults: rejects.map(({ detail }) => detail) };
}

describe.each([...CEX_ROWS, ...DEX_ROWS])('terms of $venue', (stated) => {
  it('a whole row: per ticker unit, in the service’s units', () => {
    expect(read(stated)).toEqual({ terms: stated.terms, faults: [] });
  });

  it.each(stated.without)('$change: unknown, and a fault where stated', ({ change, gone, fault }) => {
    const left = Object.entries(stated.terms).filter(([name]) => !gone.includes(name));
    expect(read(stated, change)).toEqual({
      terms: Object.fromEntries(left),
      faults: fault === undefined ? [] : [fault],
    });
  });
});
