import type { PaymentHealth } from '../pay/payments.ts';
import type { PriceSchedule } from '../pay/prices.ts';
import type { SchemeOffer } from '../pay/scheme.ts';
import type { Seller } from '../pay/seller.ts';

/** Payment terms as the pages of this service show them. */
export interface PaymentInfo {
  readonly prices: PriceSchedule;
  /** Undefined where nothing is charged. */
  readonly seller: Seller | undefined;
  /** The ways of paying, in the order in which they are offered. */
  readonly offers: readonly SchemeOffer[];
  health(): PaymentHealth;
}
