import type { AssetClass } from '../../../../src/domain/instrument.ts';
import type { SimVenue } from '../venue.ts';
import type { SimContract, SimListing } from '../world.ts';
import { fapiRest } from './fapi.ts';
import type { FapiDialect } from './fapi-dialect.ts';
import { FapiSocket } from './fapi-socket.ts';

const BLOCKS = new Set(['PEPE', 'SHIB', 'BONK', 'FLOKI', 'LUNC', 'SATS', 'RATS', 'CHEEMS']);

/** Tags of what is no coin. */
const TAGS: Readonly<Partial<Record<AssetClass, string>>> = {
  commodity: 'Commodities',
  etf: 'ETF',
  equity: 'STOCK',
};
const CHIPS = new Set('NVDA AMD INTC MU TSM AVGO QCOM ASML SNDK'.split(' '));

/** COIN stands on every row, on stocks and metals as well: tags and a flag tell them apart. */
function underlying({ asset }: SimContract): object {
  const { ticker, assetClass, rank } = asset;
  const underlyingSubType = [TAGS[assetClass] ?? []].flat();
  if (CHIPS.has(ticker)) underlyingSubType.push('Semiconductor');
  if (assetClass === 'prelaunch') underlyingSubType.push('pre-launch', 'STOCK');
  if (assetClass === 'crypto' && rank < 10) underlyingSubType.push('Top');
  if (BLOCKS.has(ticker)) underlyingSubType.push('Meme');
  return { underlyingType: 'COIN', underlyingSubType, symbolType: assetClass === 'crypto' ? 0 : 1 };
}

const listing: SimListing = {
  venue: 'aster',
  size: 0.3,
  quotes: ['USDT', 'USD1'],
  count: 400,
  classes: ['crypto', 'equity', 'commodity', 'etf', 'prelaunch'],
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
  underlying,
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
