import type { Signer } from './payment.ts';

/** A wallet as browsers offer it (EIP-1193). */
export interface Eip1193Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Wallets sign for a chain only while they are on it. */
async function onChain(provider: Eip1193Provider, chainId: number): Promise<void> {
  if (Number(await provider.request({ method: 'eth_chainId' })) === chainId) return;
  const params = [{ chainId: `0x${chainId.toString(16)}` }];
  await provider.request({ method: 'wallet_switchEthereumChain', params });
}

/** Signs by a wallet; it asks its owner for the account, the chain and each signature as it sees fit. */
export function eip1193Signer(provider: Eip1193Provider): Signer {
  let current: string | undefined;
  const account = async (): Promise<string> => {
    const accounts = await provider.request({ method: 'eth_requestAccounts' });
    const [first] = Array.isArray(accounts) ? accounts : [];
    if (typeof first !== 'string' || !ADDRESS.test(first)) throw new TypeError('the wallet gives no account');
    return first;
  };
  return {
    address: async (chainId) => {
      const first = await account();
      await onChain(provider, chainId);
      current = first;
      return first;
    },
    signTypedData: async (data) => {
      // A voucher does not name who signs it.
      const params = [data.message.from ?? current ?? (await account()), JSON.stringify(data)];
      return String(await provider.request({ method: 'eth_signTypedData_v4', params }));
    },
  };
}
