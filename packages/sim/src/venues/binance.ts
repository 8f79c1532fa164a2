import type { AssetClass } from '../../../../src/domain/instrument.ts';
import type { SimVenue } from '../venue.ts';
import type { SimContract, SimListing } from '../world.ts';
import { fapiRest } from './fapi.ts';
import type { FapiDialect } from './fapi-dialect.ts';
import { FapiSocket } from './fapi-socket.ts';

/** Coins of small price trade in blocks, spelled in front of the ticker. */
const BLOCKS: Readonly<Record<string, readonly [prefix: string, multiplier: number]>> = {
  ...Object.fromEntries(
    'PEPE SHIB BONK FLOKI LUNC XEC SATS RATS CAT CHEEMS WHY'.split(' ').map((t) => [t, ['1000', 1000]]),
  ),
  MOG: ['1000000', 1_000_000],
  BOB: ['1000000', 1_000_000],
  BABYDOGE: ['1M', 1_000_000],
};

/** Kinds of underlyings; funds are filed under stocks. */
const UNDERLYING: Readonly<Partial<Record<AssetClass, string>>> = {
  equity: 'EQUITY',
  etf: 'EQUITY',
  commodity: 'COMMODITY',
  index: 'INDEX',
  fx: 'FX',
  prelaunch: 'PREMARKET',
};

function underlying({ asset }: SimContract): object {
  const underlyingType = UNDERLYING[asset.assetClass];
  if (underlyingType === undefined) return { underlyingType: 'COIN', underlyingSubType: [] };
  const stage = asset.assetClass === 'prelaunch' ? ['Pre-IPO'] : [];
  return { underlyingType, underlyingSubType: [...stage, 'TradFi'] };
}

const listing: SimListing = {
  venue: 'binance',
  size: 1,
  quotes: ['USDT', 'USDC'],
  count: 600,
  classes: ['crypto', 'equity', 'commodity', 'prelaunch'],
  include: ['crypto:SPX6900', 'crypto:STX', 'NVDA', 'TSLA', 'XAU', 'XAG', 'MOG', 'BABYDOGE', '1INCH'],
  baseName: (ticker) => {
    const [prefix, multiplier] = BLOCKS[ticker] ?? ['', 1];
    return { base: prefix + ticker, multiplier };
  },
  intervalHours: (rank) => (rank % 90 === 50 ? 1 : rank < 40 || rank % 3 === 0 ? 8 : 4),
  symbol: (base, quote) => base + quote,
  dated: (base, quote) => `${base}${quote}_270326`,
  delisted: 45,
  prelisting: 2,
};

const dialect: FapiDialect = {
  listing,
  prefixes: ['/fapi/v1/'],
  offchainType: 'TRADIFI_PERPETUAL',
  underlying,
  caps: 'text',
  // Sockets without a route in their path carry what `/public` does.
  bookSockets: /^\/(?:public\/)?(?:ws|stream)\b/,
  interestHistory: true,
  crossPairs: [{ base: 'ETH', quote: 'BTC' }],
  placeholders: [],
};

export const simBinance: SimVenue = {
  id: 'binance',
  listing,
  limit: {
    weight: 2400,
    perMs: 60_000,
    status: 429,
    body: '{"code":-1003,"msg":"Too many requests; current limit of IP is 2400 requests per minute."}',
    usedHeader: 'x-mbx-used-weight-1m',
  },
  rest: (request, world) => fapiRest(dialect, request, world),
  socket: (connection, world) => new FapiSocket(dialect, connection, world),
};
