import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { chainIdOf, usdOf } from '../../packages/client/src/index.ts';
import { priceOf, type UnpaidCall } from '../data/answer.ts';
import { useHealth } from '../data/service.ts';
import { CopyButton, curlOf } from '../parts/tools.tsx';
import { atomicUsd, count } from '../text/number.ts';
import { capOf, capText, remaining, setCap, spent } from './cap.ts';
import { ChannelChoice, isByChannel } from './channel-choice.tsx';
import { isOpen, messageOf, onPurchases, type PayFrom, purchase, purchaseOf } from './purchase.ts';
import { useWallets, type Wallet } from './wallets.ts';

interface ForSaleProps {
  readonly what: string;
  readonly calls: readonly UnpaidCall[];
  /** Calls that are bought with these, as the parts of a bundle. */
  readonly covered?: readonly UnpaidCall[] | undefined;
}

/** Calls with their price and receiver, and the button that pays them. */
export function ForSale({ what, calls, covered }: ForSaleProps): JSX.Element {
  const health = useHealth();
  const mode = health.state === 'ready' ? health.body.payments.mode : undefined;
  const requirement = calls[0]?.challenge?.accepts[0];
  return (
    <section class="notice sale" aria-label={`For sale: ${what}`}>
      <h2>
        {what}: {calls.length === 1 ? 'one call' : `${count(calls.length)} calls`},{' '}
        {atomicUsd(priceOf(calls))}
      </h2>
      {requirement === undefined ? (
        <p>Its price cannot be read, or cannot be paid from a browser.</p>
      ) : (
        <>
          <dl class="terms">
            <dt>Price</dt>
            <dd>
              <strong>{atomicUsd(priceOf(calls))}</strong> in {requirement.extra.name}
              {calls.length > 1 && ', each call by a payment or a voucher of its own'}
            </dd>
            <dt>Receiver</dt>
            <dd>
              <code class="address">{requirement.payTo}</code>
            </dd>
            <dt>Token</dt>
            <dd>
              <code class="address">{requirement.asset}</code> on chain {chainIdOf(requirement)}
            </dd>
          </dl>
          <Checkout calls={calls} covered={covered} mode={mode} />
        </>
      )}
      <CopyButton label="Copy as curl" text={calls.map(({ path }) => curlOf(path, '-i ')).join('\n')} />
    </section>
  );
}

/** The purchase of some calls, also one that was begun elsewhere or before this was opened, and the message of its end. */
function usePurchase(calls: readonly UnpaidCall[], covered: readonly UnpaidCall[] = []) {
  const [, setLooks] = useState(0);
  useEffect(() => {
    const look = (): void => setLooks((before) => before + 1);
    const stop = onPurchases(look);
    // One may have ended since this was drawn.
    look();
    return stop;
  }, []);
  const all = [...calls, ...covered];
  const pay = (from: PayFrom): void => void purchase(calls, from, covered);
  return { isBusy: purchaseOf(all) !== undefined, said: messageOf(all), pay };
}

type CheckoutProps = Omit<ForSaleProps, 'what'> & { mode: string | undefined };

function Checkout({ calls, covered, mode }: CheckoutProps): JSX.Element {
  const wallets = useWallets(mode);
  const [chosen, setChosen] = useState(0);
  const [cap, changeCap] = useState(capText);
  const [byChannel, setByChannel] = useState(() => isByChannel(calls));
  const { isBusy, said, pay } = usePurchase(calls, covered);
  const price = priceOf(calls);
  const again = calls.some(({ path }) => isOpen(path));
  const fits = capOf(cap) !== undefined && (again || price <= remaining());
  const wallet = wallets[chosen];
  if (mode === undefined) return <p class="fine">Reading how payments are settled here …</p>;
  if (wallets.length === 0) return <NoWallet />;
  return (
    <>
      <div class="bar">
        <WalletChoice wallets={wallets} chosen={chosen} choose={setChosen} />
        <CapInput cap={cap} change={changeCap} />
        <button
          type="button"
          class="primary"
          disabled={isBusy || !fits || wallet === undefined}
          onClick={() => wallet !== undefined && pay({ wallet, isByChannel: byChannel })}
        >
          {isBusy ? 'Paying …' : again ? 'Present the payment again' : `Pay ${atomicUsd(price)}`}
        </button>
        <span class="fine">left of the cap: {atomicUsd(remaining())}</span>
      </div>
      <ChannelChoice calls={calls} isChosen={byChannel} choose={setByChannel} />
      {!fits && !isBusy && (
        <OverCap
          price={price}
          raise={(text) => {
            setCap(text);
            changeCap(text);
          }}
        />
      )}
      <p role="status">{said}</p>
    </>
  );
}

interface OverCapProps {
  readonly price: bigint;
  readonly raise: (cap: string) => void;
}

/** Says what is missing, and offers the cap that just fits: it is raised by the visitor alone. */
function OverCap({ price, raise }: OverCapProps): JSX.Element {
  const fitting = usdOf(spent() + price);
  return (
    <div>
      <p class="bad">
        The cap leaves {atomicUsd(remaining())}, and this costs {atomicUsd(price)}.
      </p>
      <p>
        <button type="button" onClick={() => raise(fitting)}>
          Raise the cap to ${fitting}
        </button>
      </p>
    </div>
  );
}

function NoWallet(): JSX.Element {
  return (
    <p>
      There is no wallet in this browser (EIP-1193). Any x402 client can buy it: the button below has the
      call.
    </p>
  );
}

interface WalletChoiceProps {
  readonly wallets: readonly Wallet[];
  readonly chosen: number;
  readonly choose: (at: number) => void;
}

function WalletChoice({ wallets, chosen, choose }: WalletChoiceProps): JSX.Element {
  return (
    <label>
      Wallet
      <select value={String(chosen)} onChange={(event) => choose(Number(event.currentTarget.value))}>
        {wallets.map(({ name }, at) => (
          <option key={name} value={String(at)}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function CapInput({ cap, change }: { cap: string; change: (text: string) => void }): JSX.Element {
  return (
    <label>
      Cap of this tab, USD
      <input
        type="text"
        inputMode="decimal"
        size={8}
        value={cap}
        aria-invalid={capOf(cap) === undefined}
        onInput={(event) => {
          setCap(event.currentTarget.value);
          change(event.currentTarget.value);
        }}
      />
    </label>
  );
}
