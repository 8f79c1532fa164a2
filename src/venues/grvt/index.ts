import { asBps } from '../../domain/units.ts';
import type { VenueAdapter } from '../adapter.ts';
import { KIB } from '../answer-bound.ts';
import { endpoint, poll, secondWayByPost } from '../grammar/calls.ts';
import { SECOND_PAYMENTS } from '../second-way.ts';
import { frames, grvtBooks, restBook } from './books.ts';
import { BOUNDS } from './bounds.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';
import {
  baseOf,
  decodeFundingHistory,
  decodeInstruments,
  decodeKline,
  decodeTicker,
  PUBLISHED,
} from './wire.ts';

const API = '/full/v1';
const instruments = endpoint(`${API}/all_instruments`, decodeInstruments, {
  alsoAt: [`${API}/instrument`, `${API}/instruments`],
});

const ticker = endpoint(`${API}/ticker`, decodeTicker, { alsoAt: [`${API}/mini`] });
const funding = endpoint(`${API}/funding`, decodeFundingHistory);

/** Rate of the ticker stream in ms: one of those the venue offers. */
const RATE_MS = 5000;

/** GRVT: no bulk call, all metrics come by the ticker stream; evidence in VENUE.md. */
export const grvt: VenueAdapter = {
  id: 'grvt',
  displayName: 'GRVT',
  kind: 'dex',
  sourceId: 114,
  takerFeeBps: asBps(5.5),
  hasIndex: true,
  index: {
    family: 'own-cex-basket',
    description: 'weighted average of several external exchanges, each second; members not published',
    evidence: 'documented',
  },
  ...PUBLISHED,
  stamps: STAMPS,
  fundingBounds: BOUNDS,
  terms: TERMS,
  bases: { rest: 'https://market-data.grvt.io', ws: 'wss://market-data.grvt.io' },
  heartbeat: {
    pingMs: { atMost: 300_000 },
    source: 'ccxt pings by the protocol every 5 min; no period is published',
  },
  liveWithout: { fields: ['status'], why: 'rows of earlier years have none' },
  // No figure is published for the open tier: half of what a public client budgets for itself.
  budget: { id: 'market-data.grvt.io', pools: [{ name: 'default', limit: 600, perMs: 60_000 }] },
  refreshMs: RATE_MS,
  polls: [poll('instruments', instruments, { everyMs: 120_000, body: { is_active: true } })],
  streams: [
    {
      name: 'ticker',
      repeats: true,
      base: 'ws',
      path: '/ws/full',
      call: frames,
      topics: (plan) => plan.instruments.map((i) => `${i.symbol}@${RATE_MS}`),
      subscribe: (selectors, id) => [
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'subscribe',
          params: { stream: 'v1.ticker.s', selectors },
          id,
        }),
      ],
      topicsPerConnection: 200,
      topicsPerFrame: 50,
      framesPerSecond: 2,
      maxConnections: 2,
      compression: 'none',
      keepAlive: { everyMs: 30_000 },
      silenceMs: 30_000,
      normalBytes: 16 * KIB,
    },
  ],
  books: grvtBooks,
  calls: [ticker, funding, endpoint(`${API}/kline`, decodeKline), restBook],
  second: {
    ways: [
      secondWayByPost(ticker, ({ symbol }) => ({ instrument: symbol })),
      secondWayByPost(funding, ({ symbol }) => ({ instrument: symbol, limit: SECOND_PAYMENTS })),
    ],
    missing:
      'None; the ticker is asked for where the row is streamed, and read by the table that reads the stream.',
  },
  baseOf,
};
