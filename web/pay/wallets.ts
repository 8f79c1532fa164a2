import { useEffect, useState } from 'preact/hooks';
import type { Eip1193Provider } from '../../packages/client/src/index.ts';
import { callHeaders } from '../data/answers.ts';

export interface Wallet {
  readonly name: string;
  readonly provider: Eip1193Provider;
  /** Signs for the demo's own chain, with money that is none. */
  readonly isDemo: boolean;
}

interface Announced extends Event {
  readonly detail?: { readonly info?: { readonly name?: string }; readonly provider?: Eip1193Provider };
}

const DEMO_WALLET = '/demo/wallet';

/** The demo's own buyer, who signs in the service itself: there is no key in the page. */
const demoWallet: Wallet = {
  name: "The demo's wallet (play money)",
  isDemo: true,
  provider: {
    async request(call) {
      const response = await fetch(DEMO_WALLET, {
        method: 'POST',
        headers: { ...callHeaders(), 'content-type': 'application/json' },
        body: JSON.stringify(call),
      });
      const said = (await response.json()) as { readonly result?: unknown; readonly detail?: string };
      if (!response.ok) throw new Error(said.detail ?? "the demo's wallet does not answer");
      return said.result;
    },
  },
};

/**
 * Wallets that can sign here. A sandbox's payments would be valid on the real chain (same chain id, same token), so
 * that for it nothing but the demo's own wallet may sign.
 * @param mode payment mode of the service; while it is not known nothing may sign
 */
export function useWallets(mode: string | undefined): readonly Wallet[] {
  const [found, setFound] = useState<readonly Wallet[]>([]);
  useEffect(() => {
    if (mode === undefined || mode === 'sandbox') return;
    const add = (name: string, provider: Eip1193Provider): void =>
      setFound((before) =>
        before.some((wallet) => wallet.provider === provider)
          ? before
          : [...before, { name, provider, isDemo: false }],
      );
    const announced = (event: Announced): void => {
      const { info, provider } = event.detail ?? {};
      if (provider !== undefined) add(info?.name ?? 'Wallet', provider);
    };
    // EIP-6963: several wallets each say that they are there; older ones put themselves on the window alone.
    addEventListener('eip6963:announceProvider', announced);
    dispatchEvent(new Event('eip6963:requestProvider'));
    const { ethereum } = window as Window & { readonly ethereum?: Eip1193Provider };
    if (ethereum !== undefined) add('Wallet of this browser', ethereum);
    return () => removeEventListener('eip6963:announceProvider', announced);
  }, [mode]);
  if (mode === undefined) return [];
  return mode === 'sandbox' ? [demoWallet] : found;
}
