import type { Collector } from '../../collect/collector.ts';
import type { CollectLogger } from '../../collect/logger.ts';
import type { Clock } from '../../domain/clock.ts';
import type { History } from '../../history/history.ts';
import type { MarketView } from '../../market/view.ts';
import { Backfill } from './backfill.ts';
import type { Progress } from './progress.ts';

export interface BackfillSettings {
  /** The length of the filled span, days. */
  readonly days: number;
  readonly contractsPerVenue: number;
}

export interface OpenBackfillOptions extends BackfillSettings {
  readonly collector: Collector;
  readonly view: MarketView;
  readonly history: History;
  readonly progress: Progress;
  readonly priorityAssets: readonly string[];
  readonly isHeld?: () => boolean;
  readonly areAllLive: () => boolean;
  readonly clock: Clock;
  readonly logger: CollectLogger;
}

/** A back-fill over the running parts of a service; nothing is asked before it is started. */
export function openBackfill(options: OpenBackfillOptions): Backfill {
  const { collector, view, history, ...others } = options;
  return new Backfill({
    venues: () => collector.adapters(),
    instruments: (venue) => collector.instruments(venue),
    rows: () => view.rows(),
    contractAt: history.contractAt,
    send: (venue, request, terms) => collector.request(venue, request, terms),
    take: (values) => history.take(values),
    ...others,
  });
}
