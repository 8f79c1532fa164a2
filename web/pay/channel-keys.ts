import type { VoucherKey } from '../../packages/client/src/index.ts';
import { answered, done, opener } from './database.ts';

/** The key of a payer's channels, which signs vouchers and refunds in the wallet's place. */
interface KeptKey {
  /** Address in lower case. */
  readonly payer: string;
  readonly key: `0x${string}`;
}

const KEYS = 'keys';
const database = opener('perpmeter-channel-keys', KEYS, 'payer');

function newKey(): KeptKey['key'] {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Browsers that are short of room drop what a site has stored, unless it asked to keep it; some ask the visitor, and nothing waits for that. */
function askToKeep(): void {
  // Older browsers, and pages without a secure address, have none.
  const { storage } = navigator as { readonly storage?: StorageManager };
  void storage?.persist().catch(() => {});
}

/**
 * The key of a payer's channels in this browser, made with the first one, the same in all tabs. It is on disk before it is given.
 * It is worth what lies in the channels, and nothing else. Rejects where the browser keeps nothing.
 */
export async function channelKey(payer: string): Promise<VoucherKey> {
  const transaction = (await database()).transaction(KEYS, 'readwrite', { durability: 'strict' });
  const end = done(transaction);
  const keys = transaction.objectStore(KEYS);
  const known = await answered<KeptKey | undefined>(keys.get(payer));
  const kept = known ?? { payer, key: newKey() };
  keys.put(kept);
  await end;
  if (known === undefined) askToKeep();
  const { privateKeyToAccount } = await import('viem/accounts');
  const account = privateKeyToAccount(kept.key);
  return { address: account.address, signTypedData: (data) => account.signTypedData(data) };
}
