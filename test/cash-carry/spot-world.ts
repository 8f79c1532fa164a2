import type { World } from '@perpmeter/sim/world';
import { silentLogger } from '../../src/collect/logger.ts';
import { failed } from '../../src/collect/transport-failure.ts';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import { createRegistry } from '../../src/market/registry/lookup.ts';
import type { MarketView } from '../../src/market/view.ts';
import { emptySpot, type SpotDecoded } from '../../src/modules/spot/spot-rows.ts';
import { SpotBooks } from '../../src/modules/spot-market/books/spot-books.ts';
import type { BorrowStore } from '../../src/modules/spot-market/borrow/borrow-store.ts';
import { BorrowTable } from '../../src/modules/spot-market/borrow/borrow-table.ts';
import { type OfferedCoin, SpotTable } from '../../src/modules/spot-market/market/spot-table.ts';
import { readAnswer } from '../../src/modules/spot-market/plan/read-answer.ts';
import { callName, type PlannedCall, type SpotPlan } from '../../src/modules/spot-market/plan/spot-plan.ts';
import type { SpotSide } from '../../src/modules/spot-market/port.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { answerOf, readSimulated, SIMULATED } from '../spot/simulated-spot.ts';

const forgetful: BorrowStore = {
  day: () => undefined,
  save: () => undefined,
  dropBefore: () => undefined,
  close: async () => undefined,
};

/** Borrow rates of every coin that a venue lends. */
function takeBorrow(
  plan: SpotPlan,
  table: BorrowTable,
  coins: readonly OfferedCoin[],
  world: World,
  at: UnixMs,
) {
  if (plan.borrow === undefined) return;
  const { list, ofCoin } = plan.borrow;
  const read = (call: PlannedCall): SpotDecoded =>
    readAnswer(plan, call, answerOf(plan, call, world, at), new Map()) ?? emptySpot();
  table.takeList(plan.venue, callName(list), read(list), at);
  if (ofCoin === undefined) return;
  for (const { base, ticker } of coins)
    if (table.mayLend(plan.venue, callName(list), ticker))
      table.take(plan.venue, callName(ofCoin(base)), read(ofCoin(base)), at);
}

/** Borrow rates are read less often than prices are. */
export const borrowedAt = (at: UnixMs): UnixMs => asMs(at - 10 * MINUTE_MS);

/** The spot side of a simulated world at one moment, as the real parts read it; books are fetched when they are read. */
export function spotWorld(world: World, perps: MarketView, at: UnixMs): SpotSide {
  const clock = { now: () => asMs(at) };
  const spot = new SpotTable(createRegistry(), perps);
  const borrow = new BorrowTable(forgetful, clock);
  for (const plan of SIMULATED) {
    const { list, tickers } = readSimulated(plan, world, at);
    spot.takeList(plan.venue, list, at);
    spot.takeTickers(plan.venue, tickers, at);
    takeBorrow(plan, borrow, spot.offeredCoins(plan.venue), world, borrowedAt(at));
  }
  const ask = {
    ask: async (plan: SpotPlan, call: PlannedCall) => {
      const payload = answerOf(plan, call, world, at);
      if (payload === undefined) return failed('timeout', 'late');
      return { ok: true as const, value: { payload, receivedAt: clock.now() } };
    },
  };
  const books = new SpotBooks({
    plans: SIMULATED,
    ask,
    spot,
    clock,
    logger: silentLogger,
    isHeld: () => false,
  });
  return { spot, borrow, books: books.view, read: async () => undefined };
}
