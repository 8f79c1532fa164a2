import type { Receipt } from '../../packages/client/src/index.ts';
import { answered, done, opener } from './database.ts';

/** A bought answer as it is kept in this browser until it expires. */
export interface KeptPurchase {
  readonly path: string;
  /** Time of the purchase, ms by the service's clock. */
  readonly at: number;
  /** From then on it is not shown any more, ms by the service's clock. */
  readonly expiresAt: number;
  /** The same by this machine's clock: the service's is not known before its first answer. */
  readonly dropAt: number;
  /** Atomic units of the token. */
  readonly amount: string;
  readonly receipt: Receipt | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The answer, byte for byte. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Answers are of the moment of their purchase: a day later they are none of the present. */
export const KEPT_MS = 86_400_000;

const PURCHASES = 'purchases';
const database = opener('perpmeter-purchases', PURCHASES, 'path');

/** Keeps a purchase in the place of an earlier one of the same path. Rejects where the browser keeps nothing. */
export async function keepPurchase(purchase: KeptPurchase): Promise<void> {
  const transaction = (await database()).transaction(PURCHASES, 'readwrite');
  const end = done(transaction);
  transaction.objectStore(PURCHASES).put(purchase);
  await end;
}

/** The purchases that have not expired, the latest first; those that have are removed. @param now ms by this machine's clock */
export async function keptPurchases(now: number): Promise<readonly KeptPurchase[]> {
  const transaction = (await database()).transaction(PURCHASES, 'readwrite');
  const end = done(transaction);
  const purchases = transaction.objectStore(PURCHASES);
  const all = await answered<KeptPurchase[]>(purchases.getAll());
  for (const { path, dropAt } of all) if (dropAt <= now) purchases.delete(path);
  await end;
  return all.filter(({ dropAt }) => dropAt > now).sort((a, b) => b.at - a.at);
}
