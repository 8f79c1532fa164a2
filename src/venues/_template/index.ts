import type { VenueAdapter } from '../adapter.ts';
import { SNAPSHOTS_ONLY } from '../book-continuity.ts';
import { backfill, bookRequest, endpoint, poll } from '../grammar/calls.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeBook,
  decodeFundingHistory,
  decodeInstruments,
  decodeTickers,
  PUBLISHED,
  TAKER_FEE,
} from './wire.ts';

const fundingHistory = endpoint('/api/funding-history', decodeFundingHistory);
const book = endpoint('/api/book', decodeBook);

/** A venue that does not exist: the pattern for those that do, held to the same checks. Evidence in VENUE.md. */
export const template: VenueAdapter = {
  id: 'template',
  displayName: 'Template',
  kind: 'cex',
  // A venue of the registry has a `sourceId` here: a number that was never used.
  takerFeeBps: TAKER_FEE,
  hasIndex: true,
  index: { family: 'own-cex-basket', description: 'basket of spot exchanges', evidence: 'documented' },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://template.invalid' },
  budget: { id: 'template', pools: [{ name: 'default', limit: 600, perMs: 60_000 }] },
  refreshMs: 5000,
  polls: [
    poll('instruments', endpoint('/api/instruments', decodeInstruments), { everyMs: 300_000, weight: 10 }),
    poll('quotes', endpoint('/api/tickers', decodeTickers), { everyMs: 5000, weight: 5 }),
  ],
  books: {
    initialSnapshot: 'rest',
    continuity: SNAPSHOTS_ONLY,
    rest: bookRequest(book, ({ symbol }) => ({ symbol }), { levels: 50 }),
  },
  calls: [fundingHistory, book],
  backfill: [
    backfill('funding', fundingHistory, {
      points: 50,
      query: ({ symbol }, from, to) => ({ symbol, from, to: to - 1 }),
    }),
  ],
  // The history of the rate is a second way to it by itself.
  second: { ways: [], missing: 'Mark, index, open interest and volume: one call states them all.' },
  baseOf,
};
