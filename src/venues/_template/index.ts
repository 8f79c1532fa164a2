import type { VenueAdapter } from '../adapter.ts';
import { endpoint, poll } from '../grammar/calls.ts';
import {
  baseOf,
  decodeBook,
  decodeFundingHistory,
  decodeInstruments,
  decodeTickers,
  PUBLISHED,
  TAKER_FEE,
} from './wire.ts';

/** A venue that does not exist: the pattern for those that do, held to the same cards. Evidence in VENUE.md. */
export const template: VenueAdapter = {
  id: 'template',
  displayName: 'Template',
  kind: 'cex',
  // A venue of the registry has a `sourceId` here: a number that was never used.
  takerFeeBps: TAKER_FEE,
  hasIndex: true,
  index: { family: 'own-cex-basket', description: 'basket of spot exchanges', evidence: 'documented' },
  ...PUBLISHED,
  bases: { rest: 'https://template.invalid' },
  budget: { id: 'template', pools: [{ name: 'default', limit: 600, perMs: 60_000 }] },
  refreshMs: 5000,
  polls: [
    poll('instruments', endpoint('/api/instruments', decodeInstruments), { everyMs: 300_000, weight: 10 }),
    poll('quotes', endpoint('/api/tickers', decodeTickers), { everyMs: 5000, weight: 5 }),
  ],
  calls: [endpoint('/api/funding-history', decodeFundingHistory), endpoint('/api/book', decodeBook)],
  baseOf,
};
