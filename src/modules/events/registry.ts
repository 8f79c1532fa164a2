import type { EventVenue } from './event-venue.ts';
import { apex } from './venues/apex.ts';
import { aster } from './venues/aster.ts';
import { backpack } from './venues/backpack.ts';
import { binance } from './venues/binance.ts';
import { bingx } from './venues/bingx.ts';
import { bitget } from './venues/bitget.ts';
import { bybit } from './venues/bybit.ts';
import { cryptocom } from './venues/cryptocom.ts';
import { deribit } from './venues/deribit.ts';
import { derive } from './venues/derive.ts';
import { dydx } from './venues/dydx.ts';
import { edgex } from './venues/edgex.ts';
import { extended } from './venues/extended.ts';
import { gate } from './venues/gate.ts';
import { grvt } from './venues/grvt.ts';
import { hibachi } from './venues/hibachi.ts';
import { htx } from './venues/htx.ts';
import { hyperliquid, hyperliquidEvents } from './venues/hyperliquid.ts';
import { kraken } from './venues/kraken.ts';
import { kucoin } from './venues/kucoin.ts';
import { lighter } from './venues/lighter.ts';
import { mexc } from './venues/mexc.ts';
import { nado } from './venues/nado.ts';
import { okx } from './venues/okx.ts';
import { orderly } from './venues/orderly.ts';
import { pacifica } from './venues/pacifica.ts';
import { paradex } from './venues/paradex.ts';
import { phemex } from './venues/phemex.ts';
import { whitebit } from './venues/whitebit.ts';

/** Every venue whose liquidations or trades are read. */
export const EVENT_VENUES: readonly EventVenue[] = [
  apex,
  aster,
  backpack,
  binance,
  bingx,
  bitget,
  bybit,
  cryptocom,
  deribit,
  derive,
  dydx,
  edgex,
  extended,
  gate,
  grvt,
  hibachi,
  htx,
  hyperliquid,
  kraken,
  kucoin,
  lighter,
  mexc,
  nado,
  okx,
  orderly,
  pacifica,
  paradex,
  phemex,
  whitebit,
];

const OF_A_DEX = /^hyperliquid-(.+)$/;

/** The events of a venue; `hyperliquid-<dex>` is known for any name of a dex. */
export function eventVenueOf(id: string): EventVenue | undefined {
  const dex = OF_A_DEX.exec(id)?.[1];
  return dex === undefined ? EVENT_VENUES.find((venue) => venue.id === id) : hyperliquidEvents(dex);
}
