import { spotVenueOf } from '../spot/registry.ts';
import type { SpotMarket, SpotTicker } from '../spot/spot-rows.ts';

/** Public taker fee of a market, bps: what its row or its list says is charged, else the base tier of its venue; undefined = unknown. */
export const spotTakerFee = (market: SpotMarket, ticker: SpotTicker): number | undefined =>
  ticker.takerFeeBps ?? market.takerFeeBps ?? spotVenueOf(market.venue)?.takerFeeBps;
