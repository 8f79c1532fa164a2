import { asBps } from '../../domain/units.ts';
import type { VenueAdapter } from '../adapter.ts';
import { endpoint, poll, secondWay } from '../grammar/calls.ts';
import { SECOND_PAYMENTS, SECOND_PAYMENTS_MS } from '../second-way.ts';
import { lighterBooks, orders, stats } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import { baseOf, decodeFundings, decodeMarkets, decodeNothing, decodeRates, PUBLISHED } from './wire.ts';

const API = '/api/v1';
const fundingRates = endpoint(`${API}/funding-rates`, decodeRates);
const fundings = endpoint(`${API}/fundings`, decodeFundings);

/** Lighter: the estimated rate comes by the socket only. */
export const lighter: VenueAdapter = {
  id: 'lighter',
  displayName: 'Lighter',
  kind: 'dex',
  sourceId: 107,
  takerFeeBps: asBps(0),
  hasIndex: true,
  index: {
    family: 'lighter-basket',
    description:
      'The venue’s own index price; its sources are not published (an oracle network is suspected)',
    evidence: 'unknown',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: {
    rest: 'https://mainnet.zklighter.elliot.ai',
    ws: 'wss://mainnet.zklighter.elliot.ai',
  },
  heartbeat: {
    pingMs: { atMost: 120_000 },
    source: 'apidocs.lighter.xyz: a frame of the client at least every 2 min',
  },
  budget: {
    id: 'lighter',
    pools: [{ name: 'default', limit: 60, perMs: 60_000 }],
    limitBody: { field: 'code', codes: ['23000'] },
    // The firewall before the venue.
    limitStatus: { status: 405 },
  },
  liveWithout: {
    fields: ['is_frozen', 'market_config', 'force_reduce_only', 'hidden', 'trading_hours'],
    why: 'replies of 2025 have none of them; hours are blank on markets without any',
    orBlank: true,
  },
  refreshMs: 10_000,
  polls: [poll('instruments', endpoint(`${API}/orderBookDetails`, decodeMarkets), { everyMs: 30_000 })],
  streams: [stats],
  books: lighterBooks,
  calls: [
    fundingRates,
    fundings,
    orders,
    { ...endpoint(`${API}/candles`, decodeNothing, { name: 'candles, status' }), frames: /^\/$/ },
  ],
  second: {
    ways: [
      secondWay(fundingRates, () => ({}), { isBulk: true }),
      secondWay(fundings, ({ altId = '' }, now) => ({
        market_id: altId,
        resolution: '1h',
        start_timestamp: now - SECOND_PAYMENTS_MS,
        end_timestamp: now,
        count_back: SECOND_PAYMENTS,
      })),
    ],
    missing:
      'Mark, index, open interest and volume come by the socket and the list of contracts, which both serve the row.',
  },
  baseOf,
};
