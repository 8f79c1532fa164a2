import type { MetricRow } from '../../host/metrics/metric-set.ts';
import type { DeliveryCounts } from './firing.ts';

/** Firings by their end at a receiver since the start of the process, and those that wait. */
export function deliveryMetrics(deliveries: { readonly counts: DeliveryCounts }): readonly MetricRow[] {
  return [
    {
      name: 'perpmeter_watch_deliveries_total',
      help: 'Firings that receivers have taken (delivered), or were given up after an hour (failed).',
      labels: ['outcome'],
      read: (add) => {
        const { delivered, failed } = deliveries.counts;
        add({ outcome: 'delivered' }, delivered);
        add({ outcome: 'failed' }, failed);
      },
    },
    {
      name: 'perpmeter_watch_deliveries_forbidden_total',
      help: 'Requests that were not made, since a receiver has an address that is not public.',
      read: (add) => add({}, deliveries.counts.refused),
    },
    {
      name: 'perpmeter_watch_deliveries_waiting',
      help: 'Firings that wait for their receivers.',
      read: (set) => set({}, deliveries.counts.waiting),
    },
  ];
}
