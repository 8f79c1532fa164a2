import type { SpotVenue } from './spot-venue.ts';
import { aster } from './venues/aster.ts';
import { backpack } from './venues/backpack.ts';
import { binance } from './venues/binance.ts';
import { bingx } from './venues/bingx.ts';
import { bitget } from './venues/bitget.ts';
import { bybit } from './venues/bybit.ts';
import { cryptocom } from './venues/cryptocom.ts';
import { gate } from './venues/gate.ts';
import { htx } from './venues/htx.ts';
import { hyperliquid } from './venues/hyperliquid.ts';
import { kraken } from './venues/kraken.ts';
import { kucoin } from './venues/kucoin.ts';
import { lighter } from './venues/lighter.ts';
import { mexc } from './venues/mexc.ts';
import { okx } from './venues/okx.ts';
import { whitebit } from './venues/whitebit.ts';

/** Every venue whose spot side is read, by its id as a venue of perpetuals. */
export const SPOT_VENUES: readonly SpotVenue[] = [
  aster,
  backpack,
  binance,
  bingx,
  bitget,
  bybit,
  cryptocom,
  gate,
  htx,
  hyperliquid,
  kraken,
  kucoin,
  lighter,
  mexc,
  okx,
  whitebit,
];

export const spotVenueOf = (id: string): SpotVenue | undefined =>
  SPOT_VENUES.find((venue) => venue.id === id);
