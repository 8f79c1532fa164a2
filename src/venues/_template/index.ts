import { asBps } from '../../domain/units.ts';
import type { VenueAdapter, VenueCall } from '../adapter.ts';
import { matchesPath } from '../call-match.ts';
import { PUBLISHED } from './published.ts';
import {
  baseOf,
  decodeBook,
  decodeFundingHistory,
  decodeInstruments,
  decodeTickers,
  TAKER_FEE_BPS,
} from './wire.ts';

function call(name: string, decode: VenueCall['decode']): VenueCall {
  return { name, matches: matchesPath(new RegExp(`/api/${name}$`)), decode };
}

/** A venue that does not exist: the pattern for those that do, held to the same cards. Evidence in VENUE.md. */
export const template: VenueAdapter = {
  id: 'template',
  displayName: 'Template',
  kind: 'cex',
  // A venue of the registry has a `sourceId` here: a number that was never used.
  takerFeeBps: asBps(TAKER_FEE_BPS),
  hasIndex: true,
  index: { family: 'own-cex-basket', description: 'basket of spot exchanges', evidence: 'documented' },
  ...PUBLISHED,
  bases: { rest: 'https://template.invalid' },
  budget: { id: 'template', pools: [{ name: 'default', limit: 600, perMs: 60_000 }] },
  refreshMs: 5000,
  polls: [
    {
      call: call('instruments', decodeInstruments),
      kind: 'instruments',
      everyMs: 300_000,
      weight: 10,
      requests: () => [{ method: 'GET', path: '/api/instruments' }],
    },
    {
      call: call('tickers', decodeTickers),
      kind: 'quotes',
      everyMs: 5000,
      weight: 5,
      requests: () => [{ method: 'GET', path: '/api/tickers' }],
    },
  ],
  calls: [call('funding-history', decodeFundingHistory), call('book', decodeBook)],
  baseOf,
};
