import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useHealth, useServiceAddress } from '../../../../web/data/service.ts';
import { useWallets, type Wallet } from '../../../../web/pay/wallets.ts';
import { count } from '../../../../web/text/number.ts';
import { moment } from '../../../../web/text/time.ts';
import { watchesOfWallet } from './signed-list.ts';

/** Lists watches whose secrets are lost, by the wallet that has paid for them. Nothing where the service does not do so. */
export function WalletWatches({ isServed }: { readonly isServed: boolean }): JSX.Element | null {
  const health = useHealth();
  const wallets = useWallets(health.state === 'ready' ? health.body.payments.mode : undefined);
  const address = useServiceAddress();
  if (!isServed || address === undefined) return null;
  return (
    <details>
      <summary>Find watches that a wallet has paid for</summary>
      <p class="fine">
        For who has lost their secrets. The wallet signs a text that begins with {new URL(address).host}: no
        payment, and nothing that moves money. Sign it on a page of that address alone. What is found can be
        read here for a day.
      </p>
      {wallets.length === 0 ? (
        <p>There is no wallet in this browser (EIP-1193).</p>
      ) : (
        wallets.map((wallet) => <Finding key={wallet.name} wallet={wallet} address={address} />)
      )}
    </details>
  );
}

interface FindingProps {
  readonly wallet: Wallet;
  readonly address: string;
}

function Finding({ wallet, address }: FindingProps): JSX.Element {
  const [said, setSaid] = useState('');
  const find = (): void => {
    setSaid('Asking the wallet …');
    void watchesOfWallet(wallet.provider, address).then(
      ({ total, reads_until }) =>
        setSaid(
          total === 0
            ? 'It has paid for none here.'
            : `Found: ${count(total)}, to be read until ${moment(reads_until)}.`,
        ),
      (cause) => setSaid(`Not found. ${cause instanceof Error ? cause.message : String(cause)}`),
    );
  };
  return (
    <>
      <p>
        <button type="button" onClick={find}>
          Sign by {wallet.name}
        </button>
      </p>
      <p role="status">{said}</p>
    </>
  );
}
