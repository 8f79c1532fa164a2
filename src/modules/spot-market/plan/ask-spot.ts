import { BudgetRegistry } from '../../../collect/budget.ts';
import { emptyCallStats } from '../../../collect/call-stats.ts';
import type { Collector } from '../../../collect/collector.ts';
import { HttpClient } from '../../../collect/http-client.ts';
import { PRIORITY } from '../../../collect/priority.ts';
import { failed, type Outcome } from '../../../collect/transport-failure.ts';
import { type Answer, VenueCaller } from '../../../collect/venue-caller.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Timer } from '../../../runtime/timer.ts';
import { MAX_ANSWER_BYTES } from '../../../venues/answer-bound.ts';
import type { VenueRequest } from '../../../venues/call.ts';
import type { OwnHost, PlannedCall, SpotPlan } from './spot-plan.ts';

/** Asks venues for their spot side. */
export interface AskSpot {
  /** Never rejects: what went wrong is the failure. */
  ask(
    plan: SpotPlan,
    call: PlannedCall,
    signal: AbortSignal,
    /** Default: that of the polls of all contracts. */
    priority?: number,
  ): Promise<Outcome<Answer>>;
  /** Drops connections to hosts of spot alone. */
  close(): Promise<void>;
}

interface AskOptions {
  readonly collector: Pick<Collector, 'request' | 'adapters'>;
  /** Addresses in place of the venues' own: `spot` is that of a host of spot alone. */
  readonly bases: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: () => number;
}

/** Name of the base in `bases` that a host of spot alone is replaced by. */
const OWN = 'spot';

/**
 * Asks by the venue's own collector where spot has the host of the perpetuals: within their budget, among its
 * bulk polls, and not at all while the venue is paused. A host of spot alone has a budget of its own. Where the operator has replaced a
 * venue's addresses and not this one, it is not asked: a simulated venue is never mixed with a real one.
 */
export function askSpot({ collector, bases, clock, timer, random }: AskOptions): AskSpot {
  const http = new HttpClient();
  const budgets = new BudgetRegistry({ clock, timer });
  const callers = new Map<string, VenueCaller>();
  const callerOf = ({ venue }: SpotPlan, { address, budget }: OwnHost): VenueCaller | undefined => {
    const replaced = bases[venue];
    const base = replaced === undefined ? address : replaced[OWN];
    if (base === undefined) return undefined;
    const known = callers.get(venue);
    if (known !== undefined) return known;
    const made = new VenueCaller({
      venue,
      bases: { [OWN]: base },
      http,
      budget: budgets.of(budget),
      clock,
      circuit: { timer, random },
    });
    callers.set(venue, made);
    return made;
  };
  return {
    ask: (plan, call, signal, priority = PRIORITY.bulk) => {
      const { venue, host } = plan;
      const pool = call.pool ?? plan.pool;
      const adapter = collector.adapters().find(({ id }) => id === venue);
      if (adapter === undefined) return Promise.resolve(failed('refused', 'the venue is not collected'));
      const weight = call.weight ?? 1;
      if (typeof host === 'string') {
        const prefix = new URL(adapter.bases[host] ?? '').pathname.replace(/\/$/, '');
        const path = call.path.startsWith(`${prefix}/`) ? call.path.slice(prefix.length) : call.path;
        const terms = { weight, priority, maxBytes: MAX_ANSWER_BYTES, ...(pool !== undefined && { pool }) };
        return collector.request(venue, requestOf({ ...call, path }, host), terms);
      }
      const caller = callerOf(plan, host);
      if (caller === undefined)
        return Promise.resolve(failed('refused', 'no address of its spot side is given'));
      const terms = { pool: undefined, weight, priority, maxBytes: MAX_ANSWER_BYTES };
      return caller.call(requestOf(call, OWN), { ...terms, signal, stats: emptyCallStats() });
    },
    close: () => http.close(),
  };
}

/** The request of a planned call. */
export const requestOf = ({ path, body }: PlannedCall, base: string): VenueRequest =>
  body === undefined ? { method: 'GET', path, base } : { method: 'POST', path, body, base };
