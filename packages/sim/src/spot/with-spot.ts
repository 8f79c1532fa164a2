import type { SimVenue } from '../venue.ts';
import type { SpotRest } from './spot-answer.ts';
import {
  binanceCandles,
  bitgetCandles,
  bybitCandles,
  type CandleCall,
  gateCandles,
  hyperliquidCandles,
  okxCandles,
  spotCandles,
} from './spot-candles.ts';
import { backpackSpot } from './venues/backpack.ts';
import { BLOCKS, binanceSpot, digits } from './venues/binance-form.ts';
import { bingxSpot } from './venues/bingx.ts';
import { bitgetSpot, NAMES } from './venues/bitget.ts';
import { bybitSpot } from './venues/bybit.ts';
import { cryptocomSpot } from './venues/cryptocom.ts';
import { gateSpot } from './venues/gate.ts';
import { htxSpot } from './venues/htx.ts';
import { hyperliquidSpot, tokenOf } from './venues/hyperliquid.ts';
import { krakenSpot } from './venues/kraken.ts';
import { kucoinSpot } from './venues/kucoin.ts';
import { lighterSpot } from './venues/lighter.ts';
import { okxSpot } from './venues/okx.ts';
import { whitebitSpot } from './venues/whitebit.ts';

/** The spot sides that are simulated, by venue. */
export const SPOT_SIDES: Readonly<Record<string, SpotRest>> = {
  aster: binanceSpot(),
  backpack: backpackSpot,
  binance: binanceSpot(),
  bingx: bingxSpot,
  bitget: bitgetSpot,
  bybit: bybitSpot,
  cryptocom: cryptocomSpot,
  gate: gateSpot,
  htx: htxSpot,
  hyperliquid: hyperliquidSpot,
  kraken: krakenSpot,
  kucoin: kucoinSpot,
  lighter: lighterSpot,
  mexc: binanceSpot(digits),
  okx: okxSpot,
  whitebit: whitebitSpot,
};

/** Calls for candles of the sides that the service asks for them. */
const CANDLES: Readonly<Record<string, CandleCall>> = {
  binance: binanceCandles(BLOCKS),
  bitget: bitgetCandles(NAMES),
  bybit: bybitCandles,
  gate: gateCandles,
  hyperliquid: hyperliquidCandles(({ asset }) => tokenOf(asset.ticker)),
  okx: okxCandles,
};

/** A venue with its spot side at the same address: hosts of spot alone are mounted there, too. */
export function withSpot(venue: SimVenue): SimVenue {
  const spot = SPOT_SIDES[venue.id];
  if (spot === undefined) return venue;
  const candles = CANDLES[venue.id];
  return {
    ...venue,
    rest: (request, world) =>
      spot(request, world, venue) ??
      (candles && spotCandles(candles, request, world, venue)) ??
      venue.rest(request, world),
  };
}
