import type { Api } from '../api/server.ts';
import type { Collector } from '../collect/collector.ts';
import type { LoadWatch } from '../collect/load-watch.ts';
import type { Feed } from '../feed/ports.ts';
import type { History } from '../history/history.ts';
import type { MarketStore } from '../market/stores.ts';
import type { Payments } from '../pay/payments.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import type { OpenModules } from './open-modules.ts';

/** Running parts that have to end. */
export interface Running {
  /** Undefined where it was not opened yet. */
  readonly api?: Api;
  /** Undefined where none was opened yet. */
  readonly modules?: Pick<OpenModules, 'stop'>;
  readonly payments: Payments;
  readonly collector: Collector;
  readonly history: History | undefined;
  readonly store: MarketStore;
  /** Timers that are added while it starts. */
  readonly timers: NodeJS.Timeout[];
  readonly load: LoadWatch;
  readonly feed: Feed;
}

/**
 * Modules end first, since they use all else; then the collector, at once; payments under way are finished, then the stores are
 * closed. A part that fails keeps none of the others from ending.
 *
 * @returns what ends all, once; it rejects at the end with all that failed
 */
export function stopper({
  api,
  modules,
  payments,
  collector,
  history,
  store,
  timers,
  load,
  feed,
}: Running): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  const faults: unknown[] = [];
  const end = async (part: () => Promise<void> | undefined): Promise<void> => {
    try {
      await part();
    } catch (cause) {
      faults.push(cause);
    }
  };
  const stop = async (): Promise<void> => {
    if (modules !== undefined) await end(() => modules.stop());
    for (const timer of timers) clearInterval(timer);
    load.stop();
    const quiet = end(() => collector.stop());
    // Nobody else fills the table: that venues fall silent in it says nothing about them.
    const resting = end(() => (feed.state().kind === 'embedded' ? history?.rest() : undefined));
    // Another host may publish at once the venues that this one collects no more; sellers need the feed to the
    // end.
    if (feed.state().held.length > 0) await end(() => feed.release());
    await end(async () => api?.close());
    await end(() => payments.stop());
    await quiet;
    await resting;
    await end(() => history?.stop());
    await end(() => feed.close());
    await end(() => store.close());
    if (faults.length > 0) throw new AggregateError(faults, `not ended: ${faults.map(reasonOf).join('; ')}`);
  };
  return () => {
    stopped ??= stop();
    return stopped;
  };
}
