import type { SimVenue } from '../venue.ts';
import type { SimListing } from '../world.ts';
import { fapiRest } from './fapi.ts';
import type { FapiDialect } from './fapi-dialect.ts';
import { FapiSocket } from './fapi-socket.ts';

const BLOCKS = new Set(['PEPE', 'SHIB', 'BONK', 'FLOKI', 'LUNC', 'SATS', 'RATS', 'CHEEMS']);

const listing: SimListing = {
  venue: 'aster',
  size: 0.3,
  quotes: ['USDT', 'USD1'],
  count: 400,
  classes: ['crypto', 'equity', 'commodity'],
  include: ['ASTER', 'NVDA', 'TSLA', 'XAU', 'SHIB', 'PEPE'],
  baseName: (ticker) =>
    BLOCKS.has(ticker) ? { base: `1000${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  intervalHours: (rank) => (rank % 40 === 33 ? 1 : rank % 4 === 2 ? 4 : 8),
  symbol: (base, quote) => base + quote,
  delisted: 12,
};

const dialect: FapiDialect = {
  listing,
  prefixes: ['/fapi/v3/', '/fapi/v1/'],
  offchainType: 'PERPETUAL',
  caps: 'number',
  bookSockets: /^\/(?:ws|stream)\b/,
  interestHistory: false,
  crossPairs: [],
  // The oracle-priced product stands in the same answers, without funding.
  placeholders: [
    { symbol: 'GNSUSD', price: '1.85641978' },
    { symbol: 'EGL1USD', price: '0.03353156' },
  ],
};

export const simAster: SimVenue = {
  id: 'aster',
  listing,
  limit: {
    weight: 2400,
    perMs: 60_000,
    status: 429,
    body: '{"code":-1003,"msg":"Too many requests; please use the websocket for live updates."}',
    usedHeader: 'x-mbx-used-weight-1m',
  },
  rest: (request, world) => fapiRest(dialect, request, world),
  socket: (connection, world) => new FapiSocket(dialect, connection, world),
};
