import { createWorld } from '@perpmeter/sim/create-world';
import { SPOT_SIDES } from '@perpmeter/sim/spot/with-spot';
import type { SimRequest } from '@perpmeter/sim/venue';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import type { World } from '@perpmeter/sim/world';
import { emptySpot, type SpotDecoded, type SpotMarket } from '../../src/modules/spot/spot-rows.ts';
import { SPOT_PLANS } from '../../src/modules/spot-market/plan/plans.ts';
import { readAnswer } from '../../src/modules/spot-market/plan/read-answer.ts';
import type { PlannedCall, SpotPlan } from '../../src/modules/spot-market/plan/spot-plan.ts';

/** The plans of venues whose spot side is simulated. */
export const SIMULATED = SPOT_PLANS.filter(({ venue }) => Object.hasOwn(SPOT_SIDES, venue));

export const SPOT_AT = Date.UTC(2026, 9, 20, 13, 20, 0);

/** The body of a simulated venue's answer to a planned call; undefined where it has none. */
export function answerOf(plan: SpotPlan, call: PlannedCall, world: World, now = SPOT_AT): unknown {
  const venue = SIM_VENUES.find(({ id }) => id === plan.venue);
  const { pathname, searchParams } = new URL(call.path, 'http://simulated.invalid');
  const method = call.body === undefined ? 'GET' : 'POST';
  const request: SimRequest = { method, path: pathname, query: searchParams, body: call.body ?? '', now };
  const answer = venue?.rest(request, world);
  return answer === undefined ? undefined : JSON.parse(answer.body);
}

/** A simulated venue's spot side as it is read: its list, its tickers, and its borrow rates. */
export interface ReadSpot {
  readonly list: SpotDecoded;
  readonly tickers: SpotDecoded;
  readonly borrow: SpotDecoded;
}

/** Reads a simulated venue as the service does. */
export function readSimulated(plan: SpotPlan, world: World = createWorld(1), now = SPOT_AT): ReadSpot {
  const read = (call: PlannedCall, markets: ReadonlyMap<string, SpotMarket> = new Map()): SpotDecoded =>
    readAnswer(plan, call, answerOf(plan, call, world, now), markets) ?? emptySpot();
  const list = read(plan.list ?? plan.tickers);
  const markets = new Map(list.markets.map((market) => [market.symbol, market]));
  const coins = list.markets.slice(0, 3).map(({ base }) => plan.borrow?.ofCoin?.(base));
  const calls = [plan.borrow?.list, ...coins].flatMap((call) => call ?? []);
  const borrow = emptySpot();
  for (const call of calls) {
    const { borrow: rows, rejects } = read(call);
    borrow.borrow.push(...rows);
    borrow.rejects.push(...rejects);
  }
  return { list, tickers: read(plan.tickers, markets), borrow };
}
