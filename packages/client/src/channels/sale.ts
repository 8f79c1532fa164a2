import { randomHex } from '../payment.ts';
import type { Order } from '../scheme.ts';
import type { PaymentRecord } from '../store.ts';
import type { ChannelConfig, PendingDeposit } from './channel.ts';
import type { Plan } from './plan.ts';
import type { ChannelTerms } from './terms.ts';

/** The channel by which an order can be paid. */
export interface Way {
  readonly id: string;
  readonly config: ChannelConfig;
  readonly terms: ChannelTerms;
}

/** A voucher on its way. */
export interface Sale {
  readonly way: Way;
  readonly total: bigint;
  readonly deposit: PendingDeposit | undefined;
  readonly record: PaymentRecord;
  /** The total that the caps had counted before. */
  readonly countedBefore: string;
  /** Times that the seller has set this call right. */
  readonly corrections: number;
  leave: () => void;
  isOver: boolean;
  /** Another request was paid by the same voucher. */
  isUsed: boolean;
}

/** The record of a voucher in the store of payments. @param now ms since 1970 */
export function paymentOf(
  { url, requirement }: Order,
  way: Way,
  { increment }: Plan,
  now: number,
): PaymentRecord {
  const { network, asset, payTo } = requirement;
  return {
    nonce: `0x${randomHex(32)}`,
    at: now,
    amount: increment.toString(),
    channel: way.id,
    path: url.pathname + url.search,
    network,
    asset,
    payTo,
    state: 'signing',
  };
}
