import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { atomicOf, type ChannelStatus, type ClosedChannel } from '../../packages/client/src/index.ts';
import { useHealth } from '../data/service.ts';
import { atomicUsd } from '../text/number.ts';
import { LostChannels } from './lost-channels.tsx';
import { channels, closeChannel, onChannels } from './purchase.ts';
import { useWallets, type Wallet } from './wallets.ts';
import { Withdrawal } from './withdrawal.tsx';

/** The channels of this browser that are not closed; read again after each purchase and refund. */
function useChannels(): readonly ChannelStatus[] {
  const [open, setOpen] = useState<readonly ChannelStatus[]>([]);
  useEffect(() => {
    let isShown = true;
    const read = (): void => {
      void channels().then(
        (all) => isShown && setOpen(all.filter(({ state }) => state !== 'closed')),
        () => {},
      );
    };
    read();
    const stop = onChannels(read);
    return () => {
      isShown = false;
      stop();
    };
  }, []);
  return open;
}

const usd = (text: string): string => atomicUsd(atomicOf(text));

/** Payment channels of this browser, each with what is left and how it comes back; and a search for those that it has lost. */
export function ChannelPanel(): JSX.Element | null {
  const health = useHealth();
  const wallets = useWallets(health.state === 'ready' ? health.body.payments.mode : undefined);
  const open = useChannels();
  const [said, setSaid] = useState('');
  const [closed, setClosed] = useState<ClosedChannel>();
  const close = (id: string, wallet: Wallet): void => {
    setSaid('Asking the seller for the rest …');
    void closeChannel(id, wallet).then(
      (end) => {
        setClosed(end);
        setSaid(end === undefined ? '' : wordsOf(end));
      },
      (cause) => setSaid(`Not closed. ${String(cause)}`),
    );
  };
  const wallet = wallets[0];
  const search = wallet && <LostChannels wallet={wallet} />;
  if (open.length === 0 && said === '') return search ?? null;
  return (
    <>
      <section class="notice" aria-label="Payment channel">
        <h2>Payment channel</h2>
        {open.map((channel) => (
          <Channel
            key={channel.id}
            channel={channel}
            close={wallet === undefined ? undefined : () => close(channel.id, wallet)}
          />
        ))}
        <p role="status">{said}</p>
        {closed?.kind === 'withdraw' && wallet !== undefined && <Withdrawal calls={closed} wallet={wallet} />}
      </section>
      {search}
    </>
  );
}

interface ChannelProps {
  readonly channel: ChannelStatus;
  /** Undefined without a wallet. */
  readonly close: (() => void) | undefined;
}

function Channel({ channel, close }: ChannelProps): JSX.Element {
  const { seller, state, depositedUsd, spentUsd, leftUsd } = channel;
  return (
    <>
      <dl class="terms">
        <dt>Receiver</dt>
        <dd>
          <code class="address">{seller}</code>
        </dd>
        <dt>Deposited</dt>
        <dd>{usd(depositedUsd)}</dd>
        <dt>Spent</dt>
        <dd>{usd(spentUsd)}</dd>
        <dt>Left</dt>
        <dd>
          <strong>{usd(leftUsd)}</strong>
        </dd>
      </dl>
      {state === 'disputed' && (
        <p class="bad">The seller claims more than it proves. Nothing more is paid by this channel.</p>
      )}
      <p>
        <button type="button" disabled={close === undefined || leftUsd === '0'} onClick={close}>
          Close and refund {usd(leftUsd)}
        </button>
      </p>
    </>
  );
}

function wordsOf(closed: ClosedChannel): string {
  if (closed.kind === 'empty') return 'Nothing is left in the channel.';
  if (closed.kind === 'refunded') return `${usd(closed.refundedUsd)} came back by ${closed.transaction}.`;
  return `The seller does not refund it (${closed.reason}). Your wallet can withdraw ${usd(closed.leftUsd)}: it asks first, and finishes ${Math.ceil(closed.delaySeconds / 3_600)} hours later.`;
}
