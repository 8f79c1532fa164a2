import type { World } from '@perpmeter/sim/world';
import { spotVenueOf } from '../../../src/modules/spot/registry.ts';
import type { SpotDecoded, SpotMarket, SpotTicker } from '../../../src/modules/spot/spot-rows.ts';
import { readAnswer } from '../../../src/modules/spot-market/plan/read-answer.ts';
import type { SpotPlan } from '../../../src/modules/spot-market/plan/spot-plan.ts';
import { answerOf, readSimulated } from '../../spot/simulated-spot.ts';
import { AT } from '../simulation.ts';
import { type ReadBook, SAMPLED, type SpotReading, type SpotReadings } from './spot-reading.ts';

/** Our reading of a simulated venue's spot side, in the units of the venue's own base. */
export function ownSpot(plan: SpotPlan, world: World): SpotReadings {
  const { list, tickers } = readSimulated(plan, world, AT);
  const markets = new Map(list.markets.map((market) => [market.symbol, market]));
  const found = new Map(tickers.tickers.map((ticker) => [ticker.symbol, ticker]));
  const ask = (call: Parameters<typeof readAnswer>[1]): SpotDecoded | undefined =>
    readAnswer(plan, call, answerOf(plan, call, world, AT), markets);
  return new Map(
    list.markets.map((market, place): [string, SpotReading] => {
      const reading = reads(market, found.get(market.symbol));
      if (place >= SAMPLED * 4) return [market.symbol, reading];
      const book = ask(plan.book.of(market))?.books[0];
      const borrow = plan.borrow?.ofCoin && ask(plan.borrow.ofCoin(market.base))?.borrow[0]?.ratePerHour;
      return [market.symbol, { ...reading, book: book && inVenueUnits(market, book), borrow }];
    }),
  );
}

function reads(market: SpotMarket, ticker: SpotTicker | undefined): SpotReading {
  const { multiplier, tick, lot, minSize, minQuote, minUsd, takerFeeBps } = market;
  const price = (value: number | undefined) => value && value * multiplier;
  const amount = (value: number | undefined) => value && value / multiplier;
  return {
    bestBid: price(ticker?.bestBid),
    bestBidSize: amount(ticker?.bestBidSize),
    bestAsk: price(ticker?.bestAsk),
    bestAskSize: amount(ticker?.bestAskSize),
    lastPrice: price(ticker?.lastPrice),
    volumeBase: amount(ticker?.volume24hBase),
    volumeQuote: ticker?.volume24hQuote ?? ticker?.volume24hUsd,
    tick: price(tick),
    lot: amount(lot),
    minSize: amount(minSize),
    minQuote: minQuote ?? minUsd,
    takerFeeBps: ticker?.takerFeeBps ?? takerFeeBps ?? spotVenueOf(market.venue)?.takerFeeBps,
  };
}

function inVenueUnits(
  { multiplier }: SpotMarket,
  { bids, asks }: Pick<SpotDecoded['books'][number], 'bids' | 'asks'>,
): ReadBook {
  const side = (levels: typeof bids) =>
    levels.slice(0, 5).map(([price, size]) => [price * multiplier, size / multiplier] as const);
  return { bids: side(bids), asks: side(asks) };
}
