import Type from 'typebox';
import type { Result } from '../../domain/errors.ts';
import type { Ports } from '../define-product.ts';
import {
  type AskedAsset,
  type AskedPair,
  type AssetRows,
  type Pair,
  selectAsset,
  selectPair,
} from './select.ts';

/** Parameters that name what a request is about, and how it is found. */

/** Query parameter that names an asset. */
export const tickerParameter = Type.String({
  minLength: 1,
  maxLength: 64,
  examples: ['BTC'],
  description: 'Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works',
});

/** The same in a path. */
export const symbolParameter = Type.String({
  minLength: 1,
  maxLength: 64,
  examples: ['BTC'],
  description:
    'Base asset, any case: BTC. A canonical_id (crypto:BTC) or a perp suffix (BTC-PERP) also works',
});

export const venueParameter = Type.String({
  minLength: 1,
  maxLength: 64,
  examples: ['binance'],
  description: 'Venue identifier, in any case, one of the names in /v1/venues/list',
});

/** Query parameter that tells apart assets behind one ticker. */
export const canonicalIdParameter = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 96,
    description: 'Such as crypto:BTC, for a ticker that names more than one asset',
  }),
);

export const assetQuery = Type.Object({ ticker: tickerParameter, canonical_id: canonicalIdParameter });
export const pairQuery = Type.Object({
  venue: venueParameter,
  ticker: tickerParameter,
  canonical_id: canonicalIdParameter,
});

/** One asset on all venues. */
export const findAsset = (asked: AskedAsset, { market }: Ports): Result<AssetRows> =>
  selectAsset(market, asked);

/** The same, named in the path. */
export const findSymbol = ({ symbol }: { readonly symbol: string }, ports: Ports): Result<AssetRows> =>
  findAsset({ ticker: symbol }, ports);

/** One asset on one venue. */
export const findPair = (asked: AskedPair, { market }: Ports): Result<Pair> => selectPair(market, asked);

/** The same, named in the path. */
export const findVenueSymbol = (
  { symbol, venue }: { readonly symbol: string; readonly venue: string },
  ports: Ports,
): Result<Pair> => findPair({ ticker: symbol, venue }, ports);
