import type { UnixMs } from '../domain/units.ts';
import type { BazaarExtension } from './bazaar.ts';
import { pathOf } from './record.ts';
import { type CoreRequirement, MIME_TYPE } from './requirement.ts';
import type { Seller } from './seller.ts';
import type { ProtectedRoute } from './types.ts';

/** The resource as a facilitator lists it. */
interface ListedResource {
  readonly url: string;
  readonly description: string;
  readonly mimeType: string;
  readonly serviceName: string;
  readonly tags: readonly string[];
  readonly iconUrl: string;
}

/** The terms that a facilitator verifies and settles: strictly v2, with no words but our own. */
export interface SettlementRequest<Payload extends object = object> {
  readonly requirement: CoreRequirement;
  /** Address in lower case. */
  readonly payer: string;
  /** The signed payload, as its scheme writes it. */
  readonly payload: Payload;
  /** Atomic units that settling it moves; undefined: the price; null: not known before. */
  readonly moves?: string | null;
  /** Undefined of what is no sale. */
  readonly resource?: ListedResource;
  /** Lists the resource in the facilitator's catalog once a payment settles. */
  readonly bazaar?: BazaarExtension;
}

/** The resource of a route, at the path that was asked for. */
export function resourceOf(
  { baseUrl, serviceName, iconUrl }: Seller,
  { description, tags }: ProtectedRoute,
  resource: string,
): ListedResource {
  return {
    url: baseUrl + pathOf({ resource }),
    description,
    mimeType: MIME_TYPE,
    serviceName,
    tags,
    iconUrl,
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

/** The reason where an account that settles has too little gas. */
export const OUT_OF_GAS = 'facilitator_out_of_gas';

/** The gas of an account that settles, in transactions of the largest kind that it is to pay for at the price of now. */
export interface GasReserve {
  /** Pays the gas. */
  readonly address: string;
  /** So many transactions it can pay for; undefined where it was not seen for minutes. */
  readonly transactions: number | undefined;
  /** When it was seen. */
  readonly seenAt: UnixMs;
  /** True below twenty: nothing is taken on that needs further transactions later. False where that is not known. */
  readonly isLow: boolean;
  /** True below ten: what is left is for what was sold before. False where that is not known. */
  readonly isShort: boolean;
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
  /** The gas of its account where that is the operator's; undefined before the first look, too. */
  readonly gas?: GasReserve | undefined;
  /** Gives up what it does in the background, where it does. */
  stop?(): void;
}
