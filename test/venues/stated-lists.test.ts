import { describe, expect, it } from 'vitest';
import { adapterOf } from '../../src/venues/registry.ts';
import { STATED_CEXES } from './cases/stated-cexes.ts';
import { STATED_DEXES } from './cases/stated-dexes.ts';
import type { StatedList } from './cases/stated-list.ts';
import { callFor, contextOf, requestFor } from './recordings.ts';

/** The one contract of a list, and the details of its rejects. */
function read({ venue, url, around }: StatedList, row: object) {
  const adapter = adapterOf(venue);
  const call = adapter && callFor(adapter, url);
  if (call === undefined) throw new Error(`${venue} has no call for ${url}`);
  const { instruments, rejects } = call.decode(around(row), contextOf([], requestFor(url)));
  return { terms: instruments[0]?.terms, details: rejects.map(({ detail }) => detail) };
}

const STATED_LISTS = [...STATED_CEXES, ...STATED_DEXES];

describe('lists of contracts by documents', () => {
  it.each(STATED_LISTS)('$venue, $url: in tickers, per ticker unit', (list) => {
    expect(read(list, list.row)).toEqual({ terms: list.terms, details: [] });
  });

  it.each(STATED_LISTS)('$venue, $url: what cannot be read is unknown and said', (list) => {
    const [change, detail] = list.damage;
    const { terms = {}, details } = read(list, { ...list.row, ...change });
    expect(details).toContain(detail);
    expect(list.terms).toMatchObject(terms);
  });
});
