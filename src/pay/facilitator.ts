import { type BazaarExtension, bazaarExtension } from './bazaar.ts';
import type { Authorization } from './payment.ts';
import { type PaymentRecord, pathOf } from './record.ts';
import { type CoreRequirement, coreRequirement, MIME_TYPE } from './requirement.ts';
import type { Seller } from './seller.ts';
import type { ProtectedRoute } from './types.ts';

/** The terms that a facilitator verifies and settles: strictly v2, with no words but our own. */
export interface SettlementRequest {
  readonly requirement: CoreRequirement;
  readonly authorization: Authorization;
  readonly signature: string;
  readonly resource: {
    readonly url: string;
    readonly description: string;
    readonly mimeType: string;
    readonly serviceName: string;
    readonly tags: readonly string[];
    readonly iconUrl: string;
  };
  /** Lists the resource in the facilitator's catalog once a payment settles. */
  readonly bazaar: BazaarExtension;
}

/**
 * The facilitator's view of a payment: our own terms, and the authorization as it was signed.
 *
 * @param bazaar the extension of the route, where it was made before
 */
export function settlementRequest(
  seller: Seller,
  route: ProtectedRoute,
  record: Pick<PaymentRecord, 'resource' | 'amount' | 'authorization' | 'signature'>,
  bazaar: BazaarExtension = bazaarExtension(route),
): SettlementRequest {
  return {
    requirement: coreRequirement(seller, BigInt(record.amount)),
    authorization: record.authorization,
    signature: record.signature,
    resource: {
      url: seller.baseUrl + pathOf(record),
      description: route.description,
      mimeType: MIME_TYPE,
      serviceName: seller.serviceName,
      tags: route.tags,
      iconUrl: seller.iconUrl,
    },
    bazaar,
  };
}

export type VerifyOutcome =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly reason: string }
  /** No answer, or none that makes sense. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export type SettleOutcome =
  | { readonly kind: 'settled'; readonly transaction: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly transaction: string | undefined }
  /** The request certainly did not reach the facilitator or was turned away unread: no money moved. */
  | { readonly kind: 'unsent'; readonly reason: string }
  /**
   * Money may or may not have moved. `pending`: it was broadcast, asking again with the same payload may tell. `failed`:
   * no word about the payment, but a 5xx, a broken connection, nonsense, or nothing in time.
   */
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      readonly pending: boolean;
      readonly failed?: boolean;
      readonly transaction: string | undefined;
    };

export interface VerifyOptions {
  /** The local signature check did not match: a fault of the facilitator over it says nothing about the facilitator. */
  readonly doubtful: boolean;
}

/** Checks and settles payments. Both calls are bounded in time and never reject. */
export interface Facilitator {
  /** Written into the ledger before it is asked to settle; stable over restarts, free of secrets. */
  readonly name: string;
  verify(request: SettlementRequest, options: VerifyOptions): Promise<VerifyOutcome>;
  settle(request: SettlementRequest): Promise<SettleOutcome>;
  /** Asks what is supported, to learn whether it answers; never rejects. */
  probe(): Promise<void>;
  /** True if it last answered sensibly; undefined before the first answer. */
  readonly ok: boolean | undefined;
  /** True while its circuit breaker is open: after failures in a row it is not asked to verify. */
  readonly isResting?: boolean;
  /** Gives up what it does in the background, where it does. */
  stop?(): void;
}
