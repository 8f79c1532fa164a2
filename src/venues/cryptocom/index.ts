import { asBps } from '../../domain/units.ts';
import type { VenueAdapter } from '../adapter.ts';
import { endpoint, poll, secondWay } from '../grammar/calls.ts';
import { SECOND_PAYMENTS } from '../second-way.ts';
import { cryptocomBooks, getBook, valuations } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import { baseOf, decodeInstruments, decodeTickers, decodeValuations, PUBLISHED } from './wire.ts';

const getValuations = endpoint('/public/get-valuations', decodeValuations);
/** The newest value alone. */
const valuation = (type: string) =>
  secondWay(getValuations, ({ symbol }) => ({ instrument_name: symbol, valuation_type: type, count: 1 }));

/** Crypto.com Exchange perpetuals in USD; evidence in VENUE.md. */
export const cryptocom: VenueAdapter = {
  id: 'cryptocom',
  displayName: 'Crypto.com Exchange',
  kind: 'cex',
  sourceId: 14,
  takerFeeBps: asBps(4),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description:
      'Own average of up to ten spot venues, its own among them, outliers clamped to 0.1 %; baskets of shares and goods rest on Pyth, Chainlink and ICE',
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: {
    rest: 'https://api.crypto.com/exchange/v1',
    ws: 'wss://stream.crypto.com/exchange/v1',
  },
  heartbeat: {
    source: 'probes of 2026-09 (arbitrage-observatory): a heartbeat every 30 s wants its id back',
  },
  // Documented for each method and address; the calls polled here share one, books have that of their own method.
  budget: {
    id: 'api.crypto.com',
    pools: [
      { name: 'default', limit: 100, perMs: 1_000 },
      { name: 'get-book', limit: 100, perMs: 1_000 },
    ],
  },
  refreshMs: 5_000,
  // The channel of rates speaks once a minute.
  rateEveryMs: 60_000,
  polls: [
    poll('instruments', endpoint('/public/get-instruments', decodeInstruments), { everyMs: 300_000 }),
    poll('quotes', endpoint('/public/get-tickers', decodeTickers), { everyMs: 5_000 }),
  ],
  streams: [valuations],
  books: cryptocomBooks,
  calls: [getValuations, getBook],
  second: {
    ways: [
      valuation('mark_price'),
      valuation('index_price'),
      valuation('funding_rate'),
      secondWay(getValuations, ({ symbol }) => ({
        instrument_name: symbol,
        valuation_type: 'funding_hist',
        count: SECOND_PAYMENTS,
      })),
    ],
    missing:
      'Open interest and volume: one call states both. The valuations are read by the table that reads their channel.',
  },
  baseOf,
};
