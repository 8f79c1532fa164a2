import type { PaymentMode } from '../pay/config.ts';
import type { PriceBook } from '../pay/prices.ts';
import type { ProtectedRoute } from '../pay/types.ts';

/** A payment requirement: one entry of `accepts` with the fields of both generations of the protocol. */
export type PaymentRequirement = Readonly<Record<string, unknown>>;

/** An entry of the catalog of paid resources. */
export type CatalogItem = Readonly<Record<string, unknown>>;

/** What the pages of this service say about payments. The composition root fills it from `pay`. */
export interface PaymentFacts {
  readonly mode: PaymentMode;
  readonly prices: PriceBook;
  /** Whether the facilitator answered when it was last asked; undefined without one, or before the first time. */
  facilitatorOk(): boolean | undefined;
  /** What a settlement is believed on: a receipt read from the chain, or the facilitator's word. */
  readonly settlementProof: 'chain' | 'facilitator' | undefined;
  /** Requirement of a route as its challenge states it; undefined where nothing is sold. */
  requirement(route: ProtectedRoute): PaymentRequirement | undefined;
  /** Catalog entry of a route; undefined where nothing is sold. */
  catalogItem(route: ProtectedRoute): CatalogItem | undefined;
}
