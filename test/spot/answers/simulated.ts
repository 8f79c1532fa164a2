import { createWorld } from '@perpmeter/sim/create-world';
import type { PlannedCall } from '../../../src/modules/spot-market/plan/spot-plan.ts';
import { answerOf, readSimulated, SIMULATED } from '../simulated-spot.ts';
import type { SpotAnswer } from './answer.ts';

/** Rows and levels of each list that are kept: damage to one row is damage to any. */
const KEPT = 3;

/** The same with the beginning of each list and of each object by market alone. */
function shortened(payload: unknown): unknown {
  if (Array.isArray(payload)) return payload.slice(0, KEPT).map(shortened);
  if (typeof payload !== 'object' || payload === null) return payload;
  const entries = Object.entries(payload);
  const isTable = entries.length > 20 && entries.every(([, value]) => typeof value === 'object');
  return Object.fromEntries(
    (isTable ? entries.slice(0, KEPT) : entries).map(([name, value]) => [name, shortened(value)]),
  );
}

const urlOf = ({ path, body }: PlannedCall): string => (body === undefined ? path : `POST ${path} ${body}`);

/** Answers of the simulated venues to every call of the spot plans, each with a few rows. */
export function simulatedAnswers(): readonly SpotAnswer[] {
  const world = createWorld(1);
  return SIMULATED.flatMap((plan) => {
    const [market] = readSimulated(plan, world).list.markets;
    const { list, tickers, borrow, book } = plan;
    const ofOne = market === undefined ? [] : [book.of(market), borrow?.ofCoin?.(market.base)];
    return [list, tickers, borrow?.list, ...ofOne].flatMap((call) => {
      const payload = call && answerOf(plan, call, world);
      return call === undefined || payload === undefined
        ? []
        : [{ venue: plan.venue, url: urlOf(call), payload: shortened(payload) }];
    });
  });
}
