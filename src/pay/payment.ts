import { hash } from 'node:crypto';
import type { ReadPayment } from './scheme.ts';

/** Terms that the buyer says it agreed to; fields it did not state are undefined. */
export interface StatedTerms {
  readonly scheme: string;
  readonly network: string;
  readonly amount: string | undefined;
  readonly asset: string | undefined;
  readonly payTo: string | undefined;
  readonly maxTimeoutSeconds: number | undefined;
}

/** A payment as a request carried it, read by its scheme but not yet believed. */
export interface Payment<Signed = unknown> extends ReadPayment<Signed> {
  /** Name of the scheme. */
  readonly scheme: string;
  readonly terms: StatedTerms;
  /** Address of the resource as the buyer echoes it (v2 only). */
  readonly resourceUrl: string | undefined;
  /** Private id for safe retries. */
  readonly paymentId: string | undefined;
}

/** Twenty bytes in hex: nobody finds two payments with one digest. */
const KEY_DIGITS = 40;

type Named = Pick<ReadPayment, 'payer' | 'nonce'>;

/** The key under which a payment is locked: one product per nonce of its payer, on this token of this network. */
export function paymentKey(network: string, asset: string, { payer, nonce }: Named): string {
  return hash('sha256', `${network}|${asset.toLowerCase()}|${payer}|${nonce}`).slice(0, KEY_DIGITS);
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
export function paymentIdHash(paymentId: string, network: string, { payer }: Pick<Named, 'payer'>): string {
  return hash('sha256', `${network}|${payer}|${paymentId}`);
}

/** As ledgers before format 4 stored it, where a payment identifier was one of a single payment. */
export function formerPaymentIdHash(paymentId: string, { payer, nonce }: Named): string {
  return hash('sha256', `${payer}|${nonce}|${paymentId}`);
}
