import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { atomicOf, type FoundChannels, type LostChannel } from '../../packages/client/src/index.ts';
import { atomicUsd } from '../text/number.ts';
import { findChannels } from './purchase.ts';
import type { Wallet } from './wallets.ts';
import { Withdrawal } from './withdrawal.tsx';

const usd = (text: string): string => atomicUsd(atomicOf(text));

/** Looks for channels whose record this browser has lost, and lets the wallet withdraw those whose key is lost, too. */
export function LostChannels({ wallet }: { readonly wallet: Wallet }): JSX.Element {
  const [said, setSaid] = useState('');
  const [lost, setLost] = useState<readonly LostChannel[]>([]);
  const find = (): void => {
    setSaid('Reading the chain …');
    void findChannels(wallet).then(
      (found) => {
        setLost(found?.lost ?? []);
        setSaid(found === undefined ? '' : wordsOf(found));
      },
      (cause) => setSaid(`Not searched. ${cause instanceof Error ? cause.message : String(cause)}`),
    );
  };
  return (
    <details>
      <summary>A payment channel is missing here</summary>
      <p>
        Deposits stay yours when the data of this browser is cleared. The wallet's address is looked for on
        the chain, which signs and sends nothing.
      </p>
      <p>
        <button type="button" onClick={find}>
          Find lost channels
        </button>
      </p>
      <p role="status">{said}</p>
      {lost.map((channel) => (
        <Lost key={channel.id} channel={channel} wallet={wallet} />
      ))}
    </details>
  );
}

interface LostProps {
  readonly channel: LostChannel;
  readonly wallet: Wallet;
}

function Lost({ channel, wallet }: LostProps): JSX.Element {
  const { id, leftUsd, withdrawal, delaySeconds } = channel;
  return (
    <section class="notice" aria-label="Lost channel">
      <p>
        <strong>{usd(leftUsd)}</strong> in the channel <code class="address">{id}</code>, less what was bought
        and is not claimed yet. Its key is lost, so that nothing more is bought of it.
      </p>
      <p>
        {withdrawal === undefined
          ? `The wallet requests the withdrawal, and finishes it ${Math.ceil(delaySeconds / 3_600)} hours later.`
          : `A withdrawal of ${usd(withdrawal.requestedUsd)} is requested; it can be finished from ${new Date(withdrawal.finishFrom).toLocaleString()} on.`}
      </p>
      <Withdrawal calls={channel} wallet={wallet} />
    </section>
  );
}

function wordsOf({ recovered, lost, fromBlock }: FoundChannels): string {
  const blocks = fromBlock === 0 ? '' : ` Blocks before ${fromBlock} were not read.`;
  if (recovered.length + lost.length === 0) return `No other channel of this wallet was found.${blocks}`;
  const back = recovered.length === 0 ? '' : `Found again: ${recovered.length}, which pay as before. `;
  return `${back}To withdraw by the wallet: ${lost.length}.${blocks}`;
}
