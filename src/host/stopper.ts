import type { Api } from '../api/server.ts';
import type { AuditStores } from '../audit/audit-stores.ts';
import type { SecondReading } from '../audit/second-reading.ts';
import type { Collector } from '../collect/collector.ts';
import type { LoadWatch } from '../collect/load-watch.ts';
import type { Clock } from '../domain/clock.ts';
import type { Feed } from '../feed/ports.ts';
import type { History } from '../history/history.ts';
import type { MarketStore } from '../market/stores.ts';
import type { Payments } from '../pay/payments.ts';
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
  readonly secondReading: SecondReading;
  readonly audit: AuditStores;
  readonly clock: Clock;
  /** Timers that are added while it starts. */
  readonly timers: NodeJS.Timeout[];
  readonly load: LoadWatch;
  readonly feed: Feed;
}

/**
 * Modules end first, since they use all else; then the collector, at once; payments under way are finished, then the stores are closed.
 */
export function stopper({
  api,
  modules,
  payments,
  collector,
  history,
  store,
  secondReading,
  audit,
  clock,
  timers,
  load,
  feed,
}: Running): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    if (modules !== undefined) await modules.stop();
    for (const timer of timers) clearInterval(timer);
    load.stop();
    const quiet = collector.stop();
    // Nobody else fills the table: that venues fall silent in it says nothing about them.
    const resting = feed.state().kind === 'embedded' ? history?.rest() : undefined;
    // Another host may publish at once the venues that this one collects no more; sellers need the feed to the
    // end.
    if (feed.state().held.length > 0) await feed.release();
    await api?.close();
    await payments.stop();
    await quiet;
    await resting;
    await secondReading.stop();
    await history?.stop();
    await feed.close();
    await store.close();
    await audit.stop(clock.now());
  };
  return () => {
    stopped ??= stop();
    return stopped;
  };
}
