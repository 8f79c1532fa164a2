import type { VenueId } from '../domain/venue.ts';
import type { VenueAdapter } from './adapter.ts';
import { apex } from './apex/index.ts';
import { aster } from './aster/index.ts';
import { backpack } from './backpack/index.ts';
import { binance } from './binance/index.ts';
import { bingx } from './bingx/index.ts';
import { bitget } from './bitget/index.ts';
import { bybit } from './bybit/index.ts';
import { cryptocom } from './cryptocom/index.ts';
import { deribit } from './deribit/index.ts';
import { derive } from './derive/index.ts';
import { dydx } from './dydx/index.ts';
import { edgex } from './edgex/index.ts';
import { extended } from './extended/index.ts';
import { gate } from './gate/index.ts';
import { grvt } from './grvt/index.ts';
import { hibachi } from './hibachi/index.ts';
import { htx } from './htx/index.ts';
import { hyperliquid, adapterFor as hyperliquidAdapterFor } from './hyperliquid/index.ts';
import { kraken } from './kraken/index.ts';
import { kucoin } from './kucoin/index.ts';
import { lighter } from './lighter/index.ts';
import { mexc } from './mexc/index.ts';
import { nado } from './nado/index.ts';
import { okx } from './okx/index.ts';
import { orderly } from './orderly/index.ts';
import { pacifica } from './pacifica/index.ts';
import { paradex } from './paradex/index.ts';
import { phemex } from './phemex/index.ts';
import { whitebit } from './whitebit/index.ts';

/** All venues known at start; sub-venues found later come through their parent's discovery. */
export const VENUES: readonly VenueAdapter[] = [
  binance,
  bybit,
  okx,
  bitget,
  gate,
  kucoin,
  mexc,
  htx,
  bingx,
  kraken,
  deribit,
  phemex,
  whitebit,
  cryptocom,
  backpack,
  aster,
  hyperliquid,
  lighter,
  dydx,
  paradex,
  orderly,
  pacifica,
  derive,
  extended,
  grvt,
  apex,
  nado,
  edgex,
  hibachi,
];

/** Builder-deployed dexes that trade now; which are collected is what the venue itself lists. */
const KNOWN_DEXES = ['xyz', 'para', 'io', 'mkts'];

/** Every venue that this build knows by name, with the sub-venues that are collected once their parent lists them. */
export const KNOWN_VENUES: readonly VenueAdapter[] = VENUES.flatMap((venue) =>
  venue === hyperliquid
    ? [venue, ...KNOWN_DEXES.flatMap((dex) => hyperliquidAdapterFor(`hyperliquid-${dex}`) ?? [])]
    : [venue],
);

/** Adapter by identifier, or undefined. `hyperliquid-<dex>` is known for any dex name. */
export function adapterOf(id: VenueId): VenueAdapter | undefined {
  return VENUES.find((venue) => venue.id === id) ?? hyperliquidAdapterFor(id);
}
