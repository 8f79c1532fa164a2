import { hash } from 'node:crypto';

/** An EIP-3009 transfer authorization, as text in canonical form (lower-case hex, plain decimals). */
export interface Authorization {
  readonly from: string;
  readonly to: string;
  /** Atomic units. */
  readonly value: string;
  /** Unix seconds. */
  readonly validAfter: string;
  /** Unix seconds. */
  readonly validBefore: string;
  /** 32 bytes in hex. */
  readonly nonce: string;
}

/** Terms that the buyer says it agreed to; fields it did not state are undefined. */
export interface StatedTerms {
  readonly scheme: string;
  readonly network: string;
  readonly amount: string | undefined;
  readonly asset: string | undefined;
  readonly payTo: string | undefined;
  readonly maxTimeoutSeconds: number | undefined;
}

/** A payment as a request carried it, read but not yet believed. */
export interface Payment {
  readonly authorization: Authorization;
  /** Hex with 0x, lower case; 65 bytes for a plain key, anything for a contract wallet. */
  readonly signature: string;
  readonly terms: StatedTerms;
  /** Address of the resource as the buyer echoes it (v2 only). */
  readonly resourceUrl: string | undefined;
  /** Private id for safe retries. */
  readonly paymentId: string | undefined;
}

/** Twenty bytes in hex: nobody finds two payments with one digest. */
const KEY_DIGITS = 40;

/** The key under which a payment is locked: one product per authorization, on this token of this network. */
export function paymentKey(network: string, asset: string, { from, nonce }: Authorization): string {
  return hash('sha256', `${network}|${asset.toLowerCase()}|${from}|${nonce}`).slice(0, KEY_DIGITS);
}

type Signed = Pick<Payment, 'authorization' | 'signature'>;

/** The same authorization under the same signature. */
export function isSamePayment(a: Signed, b: Signed): boolean {
  const x = a.authorization;
  const y = b.authorization;
  return (
    a.signature === b.signature &&
    x.nonce === y.nonce &&
    x.from === y.from &&
    x.to === y.to &&
    x.value === y.value &&
    x.validAfter === y.validAfter &&
    x.validBefore === y.validBefore
  );
}

/** Hash of the method and the canonical resource of a request. */
export function resourceHash(method: string, resource: string): string {
  return hash('sha256', `${method} ${resource}`);
}

/**
 * The payment identifier as it is stored: one purchase of a payer on a network, whatever it is signed with. The ledger's
 * reader learns nothing of it, and it says nothing of another payer's.
 *
 * @param network CAIP-2
 */
export function paymentIdHash(paymentId: string, network: string, { from }: Authorization): string {
  return hash('sha256', `${network}|${from}|${paymentId}`);
}

/** As ledgers before format 4 stored it, where a payment identifier was one of a single authorization. */
export function formerPaymentIdHash(paymentId: string, { from, nonce }: Authorization): string {
  return hash('sha256', `${from}|${nonce}|${paymentId}`);
}
