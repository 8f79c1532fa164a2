import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useHealth, useServiceAddress } from '../../../../web/data/service.ts';
import { Loading } from '../../../../web/parts/states.tsx';
import { useWallets, type Wallet } from '../../../../web/pay/wallets.ts';
import { count } from '../../../../web/text/number.ts';
import { moment } from '../../../../web/text/time.ts';
import { watchesOfWallet } from './signed-list.ts';

/**
 * Lists watches whose secrets are lost, by the wallet that has paid for them. Nothing where the service does not do so.
 * Its line stands while that is not known yet, since parts below it would move when it came.
 */
export function WalletWatches({ isServed }: { readonly isServed: boolean | undefined }): JSX.Element | null {
  const address = useServiceAddress();
  if (isServed === false) return null;
  return (
    <details>
      <summary>Find watches that a wallet has paid for</summary>
      {address === undefined ? <Loading what="the service's address" /> : <ByWallet address={address} />}
    </details>
  );
}

function ByWallet({ address }: { readonly address: string }): JSX.Element {
  const health = useHealth();
  const wallets = useWallets(health.state === 'ready' ? health.body.payments.mode : undefined);
  return (
    <>
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
    </>
  );
}

interface FindingProps {
  readonly wallet: Wallet;
  readonly address: string;
}

/** A place in the list of a wallet. */
interface Rest {
  readonly after: string | null;
  readonly read: number;
}

function foundWords(total: number, found: number, until: string): string {
  if (total === 0) return 'It has paid for none here.';
  const share = found < total ? `${count(found)} of ${count(total)}` : count(total);
  return `Found: ${share}, to be read until ${moment(until)}.`;
}

function Finding({ wallet, address }: FindingProps): JSX.Element {
  const [said, setSaid] = useState('');
  /** The page that was not read yet, and the watches before it. */
  const [rest, setRest] = useState<Rest>({ after: null, read: 0 });
  const find = ({ after, read }: Rest): void => {
    setSaid('Asking the wallet …');
    void watchesOfWallet(wallet.provider, address, after).then(
      ({ total, watches, next, reads_until }) => {
        const found = read + watches.length;
        setRest(next === null ? { after: null, read: 0 } : { after: next, read: found });
        setSaid(foundWords(total, next === null ? total : found, reads_until));
      },
      (cause) => {
        // A page may begin behind a watch that is gone by now: the next signature begins again with the first.
        setRest({ after: null, read: 0 });
        setSaid(`Not found. ${cause instanceof Error ? cause.message : String(cause)}`);
      },
    );
  };
  return (
    <>
      <p>
        <button type="button" onClick={() => find({ after: null, read: 0 })}>
          Sign by {wallet.name}
        </button>{' '}
        {rest.after !== null && (
          <button type="button" onClick={() => find(rest)}>
            Sign again for the next
          </button>
        )}
      </p>
      <p role="status">{said}</p>
    </>
  );
}
