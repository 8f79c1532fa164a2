import { asMs } from '../domain/units.ts';
import type { Ledger } from './ledger.ts';
import type { PaywallParts } from './paywall-context.ts';
import type { PaymentRecord } from './record.ts';
import { paidReply } from './replies.ts';
import type { HttpReply, PaywallReply } from './types.ts';

/** An answer that was handed out is awaited for so long before it can be fetched again. */
const DELIVERY_LEASE_MS = 60_000;

type DeliveryParts = Pick<PaywallParts, 'ledger' | 'clock' | 'background'>;

/** The paid answer, with the word back whether it arrived. */
export function deliver(parts: DeliveryParts, record: PaymentRecord, answer: HttpReply): PaywallReply {
  let said = false;
  return {
    ...paidReply(record, answer),
    sent(complete) {
      if (said) return;
      said = true;
      parts.background(complete ? markDelivered(parts, record) : markUndelivered(parts.ledger, record));
    },
  };
}

/** The lease under which a settled answer is on its way to the buyer. */
export function deliveryLease({
  clock,
  ledger,
}: Pick<PaywallParts, 'clock' | 'ledger'>): Pick<PaymentRecord, 'owner' | 'leaseUntil'> {
  return { owner: ledger.owner, leaseUntil: asMs(clock.now() + DELIVERY_LEASE_MS) };
}

/** Delivered: kept on only for a buyer who can show the private id of the first request. */
function markDelivered({ ledger, clock }: DeliveryParts, settled: PaymentRecord): Promise<void> {
  return retried(ledger, settled, (record) => {
    if (record.paymentIdHash === undefined) return ledger.arrived(record);
    return ledger.change(record, { state: 'delivered', deliveredAt: clock.now(), leaseUntil: undefined });
  });
}

function markUndelivered(ledger: Ledger, settled: PaymentRecord): Promise<void> {
  return retried(ledger, settled, (record) => ledger.change(record, { leaseUntil: undefined }));
}

/** Most often nobody has touched the record since it was settled. */
async function retried(
  ledger: Ledger,
  settled: PaymentRecord,
  change: (record: PaymentRecord) => Promise<PaymentRecord | boolean | undefined>,
): Promise<void> {
  let record: PaymentRecord | undefined = settled;
  for (let i = 0; i < 5 && record?.state === 'settled'; i++) {
    if (await change(record)) return;
    record = ledger.get(settled.key);
  }
}
