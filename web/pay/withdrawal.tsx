import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { WithdrawCall } from '../../packages/client/src/index.ts';
import type { Wallet } from './wallets.ts';

interface WithdrawalProps {
  readonly calls: { readonly initiate: WithdrawCall; readonly finalize: WithdrawCall };
  readonly wallet: Wallet;
}

/** The two transactions by which a wallet takes the rest of a channel back without the seller. */
export function Withdrawal({ calls, wallet }: WithdrawalProps): JSX.Element {
  const [said, setSaid] = useState('');
  const send = (call: WithdrawCall): void => {
    void wallet.provider.request({ method: 'eth_sendTransaction', params: [call] }).then(
      (hash) => setSaid(`Sent: ${String(hash)}`),
      (cause) => setSaid(`Not sent. ${cause instanceof Error ? cause.message : String(cause)}`),
    );
  };
  return (
    <>
      <div class="bar">
        <button type="button" onClick={() => send(calls.initiate)}>
          Request the withdrawal
        </button>
        <button type="button" onClick={() => send(calls.finalize)}>
          Finish the withdrawal
        </button>
      </div>
      <p role="status">{said}</p>
    </>
  );
}
