import { reasonOf } from '../runtime/reason-of.ts';
import type { RunningPaywall } from './paywall.ts';
import type { ChainWatch, SchemeSettlement } from './scheme.ts';

const TICK_MS = 2_000;
/** A facilitator that does not answer is asked again so often, in ticks. */
const PROBE_TICKS = 15;
/** Payments that other processes of this host left behind are looked for once in so many ticks. */
const RECOVER_TICKS = 5;
/** Ledger and chain are compared so often. */
const POLL_MS = 300_000;

/** Work that goes on beside requests, until `stop`. */
export interface Loop {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/** One round at a time; the next begins a tick after the last has ended. */
export function backgroundLoop(
  paywall: RunningPaywall,
  recover: () => Promise<void>,
  settlements: readonly Pick<SchemeSettlement, 'ok' | 'probe'>[],
  onError: (cause: unknown) => void,
): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = true;
  let ticks = 0;
  /** The failure of the last round is logged once, until a round succeeds or fails for another reason. */
  let failing: string | undefined;
  const round = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      const silent = settlements.filter(({ ok }) => ok !== true);
      if (ticks % PROBE_TICKS === 0) await Promise.all(silent.map((settlement) => settlement.probe()));
      if (++ticks % RECOVER_TICKS === 0) await recover();
      failing = undefined;
    } catch (cause) {
      if (reasonOf(cause) !== failing) onError(cause);
      failing = reasonOf(cause);
    }
    if (stopped) return;
    timer = setTimeout(() => {
      running = round(() => paywall.reconciler.run());
    }, TICK_MS);
    timer.unref();
  };
  return {
    start() {
      stopped = false;
      running = round(recover);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** One look at a time; one that fails is made again with the next. */
export function lookLoop(
  watch: Pick<ChainWatch, 'everyMs' | 'look'>,
  onError: (cause: unknown) => void,
): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  return {
    start() {
      timer = setInterval(() => {
        running = running.then(() => watch.look()).catch(onError);
      }, watch.everyMs ?? POLL_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
