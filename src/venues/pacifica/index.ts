import { asBps } from '../../domain/units.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { VenueAdapter } from '../adapter.ts';
import { endpoint, poll, secondWay } from '../grammar/calls.ts';
import { SECOND_PAYMENTS } from '../second-way.ts';
import { frames, pacificaBooks, prices, restBook } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeFundingHistory,
  decodeInfo,
  decodeInfoRates,
  decodeMarkKline,
  decodePrices,
  PUBLISHED,
} from './wire.ts';

const fundingHistory = endpoint('/funding_rate/history', decodeFundingHistory, {
  name: 'funding_rate/history',
});
const infoRates = endpoint('/info', decodeInfoRates, { name: 'info rates' });
const markKline = endpoint('/kline/mark', decodeMarkKline, { name: 'kline/mark' });

/** Credits of a call: some more than measured, and the documented most where nobody measured. */
const COST = { list: 2, history: 10, candles: 12 };

/** Pacifica: central book settled on Solana, hourly funding; evidence in VENUE.md. */
export const pacifica: VenueAdapter = {
  id: 'pacifica',
  displayName: 'Pacifica',
  kind: 'dex',
  sourceId: 113,
  takerFeeBps: asBps(4),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description: 'weighted median of Binance 2, OKX 1, Bybit 1 every 3 s; DEX average for unlisted assets',
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://api.pacifica.fi/api/v1', ws: 'wss://ws.pacifica.fi' },
  heartbeat: {
    pingMs: { atLeast: 20_000, atMost: 30_000 },
    source: 'docs.pacifica.fi: a ping every 20 to 30 s; an idle minute ends the connection',
  },
  // Credits a minute without a key: the lower of the two published figures.
  budget: { id: 'api.pacifica.fi', pools: [{ name: 'default', limit: 100, perMs: 60_000 }] },
  refreshMs: 5000,
  polls: [
    poll('instruments', endpoint('/info', decodeInfo), { everyMs: 300_000, weight: COST.list }),
    poll('quotes', endpoint('/info/prices', decodePrices, { name: 'info/prices' }), {
      everyMs: 20_000,
      weight: COST.list,
    }),
  ],
  streams: [prices],
  books: pacificaBooks,
  calls: [fundingHistory, restBook, markKline, frames],
  second: {
    ways: [
      secondWay(infoRates, () => ({}), { weight: COST.list, isBulk: true }),
      secondWay(fundingHistory, ({ symbol }) => ({ symbol, limit: SECOND_PAYMENTS }), {
        weight: COST.history,
      }),
      secondWay(
        markKline,
        ({ symbol }, now) => ({ symbol, interval: '1m', start_time: now - 3 * MINUTE_MS, end_time: now }),
        { weight: COST.candles },
      ),
    ],
    missing: 'Index, open interest and volume: the call and the channel that state them both serve the row.',
  },
  baseOf,
};
