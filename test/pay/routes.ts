import { PRICE_LISTS, ROUTES } from '../../src/modules/routes.ts';
import { loadPriceSchedule, type PriceSchedule } from '../../src/pay/prices.ts';
import type { Seller } from '../../src/pay/seller.ts';
import type { ParameterSpec, ProtectedRoute } from '../../src/pay/types.ts';

const NETWORK = {
  id: 'eip155:8453',
  v1Name: 'base',
  chainId: 8453,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  coin: 'ETH',
  behindSeconds: 60,
};

/** A seller as a configuration would give it. */
export function sellerAt(
  baseUrl = 'https://data.example.com',
  payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
): Seller {
  const { asset, assetName, assetVersion } = NETWORK;
  const iconUrl = `${baseUrl}/icon.png`;
  return {
    network: NETWORK,
    asset,
    assetName,
    assetVersion,
    payTo,
    baseUrl,
    serviceName: 'Perpmeter',
    iconUrl,
  };
}

export function shippedPrices(): PriceSchedule {
  const loaded = loadPriceSchedule([], PRICE_LISTS);
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  return loaded.value;
}

const TICKER: ParameterSpec = {
  type: 'string',
  description: 'Base asset in upper case, or a canonical_id.',
  required: true,
  example: 'BTC',
};
const LIMIT: ParameterSpec = {
  type: 'integer',
  description: 'Rows to return.',
  required: false,
  minimum: 1,
  maximum: 100,
};
const FROM: ParameterSpec = {
  type: 'string',
  description: 'Start of the window, ISO 8601 in UTC.',
  required: false,
  format: 'date-time',
};
const SIZE: ParameterSpec = {
  type: 'integer',
  description: 'Order size in US dollars.',
  required: false,
  enum: [1000, 5000, 10000],
};
const PATH: Readonly<Record<string, ParameterSpec>> = {
  venue: { type: 'string', description: 'Venue identifier.', required: true, example: 'binance' },
  symbol: { type: 'string', description: 'Ticker or venue symbol.', required: true, example: 'BTC' },
};

/** Every paid route by its id and path, described about as long as the service describes them; in the order of ids. */
export function paidRoutes(): readonly ProtectedRoute[] {
  const paid = ROUTES.filter(({ access }) => access === 'paid');
  return paid
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, path }) => {
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
      const pathParams = Object.fromEntries(Object.entries(PATH).filter(([name]) => inPath.includes(name)));
      return {
        id,
        path,
        description: `Facts of ${id.replaceAll('-', ' ')} over all tracked venues, fresh rows only; excludes fees, funding and latency, and is no forecast of profit.`,
        tags: ['perpetual-futures', 'market-data', 'funding'],
        queryParams: inPath.length > 0 ? { size_usd: SIZE } : { ticker: TICKER, from: FROM, limit: LIMIT },
        ...(inPath.length > 0 ? { pathParams } : {}),
        example: {
          ticker: 'BTC',
          venues_count: 12,
          rates: [
            { venue: 'binance', rate: 0.0001, rate_8h: 0.0001, updated_at: '2026-01-02T03:04:05.000Z' },
          ],
        },
      };
    });
}

/** The route of an id. */
export function routeOf(routes: readonly ProtectedRoute[], id: string): ProtectedRoute {
  const route = routes.find((candidate) => candidate.id === id);
  if (route === undefined) throw new Error(`no route ${id}`);
  return route;
}
