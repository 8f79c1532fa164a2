import { privateKeyToAccount } from 'viem/accounts';
import type { Signer } from './payment.ts';

/** Signs with a private key, by viem. @param key 0x and 64 hexadecimal digits */
export function keySigner(key: `0x${string}`): Signer {
  const account = privateKeyToAccount(key);
  return { address: account.address, signTypedData: (data) => account.signTypedData(data) };
}
