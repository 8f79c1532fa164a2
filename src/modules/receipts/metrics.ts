import { type MetricRow, onceATurn } from '../../host/metrics/metric-set.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import type { Receipts } from './port.ts';

/** Counts of signatures, and the signing keys. */
export function receiptMetrics({ roots, issued }: Receipts): readonly MetricRow[] {
  const state = onceATurn(() => roots.state());
  return [
    {
      name: 'perpmeter_receipts_issued_total',
      help: 'Sales for which receipts were signed.',
      read: (add) => add({}, issued()),
    },
    {
      name: 'perpmeter_receipt_roots_end_timestamp_seconds',
      help: 'End of the last day whose receipts have a signed root; no value before the first.',
      read: async (set) => {
        const { rootsTo } = await state();
        if (rootsTo !== undefined) set({}, rootsTo / SECOND_MS);
      },
    },
    {
      name: 'perpmeter_receipt_keys',
      help: 'Published keys of receipts, those that ended among them.',
      read: async (set) => set({}, (await state()).keys),
    },
    {
      name: 'perpmeter_receipt_key_start_timestamp_seconds',
      help: 'Since when the key that signs receipts does; no value where none does.',
      read: async (set) => {
        const { keyFrom } = await state();
        if (keyFrom !== undefined) set({}, keyFrom / SECOND_MS);
      },
    },
  ];
}
