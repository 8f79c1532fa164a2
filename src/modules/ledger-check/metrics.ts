import type { MetricRow } from '../../host/metrics/metric-set.ts';
import type { ChainWatchState } from '../../pay/scheme.ts';
import { SECOND_MS } from '../../runtime/duration.ts';

/** Metrics of the comparison. */
export const checkMetrics = (stateOf: () => ChainWatchState | undefined): readonly MetricRow[] => [
  {
    name: 'perpmeter_ledger_chain_differences_total',
    help: 'Differences between the ledger and the transfers on the chain.',
    labels: ['kind'],
    read: (add) => {
      for (const [kind, count] of stateOf()?.differences ?? []) add({ kind }, count);
    },
  },
  {
    name: 'perpmeter_ledger_chain_compared_timestamp_seconds',
    help: 'Up to when ledger and chain were compared; no value without a node to ask.',
    read: (set) => {
      const state = stateOf();
      if (state !== undefined) set({}, state.comparedTo / SECOND_MS);
    },
  },
];
