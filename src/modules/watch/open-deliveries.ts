import type { Host } from '../../host/module.ts';
import { systemTimer } from '../../runtime/timer.ts';
import { RECEIPTS } from '../receipts/port.ts';
import { Deliveries } from '../webhook/deliveries.ts';
import type { DeliveredWatch } from '../webhook/firing.ts';
import { Outbound } from '../webhook/outbound.ts';
import { SETTINGS } from '../webhook/settings.ts';
import { firingWords } from '../webhook/words.ts';
import { firingRow } from './firing-row.ts';
import type { WatchStores } from './open-stores.ts';
import type { WatchListener } from './watch-listener.ts';
import type { WatchRecord } from './watch-record.ts';

const deliveredOf = ({ id, condition, rule, format, endsAt }: WatchRecord): DeliveredWatch => ({
  id,
  webhook: condition.webhook,
  isOperators: rule !== undefined,
  format,
  endsAt,
});

/** Webhooks of watches, with what tells them of firings. */
export function openDeliveries(
  host: Host,
  { store, records, clock }: Pick<WatchStores, 'store' | 'records' | 'clock'>,
  term: () => number,
) {
  const { readPort, report, settings } = host;
  const deliveries = new Deliveries({
    store,
    records,
    outbound: new Outbound(),
    sign: (payload, type) => readPort(RECEIPTS)?.sign(payload, type),
    rules: { allowLoopback: settings(SETTINGS).watchLoopback === 'on' },
    term,
    bodyOf: firingRow,
    wordsOf: firingWords,
    clock,
    timer: systemTimer,
    report,
  });
  const listener: WatchListener = {
    held: (record) => deliveries.add(deliveredOf(record)),
    released: (id) => deliveries.remove(id),
    forgotten: (id) => {
      deliveries.forget(id).catch((error: unknown) => report({ at: 'watch', error }));
    },
    told: (firing) => deliveries.queue(firing),
  };
  return { deliveries, listener };
}
